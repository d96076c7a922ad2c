import type { Random } from "../../ports/runtime.js";
import type { SecureGenerator } from "../../records/settings/tenant-settings.js";

// Without the letters and digits that look alike.
const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const alphabets = { randomAlpha: letters, randomAlphaNumeric: `${letters}23456789`, randomDigits: "0123456789" };

/** A new id or code. Each character is equally likely. */
export function generate(random: Random, { length, type }: SecureGenerator): string {
  if (type === "randomBytes") return Buffer.from(random(length)).toString("base64url");
  const alphabet = alphabets[type];
  let text = "";
  while (text.length < length) text += random(length).reduce((part, byte) => part + characterOf(byte, alphabet), "");
  return text.slice(0, length);
}

// Bytes above the last multiple of the alphabet's length are left out: they would make the first characters likelier.
function characterOf(byte: number, alphabet: string): string {
  return byte < 256 - (256 % alphabet.length) ? (alphabet[byte % alphabet.length] ?? "") : "";
}
