import type { Random } from "../ports/runtime.js";
import { createRuntime } from "../shared/default-runtime.js";

const prefix = "lk_";

/**
 * A fresh API key value: `lk_`, 256 random bits in base64url and eight characters of check sum, by which a secret
 * scanner can distinguish a real key from a random text (docs/reference/api-keys.md#keys-at-rest).
 */
export function generateApiKey(random: Random = createRuntime().random): string {
  const body = prefix + Buffer.from(random(32)).toString("base64url");
  return body + checkSum(body);
}

/** Whether a text has the shape and the check sum of a generated key. */
export function isGeneratedApiKey(text: string): boolean {
  return /^lk_[\w-]{51}$/.test(text) && text.slice(-8) === checkSum(text.slice(0, -8));
}

function checkSum(body: string): string {
  // Asked for here: a start that makes no key need not load the whole module.
  return process.getBuiltinModule("node:zlib").crc32(body).toString(16).padStart(8, "0");
}

/** A fresh client secret: 256 random bits in base64url. */
export function generateClientSecret(random: Random): string {
  return Buffer.from(random(32)).toString("base64url");
}
