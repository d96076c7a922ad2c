import { hash } from "node:crypto";

/**
 * The digest by which a high-entropy secret is looked up: SHA-256, in base64url. A guess cannot be steered towards a
 * digest, so comparing digests by index leaks nothing about the secret.
 */
export function digestSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}
