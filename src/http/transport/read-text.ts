import { isUtf8 } from "node:buffer";
import { generalError } from "../../errors/identity-error.js";
import type { ApiRequest, RequestBody } from "../../ports/transport.js";
import { type BodyLimits, maxDrainedBytes, readBytes } from "./read-bytes.js";

/** A body as text, or as the value of the host's own parser. */
export type RawBody = Extract<RequestBody, { readonly kind: "parsed" | "text" }>;

/**
 * Reads the body of a request from any transport, unless it is a file. Undefined without one.
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
 * The text of a body, for readers that parse it themselves; undefined without one. A value of the host's own parser becomes a
 * form for a form request, else JSON.
 * @throws IdentityError as {@link readRawBody}.
 */
export async function readText(request: ApiRequest, limits: BodyLimits): Promise<string | undefined> {
  const body = await readRawBody(request, limits);
  if (body?.kind !== "parsed") return body?.text;
  const isForm = /^\s*application\/x-www-form-urlencoded/i.test(String(request.headers["content-type"] ?? ""));
  return isForm ? toFormText(body.value) : JSON.stringify(body.value);
}

// Parsers turn a repeated field into a list.
function toFormText(value: unknown): string {
  if (typeof value !== "object" || value === null) throw generalError("invalid");
  const fields = Object.entries(value).flatMap(([name, given]) =>
    [given].flat().map((one): [string, string] => [name, String(one)]),
  );
  return new URLSearchParams(fields).toString();
}

// A client that is still sending when its connection closes may never see the answer, so a slightly oversized body is drained.
async function refuseAnnounced(body: RequestBody, length: number, limits: BodyLimits): Promise<never> {
  if (body.kind === "stream" && length <= maxDrainedBytes) await readBytes(body.stream, { ...limits, maxBytes: 0 });
  throw generalError("tooLarge");
}

/** @throws IdentityError 415 for a compressed body. */
export function assertNoEncoding(request: ApiRequest): void {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") throw generalError("UnsupportedContentEncoding");
}

function toText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw generalError("invalidText");
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
