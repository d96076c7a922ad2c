import { isUtf8 } from "node:buffer";
import { generalError } from "../errors/identity-error.js";
import type { ApiRequest, ByteStream } from "../ports/transport.js";
import { parseJson } from "./parse-json.js";

/** How much of a body is read, and for how long. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

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
 * Reads the body of a request (decisions.md, Bad JSON and Text). Undefined when there is none.
 * `allowed` are the media types that the route takes.
 * @throws IdentityError 400, 408, 413 or 415; nothing is read beyond the limit.
 */
export async function readBody(
  request: ApiRequest,
  allowed: ReadonlySet<BodyKind>,
  limits: BodyLimits,
): Promise<ParsedBody | undefined> {
  const { body } = request;
  if (body === undefined) return undefined;
  refuseEncoding(request);
  if (Number(request.headers["content-length"] ?? 0) > limits.maxBytes) throw generalError("tooLarge");
  // What the host's own parser made of the body has been through JSON once: only its content is left to check.
  if (body.kind === "parsed") return { kind: parseContentType(request, allowed), value: body.value };
  const text =
    body.kind === "text" ? body.text : toText(body.kind === "bytes" ? body.bytes : await readBytes(body.stream, limits));
  if (text === "") return undefined;
  if (body.kind !== "stream" && Buffer.byteLength(text) > limits.maxBytes) throw generalError("tooLarge");
  const kind = parseContentType(request, allowed);
  return { kind, value: kind === "form" ? parseForm(text) : parseJson(text) };
}

function parseForm(text: string): unknown {
  const fields: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
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

async function readBytes(stream: ByteStream, limits: BodyLimits): Promise<Uint8Array> {
  return isNodeReadable(stream) ? readNodeStream(stream, limits) : readIterable(stream, limits);
}

// The part of a Node `Readable` that is used here: reading by events costs a third of iterating.
interface NodeReadableLike {
  readonly readableEnded: boolean;
  readonly destroyed: boolean;
  on(event: string, listener: (value: never) => void): unknown;
  removeListener(event: string, listener: (value: never) => void): unknown;
  pause(): unknown;
}

function isNodeReadable(stream: object): stream is ByteStream & NodeReadableLike {
  return "readableEnded" in stream && "on" in stream;
}

function readNodeStream(stream: NodeReadableLike, limits: BodyLimits): Promise<Uint8Array> {
  if (stream.readableEnded || stream.destroyed) return Promise.resolve(new Uint8Array());
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const finish = (error: Error | undefined): void => {
      clearTimeout(timer);
      for (const [event, listener] of listeners) stream.removeListener(event, listener);
      if (error === undefined) resolve(joinChunks(chunks));
      else {
        stream.pause();
        reject(error);
      }
    };
    const onData = (chunk: Uint8Array): void => {
      length += chunk.byteLength;
      if (length > limits.maxBytes) finish(generalError("tooLarge"));
      else chunks.push(chunk);
    };
    const onBroken = (): void => finish(brokenOff());
    const listeners: [string, (value: never) => void][] = [
      ["end", () => finish(undefined)],
      ["error", onBroken],
      ["close", onBroken],
      ["data", onData],
    ];
    const timer = setTimeout(() => finish(generalError("requestTimeout")), limits.timeoutMs);
    for (const [event, listener] of listeners) stream.on(event, listener);
  });
}

function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

async function readIterable(stream: ByteStream, limits: BodyLimits): Promise<Uint8Array> {
  const iterator = stream[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(generalError("requestTimeout")), limits.timeoutMs);
  });
  try {
    for (;;) {
      const next = iterator.next().catch((cause: unknown) => Promise.reject(brokenOff(cause)));
      const step = await Promise.race([next, expired]);
      if (step.done === true) return joinChunks(chunks);
      length += step.value.byteLength;
      // The stream is left as it is: cancelling would cut the connection of some servers before the answer is out.
      if (length > limits.maxBytes) throw generalError("tooLarge");
      chunks.push(step.value);
    }
  } finally {
    clearTimeout(timer);
  }
}

function brokenOff(cause?: unknown): Error {
  return generalError("invalidJSON", "The body ended before it was complete.", { cause });
}
