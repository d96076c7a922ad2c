import { createPublicKey, type KeyObject } from "node:crypto";
import type { PasskeyAlgorithm } from "../../ports/passkeys.js";

/** The COSE numbers of passkey algorithms, in order of preference. */
export const coseAlgorithms: Readonly<Record<PasskeyAlgorithm, number>> = {
  ES256: -7,
  EdDSA: -8,
  ES384: -35,
  ES512: -36,
  RS256: -257,
  RS384: -258,
  RS512: -259,
};

/** The names of the algorithms. */
export const passkeyAlgorithms: readonly PasskeyAlgorithm[] = Object.keys(coseAlgorithms) as PasskeyAlgorithm[];

const rsaBits = { min: 2_048, max: 8_192 };

const isRsa = (key: KeyObject): boolean => {
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  return key.asymmetricKeyType === "rsa" && modulusLength >= rsaBits.min && modulusLength <= rsaBits.max;
};

const isOnCurve =
  (name: string) =>
  (key: KeyObject): boolean =>
    key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === name;

// An ECDSA signature does not determine its curve, so each algorithm allows exactly one (RFC 9864).
const isKeyOf: Readonly<Record<PasskeyAlgorithm, (key: KeyObject) => boolean>> = {
  ES256: isOnCurve("prime256v1"),
  EdDSA: (key) => key.asymmetricKeyType === "ed25519",
  ES384: isOnCurve("secp384r1"),
  ES512: isOnCurve("secp521r1"),
  RS256: isRsa,
  RS384: isRsa,
  RS512: isRsa,
};

/**
 * Returns a public key as normalized PEM: SubjectPublicKeyInfo. Undefined for other texts, and for a key that does not fit the
 * algorithm, such as another curve or RSA outside of 2,048 to 8,192 bits.
 */
export function toPasskeyPem(algorithm: PasskeyAlgorithm, pem: string): string | undefined {
  // `createPublicKey` would accept a private key and derive the public half.
  if (!pem.trimStart().startsWith("-----BEGIN PUBLIC KEY-----")) return undefined;
  try {
    const key = createPublicKey(pem);
    return isKeyOf[algorithm](key) ? String(key.export({ format: "pem", type: "spki" })) : undefined;
  } catch {
    return undefined;
  }
}
