import { createHash } from "node:crypto";

/** A set of texts that stores 53-bit digests, the precision of a number, because a dry run remembers many. */
export class DigestSet {
  readonly #digests = new Set<number>();

  has(text: string): boolean {
    return this.#digests.has(toNumber(text));
  }

  add(text: string): void {
    this.#digests.add(toNumber(text));
  }
}

function toNumber(text: string): number {
  const digest = createHash("sha1").update(text).digest();
  return digest.readUIntBE(0, 6) * 32 + (digest.readUInt8(6) >> 3);
}
