import type { Random } from "../ports/runtime.js";
import { createRuntime } from "../shared/default-runtime.js";

const prefix = "lk_";

/**
 * Generates an API key: `lk_`, 256 random bits in base64url and eight characters of check sum, by which secret scanners
 * distinguish real keys from random texts (docs/reference/api-keys.md#keys-at-rest).
 */
export function generateApiKey(random: Random = createRuntime().random): string {
  const body = prefix + Buffer.from(random(32)).toString("base64url");
  return body + checkSum(body);
}

/** Whether a text has the format and the check sum of a generated key. */
export function isGeneratedApiKey(text: string): boolean {
  return /^lk_[\w-]{51}$/.test(text) && text.slice(-8) === checkSum(text.slice(0, -8));
}

function checkSum(body: string): string {
  // Loaded here: a start without new keys does not need the complete module.
  return process.getBuiltinModule("node:zlib").crc32(body).toString(16).padStart(8, "0");
}

/** Generates a client secret: 256 random bits in base64url. */
export function generateClientSecret(random: Random): string {
  return Buffer.from(random(32)).toString("base64url");
}
