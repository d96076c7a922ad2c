import type { Random } from "../../ports/runtime.js";
import type { SecureGenerator } from "../../records/settings/tenant-settings.js";

// Without look-alike letters and digits.
const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const alphabets = { randomAlpha: letters, randomAlphaNumeric: `${letters}23456789`, randomDigits: "0123456789" };

/** Generates an id or code; each character is equally likely. */
export function generate(random: Random, { length, type }: SecureGenerator): string {
  if (type === "randomBytes") return Buffer.from(random(length)).toString("base64url");
  const alphabet = alphabets[type];
  let text = "";
  while (text.length < length) text += random(length).reduce((part, byte) => part + characterOf(byte, alphabet), "");
  return text.slice(0, length);
}

// Skips bytes above the last multiple of the alphabet's length: they would favor the first characters.
function characterOf(byte: number, alphabet: string): string {
  return byte < 256 - (256 % alphabet.length) ? (alphabet[byte % alphabet.length] ?? "") : "";
}
