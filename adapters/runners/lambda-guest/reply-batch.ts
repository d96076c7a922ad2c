import { writeSync } from "node:fs";
import { encodeFrames, type Frame } from "./frames.ts";

const ownLine = 3;
const markFile = 4;
/** Limits of a batch: small enough that the host can send more calls before all are done. */
const maxHeldMilliseconds = 1;
const maxHeldFrames = 16;
const maxHeldCharacters = 65_536;

/** Batches answers to the host: one write for several costs no more than for one. */
export class ReplyBatch {
  readonly #mark = Buffer.alloc(4);
  readonly #room = Buffer.allocUnsafeSlow(2 * maxHeldCharacters);
  readonly #held: Frame[] = [];
  #characters = 0;
  #since = 0;

  /** Sends a frame soon, together with the next ones; `now` in milliseconds of `performance.now()`. */
  hold(frame: Frame, now: number): void {
    if (this.#held.length === 0) this.#since = now;
    this.#held.push(frame);
    for (const text of frame.texts) this.#characters += text.length;
    const isFull = this.#held.length >= maxHeldFrames || this.#characters >= maxHeldCharacters;
    if (isFull || now - this.#since >= maxHeldMilliseconds) this.flush();
  }

  /** Sends the batch, then this frame. */
  send(frame: Frame): void {
    this.#held.push(frame);
    this.flush();
  }

  flush(): void {
    if (this.#held.length === 0) return;
    const bytes = encodeFrames(this.#held, this.#room);
    this.#held.length = 0;
    this.#characters = 0;
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(ownLine, bytes, sent);
  }

  /** Records which call is running. With an empty batch, the host knows it already. */
  mark(id: number): void {
    if (this.#held.length === 0) return;
    this.#mark.writeUInt32LE(id);
    writeSync(markFile, this.#mark, 0, 4, 0);
  }
}
