import { isUtf8 } from "node:buffer";
import { generalError } from "../../errors/identity-error.js";
import type { ApiRequest, RequestBody } from "../../ports/transport.js";
import { parseJson } from "./parse-json.js";
import { type BodyLimits, maxDrainedBytes, readBytes } from "./read-bytes.js";

/** What a body may be, by media type. */
export type BodyKind = "json" | "jsonPatch" | "mergePatch" | "form";

/** A body that was read: what it is and its JSON value; a form is an object of texts, and an array of texts where a name came twice. */
export interface ParsedBody {
  readonly kind: BodyKind;
  readonly value: unknown;
}

const bodyKinds: Readonly<Record<string, BodyKind>> = {
  "application/json": "json",
  "application/json-patch+json": "jsonPatch",
  "application/merge-patch+json": "mergePatch",
  "application/x-www-form-urlencoded": "form",
};

/**
 * Reads the body of a request (docs/reference/wire.md#bodies, docs/reference/wire.md#text-and-encodings). Undefined when there is none.
 * `allowed` are the media types that the route takes.
 * @throws IdentityError 400, 408, 413 or 415; bytes beyond the limit are discarded.
 */
export async function readBody(
  request: ApiRequest,
  allowed: ReadonlySet<BodyKind>,
  limits: BodyLimits,
): Promise<ParsedBody | undefined> {
  const { body } = request;
  if (body === undefined) return undefined;
  refuseEncoding(request);
  const length = Number(request.headers["content-length"] ?? 0);
  if (length > limits.maxBytes) await refuseAnnounced(body, length, limits);
  // What the host's own parser made of the body has been through JSON once: only its content is left to check.
  if (body.kind === "parsed") return { kind: parseContentType(request, allowed), value: body.value };
  const text =
    body.kind === "text" ? body.text : toText(body.kind === "bytes" ? body.bytes : await readBytes(body.stream, limits));
  if (text === "") return undefined;
  if (body.kind !== "stream" && Buffer.byteLength(text) > limits.maxBytes) throw generalError("tooLarge");
  const kind = parseContentType(request, allowed);
  return { kind, value: kind === "form" ? parseForm(text) : parseJson(text) };
}

// A client that is still sending when its connection is closed may never see the answer: what is not far too long is let pass.
async function refuseAnnounced(body: RequestBody, length: number, limits: BodyLimits): Promise<never> {
  if (body.kind === "stream" && length <= maxDrainedBytes) await readBytes(body.stream, { ...limits, maxBytes: 0 });
  throw generalError("tooLarge");
}

/** How many fields a form holds at most. */
const maxFields = 1_000;

function parseForm(text: string): unknown {
  const fields: Record<string, string | string[]> = Object.create(null);
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > maxFields) throw generalError("tooMany", `A form holds at most ${maxFields} fields.`);
    const known = fields[name];
    fields[name] = known === undefined ? value : [known, value].flat();
  }
  return fields;
}

function refuseEncoding(request: ApiRequest): void {
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") throw generalError("UnsupportedContentEncoding");
}

function parseContentType(request: ApiRequest, allowed: ReadonlySet<BodyKind>): BodyKind {
  const header = request.headers["content-type"];
  if (header === "application/json" && allowed.has("json")) return "json";
  if (typeof header !== "string" || header === "") throw generalError("MissingContentType");
  const match = /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)\s*(?:;\s*(.*))?$/.exec(header);
  if (match === null) throw generalError("InvalidContentType");
  const kind = Object.hasOwn(bodyKinds, (match[1] ?? "").toLowerCase()) ? bodyKinds[(match[1] ?? "").toLowerCase()] : undefined;
  if (kind === undefined || !allowed.has(kind)) throw generalError("UnsupportedContentType");
  refuseCharset(match[2]);
  return kind;
}

function refuseCharset(parameters: string | undefined): void {
  const charset = parameters === undefined ? undefined : /(?:^|;)\s*charset\s*=\s*"?([^";\s]*)/i.exec(parameters)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw generalError("UnsupportedContentType", "Only the charset UTF-8 is supported.");
}

function toText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw generalError("invalidText");
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
