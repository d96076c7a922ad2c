import { generateKeyPairSync, randomBytes } from "node:crypto";

const spki = { type: "spki", format: "pem" } as const;
const pkcs8 = { type: "pkcs8", format: "pem" } as const;

/** A passkey of another system. */
export function toPasskey(userId: string) {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256", publicKeyEncoding: spki, privateKeyEncoding: pkcs8 });
  const credentialId = randomBytes(32).toString("base64url");
  const relyingPartyId = "example.com";
  return { algorithm: "ES256" as const, credentialId, displayName: "Phone of Ada", publicKey, relyingPartyId, userId };
}
