import type { OperationCall } from "../../operations/operation.js";
import { digestSecret, type SealedLocation, type Sealer, sealedLocationOf } from "../../security/seal.js";
import { foldOneTimeCode } from "./one-time-code.js";

/** Seals the TOTP key of a user. */
export function sealKey({ service }: OperationCall, userId: string, key: Uint8Array): string {
  return service.sealer.seal(Buffer.from(key).toString("base64url"), locationOfKey(userId));
}

/** The sealed location of a user's keys and codes. */
export function locationOfKey(userId: string): SealedLocation {
  return sealedLocationOf("users", userId, "twoFactor");
}

/** Seals the digests of recovery codes together: an attacker needs both the storage and the secret to guess a code. */
export function sealRecoveryDigests(sealer: Sealer, userId: string, digests: readonly string[]): string {
  return sealer.seal(JSON.stringify(digests), placeOfCodes(userId));
}

/** The digest of a recovery code in any spelling. */
export function digestRecoveryCode(code: string): string {
  // Letters that people write for digits: O for 0, I and L for 1.
  const plain = foldOneTimeCode(code).replaceAll("O", "0").replace(/[IL]/g, "1");
  return digestSecret(plain);
}

/** The sealed location of a user's recovery codes. */
export function placeOfCodes(userId: string): SealedLocation {
  return sealedLocationOf("users", userId, "recoveryCodes");
}
