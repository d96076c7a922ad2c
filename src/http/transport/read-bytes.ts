import { Readable } from "node:stream";
import { generalError } from "../../errors/identity-error.js";
import type { CancelTimer, Timers } from "../../ports/runtime.js";
import type { ByteStream } from "../../ports/transport.js";

/** The size and time limits of reading a body. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly timers: Timers;
}

/** Limits with fewer bytes. */
export function narrow(limits: BodyLimits, maxBytes: number = limits.maxBytes): BodyLimits {
  return maxBytes < limits.maxBytes ? { ...limits, maxBytes } : limits;
}

/** The most bytes of an oversized body to drain, so that its client can read the answer. */
export const maxDrainedBytes = 67_108_864;

/** The longest wait for more of an oversized body: a client that sends nothing waits for the answer. */
const drainIdleMs = 500;

/**
 * Reads a stream to its end.
 * @throws IdentityError 400 when it breaks off, 408 when it takes too long, 413 when it is too long: at its end, or once more
 * came than is worth draining.
 */
export async function readBytes(stream: ByteStream, limits: BodyLimits): Promise<Uint8Array> {
  assertReadable(stream);
  return isNodeReadable(stream) ? readNodeStream(stream, limits) : readIterable(stream, limits);
}

/** @throws IdentityError 400 where something else has read from a stream: the rest is not the body. */
export function assertReadable(stream: ByteStream): void {
  const isLocked = "locked" in stream && stream.locked === true;
  const isTaken = isNodeReadable(stream) ? stream.readableDidRead : isLocked || Readable.isDisturbed(stream as never);
  if (isTaken) throw generalError("unreadableBody", takenAdvice);
}

const takenAdvice =
  "Something else reads the body of this request. Mount the service before it, or pass on what it read as the parsed body.";

// The received bytes. Calls `onEnd` when it takes too long.
class Intake {
  readonly #limits: BodyLimits;
  readonly #onEnd: (error: Error) => void;
  readonly #cancelLimit: CancelTimer;
  #cancelIdle: CancelTimer | undefined;
  #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(limits: BodyLimits, onEnd: (error: Error) => void) {
    this.#limits = limits;
    this.#onEnd = onEnd;
    const end = (): void => onEnd(generalError(this.#isTooLong ? "tooLarge" : "requestTimeout"));
    this.#cancelLimit = limits.timers.after(limits.timeoutMs, end, true);
  }

  get #isTooLong(): boolean {
    return this.#length > this.#limits.maxBytes;
  }

  /** Takes a chunk; returns whether to continue. */
  take(chunk: Uint8Array): boolean {
    this.#length += chunk.byteLength;
    if (!this.#isTooLong) this.#chunks.push(chunk);
    else {
      this.#chunks = [];
      this.#cancelIdle?.();
      this.#cancelIdle = this.#limits.timers.after(drainIdleMs, () => this.#onEnd(generalError("tooLarge")), true);
    }
    return this.#length <= Math.max(this.#limits.maxBytes, maxDrainedBytes);
  }

  stop(): void {
    this.#cancelLimit();
    this.#cancelIdle?.();
  }

  /** All received bytes. @throws IdentityError 413 when there are too many. */
  toBytes(): Uint8Array {
    if (this.#isTooLong) throw generalError("tooLarge");
    return this.#chunks.length === 1 ? (this.#chunks[0] as Uint8Array) : Buffer.concat(this.#chunks);
  }
}

// The used part of a Node `Readable`: reading by events costs a third of iterating.
interface NodeReadableLike {
  readonly readableDidRead: boolean;
  readonly destroyed: boolean;
  on(event: string, listener: (value: never) => void): unknown;
  removeListener(event: string, listener: (value: never) => void): unknown;
  pause(): unknown;
}

function isNodeReadable(stream: object): stream is ByteStream & NodeReadableLike {
  return "readableEnded" in stream && "on" in stream;
}

async function readNodeStream(stream: NodeReadableLike, limits: BodyLimits): Promise<Uint8Array> {
  if (stream.destroyed) throw brokenOff();
  const intake = await new Promise<Intake>((resolve, reject) => {
    const finish = (error: Error | undefined): void => {
      received.stop();
      for (const [event, listener] of listeners) stream.removeListener(event, listener);
      if (error === undefined) resolve(received);
      else {
        stream.pause();
        reject(error);
      }
    };
    const received = new Intake(limits, finish);
    const onBroken = (): void => finish(brokenOff());
    const onData = (chunk: Uint8Array): void => {
      if (!received.take(chunk)) finish(generalError("tooLarge"));
    };
    const listeners: [string, (value: never) => void][] = [
      ["end", () => finish(undefined)],
      ["error", onBroken],
      ["close", onBroken],
      ["data", onData],
    ];
    for (const [event, listener] of listeners) stream.on(event, listener);
  });
  return intake.toBytes();
}

async function readIterable(stream: ByteStream, limits: BodyLimits): Promise<Uint8Array> {
  const iterator = stream[Symbol.asyncIterator]();
  const ending = Promise.withResolvers<never>();
  // The caller that awaits the race reports it.
  ending.promise.catch(() => undefined);
  const received = new Intake(limits, ending.reject);
  try {
    for (;;) {
      const next = iterator.next().catch((cause: unknown) => Promise.reject(brokenOff(cause)));
      const step = await Promise.race([next, ending.promise]);
      // The stream is not canceled: that would cut the connection of some servers before the response is sent.
      if (step.done === true || !received.take(step.value)) return received.toBytes();
    }
  } finally {
    received.stop();
  }
}

function brokenOff(cause?: unknown): Error {
  return generalError("invalidJSON", "The body ended before it was complete.", { cause });
}
