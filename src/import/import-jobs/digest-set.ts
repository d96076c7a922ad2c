import { hash } from "node:crypto";

/** Three words of a digest, the first not zero. */
type Digest = ArrayLike<number>;

/** The words of a digest: 80 million texts include two with equal digests with a probability of 10^-15. */
const words = 3;

/** The number of tables: with many small ones, growing one takes a few milliseconds. */
const tableCount = 256;

/**
 * A set of texts that stores their digests, because a dry run remembers up to 80 million. A `Set` takes twice the memory, in
 * the heap, and has at most 16.7 million members.
 */
export class DigestSet {
  readonly #tables: readonly DigestTable[] = Array.from({ length: tableCount }, () => new DigestTable());

  has(text: string): boolean {
    const { digest, table } = this.#locate(text);
    return table.has(digest);
  }

  add(text: string): void {
    const { digest, table } = this.#locate(text);
    table.add(digest);
  }

  #locate(text: string): { readonly digest: Digest; readonly table: DigestTable } {
    const bytes = hash("sha256", text, "buffer");
    const digest = [bytes.readUInt32LE(0) || 1, bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
    return { digest, table: this.#tables[bytes.readUInt8(12)] as DigestTable };
  }
}

/** A hash table with linear probing. A slot with a zero first word is free. */
class DigestTable {
  #slots = new Uint32Array(64 * words);
  #size = 0;

  has(digest: Digest): boolean {
    return this.#slots[this.#slotOf(digest)] !== 0;
  }

  add(digest: Digest): void {
    if (this.#size * words * 1.5 >= this.#slots.length) this.#grow();
    const slot = this.#slotOf(digest);
    if (this.#slots[slot] === 0) this.#size++;
    this.#slots.set(digest, slot);
  }

  /** The slot of the digest, or the free one for it. */
  #slotOf(digest: Digest): number {
    const slots = this.#slots;
    let slot = ((digest[0] as number) * words) % slots.length;
    const isOther = (word: number): boolean => slots[slot + word] !== digest[word];
    while (slots[slot] !== 0 && (isOther(0) || isOther(1) || isOther(2))) slot = (slot + words) % slots.length;
    return slot;
  }

  #grow(): void {
    const earlier = this.#slots;
    this.#slots = new Uint32Array(earlier.length * 2);
    for (let slot = 0; slot < earlier.length; slot += words) {
      const digest = earlier.subarray(slot, slot + words);
      if (digest[0] !== 0) this.#slots.set(digest, this.#slotOf(digest));
    }
  }
}
