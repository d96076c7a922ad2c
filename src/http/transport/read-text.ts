import { isUtf8 } from "node:buffer";
import { generalError } from "../../errors/identity-error.js";
import type { ApiRequest, RequestBody } from "../../ports/transport.js";
import { type BodyLimits, maxDrainedBytes, readBytes } from "./read-bytes.js";

/** A body as text, or what the host's own parser made of it. */
export type RawBody = Extract<RequestBody, { readonly kind: "parsed" | "text" }>;

/**
 * Takes the body of a request, however the transport delivers it: the only place that reads one that is not a file. Undefined without one.
 * @throws IdentityError 400 for one that cannot be read or is no text, 408, 413, 415.
 */
export async function readRawBody(request: ApiRequest, limits: BodyLimits): Promise<RawBody | undefined> {
  const { body } = request;
  if (body === undefined) return undefined;
  if (body.kind === "unreadable") throw generalError("unreadableBody", body.reason);
  assertNoEncoding(request);
  const length = Number(request.headers["content-length"] ?? 0);
  if (length > limits.maxBytes) await refuseAnnounced(body, length, limits);
  if (body.kind === "parsed") return body;
  const text =
    body.kind === "text" ? body.text : toText(body.kind === "bytes" ? body.bytes : await readBytes(body.stream, limits));
  if (text === "") return undefined;
  if (body.kind !== "stream" && Buffer.byteLength(text) > limits.maxBytes) throw generalError("tooLarge");
  return { kind: "text", text };
}

/**
 * The text of a body, for readers that parse it themselves; undefined without one. What a parser of the host made of it is written again, as a form
 * where the request says so, else as JSON.
 * @throws IdentityError as {@link readRawBody}.
 */
export async function readText(request: ApiRequest, limits: BodyLimits): Promise<string | undefined> {
  const body = await readRawBody(request, limits);
  if (body?.kind !== "parsed") return body?.text;
  const isForm = /^\s*application\/x-www-form-urlencoded/i.test(String(request.headers["content-type"] ?? ""));
  return isForm ? toFormText(body.value) : JSON.stringify(body.value);
}

// Of a field that came twice, parsers make a list.
function toFormText(value: unknown): string {
  if (typeof value !== "object" || value === null) throw generalError("invalid");
  const fields = Object.entries(value).flatMap(([name, given]) =>
    [given].flat().map((one): [string, string] => [name, String(one)]),
  );
  return new URLSearchParams(fields).toString();
}

// A client that is still sending when its connection is closed may never see the answer: what is not far too long is let pass.
async function refuseAnnounced(body: RequestBody, length: number, limits: BodyLimits): Promise<never> {
  if (body.kind === "stream" && length <= maxDrainedBytes) await readBytes(body.stream, { ...limits, maxBytes: 0 });
  throw generalError("tooLarge");
}

/** @throws IdentityError 415 for a body that is compressed. */
export function assertNoEncoding(request: ApiRequest): void {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") throw generalError("UnsupportedContentEncoding");
}

function toText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw generalError("invalidText");
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
