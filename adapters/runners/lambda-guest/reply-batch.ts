import { writeSync } from "node:fs";
import { encodeFrames, type Frame } from "./frames.ts";

const ownLine = 3;
const markFile = 4;
/** What is held back is sent after so many milliseconds, frames or characters: soon enough for the host to send more before all is done. */
const maxHeldMilliseconds = 1;
const maxHeldFrames = 16;
const maxHeldCharacters = 65_536;

/** Answers on their way to the host: a write for several of them costs no more than for one. */
export class ReplyBatch {
  readonly #mark = Buffer.alloc(4);
  readonly #room = Buffer.allocUnsafeSlow(2 * maxHeldCharacters);
  readonly #held: Frame[] = [];
  #characters = 0;
  #since = 0;

  /** Sends a frame with the next ones, and soon; `now` in milliseconds of `performance.now()`. */
  hold(frame: Frame, now: number): void {
    if (this.#held.length === 0) this.#since = now;
    this.#held.push(frame);
    for (const text of frame.texts) this.#characters += text.length;
    const isFull = this.#held.length >= maxHeldFrames || this.#characters >= maxHeldCharacters;
    if (isFull || now - this.#since >= maxHeldMilliseconds) this.flush();
  }

  /** Sends a frame after those that are held back. */
  send(frame: Frame): void {
    this.#held.push(frame);
    this.flush();
  }

  /** Sends what is held back. */
  flush(): void {
    if (this.#held.length === 0) return;
    const bytes = encodeFrames(this.#held, this.#room);
    this.#held.length = 0;
    this.#characters = 0;
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(ownLine, bytes, sent);
  }

  /** Says which call runs now. While nothing is held back, the host knows by itself. */
  mark(id: number): void {
    if (this.#held.length === 0) return;
    this.#mark.writeUInt32LE(id);
    writeSync(markFile, this.#mark, 0, 4, 0);
  }
}
