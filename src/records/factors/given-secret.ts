import type { FieldErrorKind } from "../../errors/codes.js";
import { isGiven } from "../../shared/text.js";
import { secretBytes } from "./totp.js";

/** The secret of an authenticator app in one of its encodings. */
export interface GivenSecret {
  /** The key as a text of 10 to 512 bytes in UTF-8. */
  readonly secret?: string | undefined;
  /** The key in Base32, as apps read it: in any case, with or without blanks and padding. */
  readonly secretBase32Encoded?: string | undefined;
  /** The key in Base64. */
  readonly secretBase64Encoded?: string | undefined;
}

/** A fault of a secret, by member. */
export interface SecretFault {
  readonly field: keyof GivenSecret;
  readonly kind: FieldErrorKind;
  readonly explanation: string;
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const { max, min } = secretBytes;
const encodings = `[secret] is the key as a text, [secretBase32Encoded] its bytes as apps read them, [secretBase64Encoded] its bytes in Base64: ${min} to ${max} bytes.`;

/** Decodes a Base32 text to a key; ignores case, blanks, hyphens and padding. Undefined when it is not Base32. */
export function parseBase32(text: string): Uint8Array | undefined {
  const bytes: number[] = [];
  let [bits, width] = [0, 0];
  for (const letter of text.replace(/[\s=-]/g, "").toUpperCase()) {
    const value = letters.indexOf(letter);
    if (value < 0) return undefined;
    bits = (bits << 5) | value;
    width += 5;
    if (width < 8) continue;
    width -= 8;
    bytes.push(bits >> width);
    bits &= (1 << width) - 1;
  }
  // Fewer than five bits remain, all of them zero.
  return width < 5 && bits === 0 ? Uint8Array.from(bytes) : undefined;
}

function parseBase64(text: string): Uint8Array | undefined {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, "base64") : undefined;
}

const readers = {
  secretBase64Encoded: parseBase64,
  secretBase32Encoded: parseBase32,
  secret: (text) => Buffer.from(text),
} as const satisfies Record<keyof GivenSecret, (text: string) => Uint8Array | undefined>;

/** The members for a secret, by encoding. */
export const secretNames: readonly (keyof GivenSecret)[] = Object.keys(readers) as (keyof GivenSecret)[];

/** Returns the key in a secret; undefined without one. */
export function keyOfSecret(given: GivenSecret): Uint8Array | undefined {
  const field = secretNames.find((name) => isGiven(given[name]));
  return field && readers[field](given[field] ?? "");
}

/**
 * Returns the fault of a secret: undecodable, contradictory, of a wrong length, or probably of another encoding. Undefined for
 * none.
 */
export function faultOfSecret(given: GivenSecret): SecretFault | undefined {
  const key = keyOfSecret(given);
  for (const field of secretNames) {
    const text = given[field];
    if (!isGiven(text)) continue;
    const bytes = readers[field](text);
    const isOther = bytes !== undefined && key !== undefined && !Buffer.from(bytes).equals(key);
    if (bytes === undefined || isOther) return { field, kind: "invalid", explanation: encodings };
    if (bytes.length < min) return { field, kind: "tooShort", explanation: encodings };
    if (bytes.length > max) return { field, kind: "tooLong", explanation: encodings };
    if (field === "secret" && isLikeBase32(text))
      return { field, kind: "invalid", explanation: `This is Base32: pass it as [secretBase32Encoded]. ${encodings}` };
  }
  return undefined;
}

// Secrets of the service have 20 characters. A caller that means the text itself passes its bytes in Base64.
function isLikeBase32(text: string): boolean {
  return text.length >= 16 && text.length !== 20 && /^[A-Z2-7]+=*$/.test(text) && parseBase32(text) !== undefined;
}
