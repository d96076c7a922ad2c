import type { ApiRequest, ByteStream } from "../../ports/transport.js";
import { isObject, isObjectOrList } from "../../shared/objects.js";
import { toInputText } from "./input-text.js";

/** The values of a test request. */
export interface InjectedRequest {
  /** Default `GET`. */
  readonly method?: string;
  /** Path and query. */
  readonly url: string;
  /** Names in any case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A text, bytes or a stream of bytes are sent unchanged, anything else as JSON; `content-type` is JSON unless given. */
  readonly body?: unknown;
}

/** The request in the form of a transport. */
export function toApiRequest({ method = "GET", url, headers = {}, body }: InjectedRequest): ApiRequest {
  const [path = "", ...query] = url.split("?");
  const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    method: method.toUpperCase(),
    path,
    query: query.join("?"),
    headers: { host: "localhost", ...(body !== undefined && { "content-type": "application/json" }), ...lowerCase },
    basePath: "",
    isEncrypted: false,
    remoteAddress: "127.0.0.1",
    body: toBody(body),
  };
}

function toBody(body: unknown): ApiRequest["body"] {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return { kind: "bytes", bytes: body };
  if (isStream(body)) return { kind: "stream", stream: body };
  const text: string | undefined = typeof body === "string" ? body : toInputText(body);
  // Such as a FormData: as JSON it would be empty.
  const isLost = isObject(body) && text === "{}" && !isPlain(body);
  if (text === undefined || isLost) throw new TypeError("body must be a text, bytes, a stream, or a value that JSON can hold.");
  return { kind: "text", text };
}

function isStream(body: unknown): body is ByteStream {
  return isObjectOrList(body) && Symbol.asyncIterator in body;
}

function isPlain(body: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(body);
  return prototype === null || prototype === Object.prototype;
}
