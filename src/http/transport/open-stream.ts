import { fieldError, generalError } from "../../errors/identity-error.js";
import type { ApiRequest, ByteStream, RequestBody } from "../../ports/transport.js";
import { readMediaType } from "./read-body.js";
import { assertReadable, type BodyLimits } from "./read-bytes.js";
import { assertNoEncoding } from "./read-text.js";

/** A body that is read as it arrives. */
export interface StreamedBody {
  /** In lower case, without parameters. */
  readonly mediaType: string;
  readonly bytes: ByteStream;
}

/** A body that an operation reads itself. */
export interface StreamedBodyRow {
  /** The member of the in-process input with its values: each becomes a line of the first type; bytes stay unchanged. */
  readonly member: string;
  readonly types: readonly [string, ...(readonly string[])];
}

type IdleLimits = Pick<BodyLimits, "timeoutMs" | "timers">;

const batchLength = 65_536;

/** The body from the values of an in-process input. @throws IdentityError 400 `[missing]<member>` where there are none. */
export function toStreamedBody(input: object, { member, types: [mediaType] }: StreamedBodyRow): StreamedBody {
  const values: unknown = Object.entries(input).find(([name]) => name === member)?.[1];
  if (!isIterable(values)) throw fieldError("missing", member);
  return { mediaType, bytes: toLines(values) };
}

function isIterable(values: unknown): values is AsyncIterable<unknown> | Iterable<unknown> {
  return typeof values === "object" && values !== null && (Symbol.asyncIterator in values || Symbol.iterator in values);
}

async function* toLines(values: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<Uint8Array> {
  let text = "";
  for await (const value of values) {
    if (value instanceof Uint8Array) {
      yield value;
      continue;
    }
    text += `${JSON.stringify(value) ?? "null"}\n`;
    if (text.length < batchLength) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(text);
}

/**
 * Opens the body of an operation that reads it itself. A pause of more than `timeoutMs` ends it with 408, and a closed connection
 * with 400. A body from the host's own parser comes in one part.
 * @throws IdentityError 415 or 400 for another media type, charset or encoding.
 */
export function openStream(request: ApiRequest, types: readonly string[], limits: IdleLimits): StreamedBody {
  assertNoEncoding(request);
  const mediaType = readMediaType(request);
  if (!types.includes(mediaType)) throw generalError("UnsupportedContentType");
  const { body } = request;
  if (body?.kind === "unreadable") throw generalError("unreadableBody", body.reason);
  return { mediaType, bytes: body?.kind === "stream" ? readWithin(body.stream, limits) : toParts(body) };
}

async function* toParts(
  body: Exclude<RequestBody, { readonly kind: "stream" | "unreadable" }> | undefined,
): AsyncGenerator<Uint8Array> {
  if (body?.kind === "bytes") yield body.bytes;
  if (body?.kind === "text") yield Buffer.from(body.text);
  // One line for each parsed value.
  if (body?.kind === "parsed") for (const value of [body.value].flat()) yield Buffer.from(`${JSON.stringify(value)}\n`);
}

// The stream is not canceled at the end: that would cut the connection of some servers before the response is sent.
async function* readWithin(stream: ByteStream, { timeoutMs, timers }: IdleLimits): AsyncGenerator<Uint8Array> {
  assertReadable(stream);
  const iterator = stream[Symbol.asyncIterator]();
  for (;;) {
    const late = Promise.withResolvers<never>();
    const cancel = timers.after(timeoutMs, () => late.reject(generalError("requestTimeout")), true);
    const next = iterator.next().catch((cause: unknown) => {
      throw generalError("invalidText", "The body ended before it was complete.", { cause });
    });
    const step = await Promise.race([next, late.promise]).finally(cancel);
    if (step.done === true) return;
    yield step.value;
  }
}
