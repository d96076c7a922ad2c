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

/** A body that an operation reads by itself. */
export interface StreamedBodyRow {
  /** The member of the input in process whose values it is: each becomes a line of the first type, and bytes are taken as they are. */
  readonly member: string;
  /** The media types that it may have. */
  readonly types: readonly [string, ...(readonly string[])];
}

type IdleLimits = Pick<BodyLimits, "timeoutMs" | "timers">;

/** How many characters of values are passed on together. */
const batchLength = 65_536;

/** The body that the values of an input in process are. @throws IdentityError 400 `[missing]<member>` where there are none. */
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
 * Opens the body of an operation that reads by itself. A pause of more than `timeoutMs` between two parts ends it with 408, and a connection that
 * closes with 400; what the host's own parser has read is given in one part.
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
  // Each value that a parser made of a line.
  if (body?.kind === "parsed") for (const value of [body.value].flat()) yield Buffer.from(`${JSON.stringify(value)}\n`);
}

// The stream is left as it is at the end: to cancel it would cut the connection of some servers before the response is sent.
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
