import type { Random } from "../ports/runtime.js";

/** A fresh client secret: 256 random bits in base64url. */
export function generateClientSecret(random: Random): string {
  return Buffer.from(random(32)).toString("base64url");
}
