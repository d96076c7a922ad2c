import type { OperationCall } from "../../operations/operation.js";
import { digestSecret, type SealedLocation, type Sealer, sealedLocationOf } from "../../security/seal.js";
import { foldOneTimeCode } from "./one-time-code.js";

/** Seals the key of codes for a user. */
export function sealKey({ service }: OperationCall, userId: string, key: Uint8Array): string {
  return service.sealer.seal(Buffer.from(key).toString("base64url"), locationOfKey(userId));
}

/** The place of the keys and codes of a user. */
export function locationOfKey(userId: string): SealedLocation {
  return sealedLocationOf("users", userId, "twoFactor");
}

/** The digests of recovery codes, sealed together: neither a storage nor a secret alone is enough to guess at a code. */
export function sealRecoveryDigests(sealer: Sealer, userId: string, digests: readonly string[]): string {
  return sealer.seal(JSON.stringify(digests), placeOfCodes(userId));
}

/** The digest of a recovery code, however it is spelt. */
export function digestRecoveryCode(code: string): string {
  // What people write by hand: O for 0, I and L for 1.
  const plain = foldOneTimeCode(code).replaceAll("O", "0").replace(/[IL]/g, "1");
  return digestSecret(plain);
}

/** The place of the recovery codes of a user. */
export function placeOfCodes(userId: string): SealedLocation {
  return sealedLocationOf("users", userId, "recoveryCodes");
}
