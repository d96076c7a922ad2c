/** The texts of one column one after the other: looking through them all is one search in one piece of memory. */
export class TextBlob {
  readonly #bytes: Buffer;
  readonly #ids: readonly string[];
  /** Where each text begins. */
  readonly #starts: Uint32Array;

  constructor(entries: Iterable<readonly [id: string, text: string]>) {
    const ids: string[] = [];
    const texts: string[] = [];
    for (const [id, text] of entries) {
      ids.push(id);
      texts.push(text);
    }
    this.#ids = ids;
    this.#starts = new Uint32Array(texts.length);
    let start = 0;
    texts.forEach((text, index) => {
      this.#starts[index] = start;
      start += Buffer.byteLength(text) + separator.length;
    });
    this.#bytes = Buffer.from(texts.join(separator));
  }

  /** The ids of all texts that hold `part`, and perhaps of some that do not: what is found may reach into the next text. */
  *idsWith(part: string): Iterable<string> {
    const bytes = Buffer.from(part);
    for (let found = this.#bytes.indexOf(bytes); found >= 0; ) {
      const index = this.#indexAt(found);
      yield this.#ids[index] as string;
      const next = this.#starts[index + 1];
      found = next === undefined ? -1 : this.#bytes.indexOf(bytes, next);
    }
  }

  #indexAt(position: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] as number) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const separator = "\0";
