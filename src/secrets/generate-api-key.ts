import { crc32 } from "node:zlib";
import type { Random } from "../ports/runtime.js";

const prefix = "lk_";

/**
 * A fresh API key value: `lk_`, 256 random bits in base64url and eight of check sum, by which a secret
 * scanner can tell a real key from a random text (decisions.md, Keys at rest).
 */
export function generateKeyValue(random: Random): string {
  const body = prefix + Buffer.from(random(32)).toString("base64url");
  return body + checkSum(body);
}

/** Whether a text has the shape and the check sum of a generated key. */
export function isGeneratedKeyValue(text: string): boolean {
  const body = text.slice(0, -8);
  return /^lk_[\w-]{51}$/.test(text) && text.slice(-8) === checkSum(body);
}

function checkSum(body: string): string {
  return crc32(body).toString(16).padStart(8, "0");
}
