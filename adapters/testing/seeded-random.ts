import { hash } from "node:crypto";
import type { Random } from "latchkey";

/** Bytes that are the same for the same seed, in each run: for tests only. */
export function createSeededRandom(seed: string): Random {
  let made = 0;
  let rest: Uint8Array = new Uint8Array();
  return (length) => {
    const blocks = [rest];
    for (let size = rest.length; size < length; size += 64) blocks.push(hash("sha512", `${seed} ${++made}`, "buffer"));
    const bytes = Buffer.concat(blocks);
    rest = bytes.subarray(length);
    return Uint8Array.from(bytes.subarray(0, length));
  };
}
