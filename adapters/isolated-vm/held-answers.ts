import { writeSync } from "node:fs";

const ownLine = 3;
const markFile = 4;
/** What is held back is sent after so many milliseconds, frames or bytes: soon enough for the host to send more before all is done. */
const maxHeldMilliseconds = 1;
const maxHeldFrames = 16;
const maxHeldBytes = 65_536;

/** Answers on their way to the host: a write for several of them costs no more than for one. */
export class HeldAnswers {
  readonly #mark = Buffer.alloc(4);
  #held: Buffer[] = [];
  #bytes = 0;
  #since = 0;

  /** Sends bytes with the next ones, and soon. */
  hold(bytes: Buffer): void {
    if (this.#held.length === 0) this.#since = performance.now();
    this.#held.push(bytes);
    this.#bytes += bytes.length;
    const isFull = this.#held.length >= maxHeldFrames || this.#bytes >= maxHeldBytes;
    if (isFull || performance.now() - this.#since >= maxHeldMilliseconds) this.flush();
  }

  /** Sends bytes after those that are held back. */
  send(bytes: Buffer): void {
    this.#held.push(bytes);
    this.flush();
  }

  /** Sends what is held back. */
  flush(): void {
    const [first] = this.#held;
    if (first === undefined) return;
    const bytes = this.#held.length === 1 ? first : Buffer.concat(this.#held);
    this.#held = [];
    this.#bytes = 0;
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(ownLine, bytes, sent);
  }

  /** Says which call runs now. While nothing is held back, the host knows by itself. */
  mark(id: number): void {
    if (this.#held.length === 0) return;
    this.#mark.writeUInt32LE(id);
    writeSync(markFile, this.#mark, 0, 4, 0);
  }
}
