import { isUtf8 } from "node:buffer";
import type { ByteStream } from "../../ports/transport.js";

/** The text of an upload's line, or the reason for its absence. */
export type UploadLine = string | LineFault;

/** A fault that is found before the line is parsed. */
export interface LineFault {
  readonly fault: "invalidText" | "tooLong";
}

const newline = 10;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Yields the lines of a stream as they arrive. Skips a line of more than `maxBytes` without buffering it. */
export async function* splitLines(stream: ByteStream, maxBytes: number): AsyncGenerator<readonly UploadLine[]> {
  const cutter = new LineSplitter(maxBytes);
  for await (const chunk of stream) yield cutter.take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  yield cutter.end();
}

class LineSplitter {
  readonly #maxBytes: number;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #isFirst = true;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  take(chunk: Buffer): readonly UploadLine[] {
    const lines: UploadLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#hold(chunk.subarray(start, end));
      lines.push(this.#cut());
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
    return lines;
  }

  end(): readonly UploadLine[] {
    return this.#heldBytes === 0 ? [] : [this.#cut()];
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#heldBytes += bytes.length;
    if (this.#heldBytes <= this.#maxBytes) this.#held.push(bytes);
    else this.#held = [];
  }

  #cut(): UploadLine {
    const isTooLong = this.#heldBytes > this.#maxBytes;
    const whole = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held);
    const hasMark = this.#isFirst && whole.subarray(0, 3).equals(byteOrderMark);
    this.#held = [];
    this.#heldBytes = 0;
    this.#isFirst = false;
    if (isTooLong) return { fault: "tooLong" };
    const bytes = hasMark ? whole.subarray(3) : whole;
    return isUtf8(bytes) ? bytes.toString("utf8") : { fault: "invalidText" };
  }
}
