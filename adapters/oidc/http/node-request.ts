import { type IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { ApiRequest, ApiResponse } from "latchkey/ports";

/** What the provider's library is shown of a request. */
export interface ProviderRequest {
  readonly request: ApiRequest;
  /** The body as text; undefined for none. */
  readonly body: string | undefined;
  /** The path below the mount, which routes are found by, with the query. */
  readonly url: string;
  /** The path before it. */
  readonly mount: string;
  /** The public URL of the service: what clients call it, not what a request says. */
  readonly publicUrl: URL;
  readonly address: string | undefined;
}

/** Answers a request by a listener for Node's server, without a socket. */
export function runListener(listener: RequestListener, given: ProviderRequest): Promise<ApiResponse> {
  const request = toIncoming(given);
  // The library answers what fails. A promise that it returns all the same may fail, and nobody else waits for it.
  return new Promise((resolve, reject) => {
    const running: unknown = listener(request, toServerResponse(request, resolve));
    Promise.resolve(running).catch(reject);
  });
}

/** A request as Node's server would make it. */
export function toIncoming({ address, body, mount, publicUrl, request, url }: ProviderRequest): IncomingMessage {
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const forwarded = Object.entries(request.headers).filter(
    ([name]) => !/^(?:x-forwarded-|forwarded$|transfer-encoding$)/.test(name),
  );
  const headers: Record<string, unknown> = { ...Object.fromEntries(forwarded), host: publicUrl.host };
  delete headers[":authority"];
  if (bytes === undefined) delete headers["content-length"];
  else headers["content-length"] = String(bytes.length);
  const message = Object.assign(Readable.from(bytes === undefined ? [] : [bytes], { objectMode: false }), {
    method: request.method,
    url,
    originalUrl: mount + url,
    headers,
    httpVersion: "1.1",
    socket: { encrypted: publicUrl.protocol === "https:", remoteAddress: address },
  });
  return message as Readable as IncomingMessage;
}

/** A response that is complete once it ends. */
export function toServerResponse(request: IncomingMessage, done: (response: ApiResponse) => void): ServerResponse {
  const response = new ServerResponse(request);
  const end = (chunk?: unknown): ServerResponse => {
    const body = typeof chunk === "string" ? chunk : chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : "";
    done({ status: response.statusCode, headers: headersOf(response), body });
    response.emit("finish");
    return response;
  };
  return Object.assign(response, { end });
}

function headersOf(response: ServerResponse): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(response.getHeaders()))
    if (value !== undefined && name !== "content-length") headers[name] = Array.isArray(value) ? value : String(value);
  return headers;
}
