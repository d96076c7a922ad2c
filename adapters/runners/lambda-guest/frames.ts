import type { ConsoleLine, LambdaFailure, LambdaFailureKind, LambdaOutcome } from "latchkey/ports";

/**
 * The protocol between a host and its guests. This file and `serve.ts` run on both sides and import nothing, so that a guest can
 * start from source.
 */

const kinds = [
  "setup",
  "define",
  "forget",
  "call",
  "reply",
  "abandon",
  "resume",
  "ready",
  "answer",
  "skipped",
  "hostCall",
] as const;

/**
 * To a guest: `setup` (realm, settings as JSON), `define` a program (id; header as JSON, body, wrapped body, request), `forget`
 * one, `call` (id, program as value; arguments), `reply` to a host call (JSON), `abandon` the run instead of a reply, `resume`
 * after a slow run (ids to skip, separated by commas).
 * From a guest: `ready`, `answer` (id of the call; as value the milliseconds of work of a slow run, after which the guest waits
 * for `resume`; outcome), `skipped` (id), `hostCall` (id; name, arguments).
 */
export type FrameKind = (typeof kinds)[number];

/** One message. */
export interface Frame {
  readonly kind: FrameKind;
  /** The id of a call or a program, a 32-bit number. */
  readonly id: number;
  readonly value: number;
  readonly texts: readonly string[];
}

const codes = Object.fromEntries(kinds.map((kind, code) => [kind, code])) as Readonly<Record<FrameKind, number>>;

const headBytes = 16;

/** Creates a frame. */
export function frame(kind: FrameKind, id = 0, value = 0, texts: readonly string[] = []): Frame {
  return { kind, id, value, texts };
}

/**
 * Encodes frames one after the other: length of the rest, kind, number of texts, id, value, length of each text, texts in UTF-8.
 * Writes into `room` if it is large enough; the caller may reuse `room` after sending.
 */
export function encodeFrames(frames: readonly Frame[], room?: Buffer): Buffer {
  let size = 0;
  for (const one of frames) size += bytesOf(one);
  const bytes = room !== undefined && size <= room.length ? room.subarray(0, size) : Buffer.allocUnsafe(size);
  let position = 0;
  for (const one of frames) position = writeFrame(bytes, position, one);
  return bytes;
}

function bytesOf({ texts }: Frame): number {
  let size = headBytes;
  for (const text of texts) size += 4 + Buffer.byteLength(text);
  return size;
}

function writeFrame(bytes: Buffer, start: number, { kind, id, value, texts }: Frame): number {
  bytes.writeUInt16LE(codes[kind], start + 4);
  bytes.writeUInt16LE(texts.length, start + 6);
  bytes.writeUInt32LE(id, start + 8);
  bytes.writeUInt32LE(value, start + 12);
  let slot = start + headBytes;
  let end = slot + 4 * texts.length;
  for (const text of texts) {
    const length = bytes.write(text, end);
    slot = bytes.writeUInt32LE(length, slot);
    end += length;
  }
  bytes.writeUInt32LE(end - start - 4, start);
  return end;
}

function decodeFrame(bytes: Buffer, start: number): Frame {
  const count = bytes.readUInt16LE(start + 6);
  const kind = kinds[bytes.readUInt16LE(start + 4)];
  if (kind === undefined) throw new RangeError("A frame of no known kind.");
  const texts: string[] = [];
  let position = start + headBytes + 4 * count;
  for (let index = 0; index < count; index++) {
    const end = position + bytes.readUInt32LE(start + headBytes + 4 * index);
    texts.push(bytes.toString("utf8", position, end));
    position = end;
  }
  return { kind, id: bytes.readUInt32LE(start + 8), value: bytes.readUInt32LE(start + 12), texts };
}

/** Splits a byte stream into frames. */
export class FrameReader {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #size = 0;
  #needed = 4;

  /** A larger frame than `maxBytes` is an error. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Returns the frames that these bytes complete. The caller may overwrite the bytes afterwards.
   * @throws RangeError for a frame that is too long or of an unknown kind.
   */
  push(chunk: Buffer): Frame[] {
    this.#size += chunk.length;
    if (this.#size < this.#needed) {
      this.#parts.push(Buffer.from(chunk));
      return [];
    }
    const bytes = this.#parts.length === 0 ? chunk : Buffer.concat([...this.#parts, chunk], this.#size);
    return this.#take(bytes);
  }

  #take(bytes: Buffer): Frame[] {
    const frames: Frame[] = [];
    let position = 0;
    this.#needed = this.#lengthAt(bytes, position);
    while (bytes.length - position >= this.#needed) {
      frames.push(decodeFrame(bytes, position));
      position += this.#needed;
      this.#needed = this.#lengthAt(bytes, position);
    }
    this.#size = bytes.length - position;
    this.#parts = this.#size === 0 ? [] : [Buffer.from(bytes.subarray(position))];
    return frames;
  }

  #lengthAt(bytes: Buffer, position: number): number {
    if (bytes.length - position < 4) return 4;
    const length = bytes.readUInt32LE(position) + 4;
    if (length > this.#maxBytes || length < headBytes) throw new RangeError(`A frame of ${length} bytes.`);
    return length;
  }
}

/** Why a guest ended without being killed by the pool. */
export interface GuestEnd {
  readonly kind: "outOfMemory" | "crashed";
  readonly message: string;
  /** Whether something other than the pool killed it, such as an operator. */
  readonly isForeign?: boolean;
}

/** Receives the messages of a guest. */
export interface GuestListener {
  onFrames(frames: readonly Frame[]): void;
  /** Called once, after all frames of the guest. */
  onEnd(end: GuestEnd): void;
}

/** A process or a thread that runs scripts. It does not keep the host alive. */
export interface GuestHandle {
  send(frame: Frame): void;
  /** Ends the guest at once, in any state. */
  kill(): void;
  /** The id of the running call, while the guest may still hold earlier answers; undefined when it holds none. */
  runningCall(): number | undefined;
  /** The resident memory in bytes; undefined where it is unknown. */
  residentBytes(): number | undefined;
}

/** Starts a guest. */
export type StartGuest = (listener: GuestListener) => GuestHandle;

/** A failure that the runner itself reports. */
export function failure(kind: LambdaFailureKind, message: string): LambdaFailure {
  return { kind, message, console: [] };
}

/** The outcome of a run whose guest ended. */
export function killed(kind: LambdaFailureKind, message: string): LambdaFailure {
  return { ...failure(kind, message), wasKilled: true };
}

const failureKinds: ReadonlySet<string> = new Set<LambdaFailureKind>([
  "syntax",
  "missingFunction",
  "threw",
  "timedOut",
  "outOfMemory",
  "tooLarge",
  "crashed",
]);

interface Head {
  readonly kind: string;
  readonly message?: string;
  readonly line?: number;
  readonly column?: number;
  readonly console: readonly ConsoleLine[];
}

/** The start of the most frequent answer: success without console output. */
const quietHead = '{"kind":"ok","console":[]}\n';

/**
 * Parses an answer of a guest: JSON in the first line, the changed arguments in the second.
 * @throws Error for any other form.
 */
export function toOutcome(answer: string): LambdaOutcome {
  if (answer.startsWith(quietHead)) return { kind: "ok", changedJson: answer.slice(quietHead.length), console: [] };
  const end = answer.indexOf("\n");
  const head: Head = JSON.parse(end < 0 ? answer : answer.slice(0, end));
  if (head.kind === "ok") return { kind: "ok", changedJson: answer.slice(end + 1), console: head.console };
  if (!failureKinds.has(head.kind)) throw new Error("A guest answered with no known outcome.");
  const { message = "", line, column, console } = head;
  const place = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  return { kind: head.kind as LambdaFailureKind, message, ...place, console };
}
