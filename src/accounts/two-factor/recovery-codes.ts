import type { Random } from "../../ports/runtime.js";
import { digestSecret, type SealedLocation, type Sealer, sealedLocationOf } from "../../security/seal.js";

const count = 10;
const bytes = 10;
/** Digits and letters that are not taken for one another (Crockford's Base32). */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Fresh recovery codes: ten of 80 random bits each, as `XXXX-XXXX-XXXX-XXXX`. */
export function createRecoveryCodes(random: Random): readonly string[] {
  return Array.from({ length: count }, () => toText(random(bytes)));
}

function toText(value: Uint8Array): string {
  const bits = Array.from(value, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]);
  return letters.join("").replace(/(.{4})(?=.)/g, "$1-");
}

/** The digests of codes, sealed together: neither a storage nor a secret alone is enough to guess at a code. */
export function sealRecoveryCodes(sealer: Sealer, userId: string, codes: readonly string[]): string {
  return sealDigests(sealer, userId, codes.map(toDigest));
}

function sealDigests(sealer: Sealer, userId: string, digests: readonly string[]): string {
  return sealer.seal(JSON.stringify(digests), placeOf(userId));
}

/** How many codes there are that were not used. */
export function countRecoveryCodes(sealer: Sealer, userId: string, sealed: string | undefined): number {
  return openDigests(sealer, userId, sealed).length;
}

/** What is left when a code is used, however it is spelt; undefined when it is none of these. */
export function removeRecoveryCode(sealer: Sealer, userId: string, sealed: string | undefined, code: string): string | undefined {
  const digests = openDigests(sealer, userId, sealed);
  const used = toDigest(code);
  return digests.includes(used)
    ? sealDigests(
        sealer,
        userId,
        digests.filter((digest) => digest !== used),
      )
    : undefined;
}

function openDigests(sealer: Sealer, userId: string, sealed: string | undefined): readonly string[] {
  return sealed === undefined ? [] : (JSON.parse(sealer.open(sealed, placeOf(userId))) as readonly string[]);
}

// What people write by hand: small letters, other separators, O for 0, I and L for 1.
function toDigest(code: string): string {
  const plain = code.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  return digestSecret(plain);
}

function placeOf(userId: string): SealedLocation {
  return sealedLocationOf("users", userId, "recoveryCodes");
}
