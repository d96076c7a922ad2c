import type { PasswordHasher } from "../../ports/runtime.js";
import { parseHash, toPhpassText } from "./parse-hash.js";
import { maxRounds } from "./password-hash.js";
import { bcryptBytes, type EncryptionScheme } from "./scheme-names.js";

/** The properties of a scheme of the reference. */
interface Scheme {
  readonly defaultFactor: number;
  /** The minimum and the maximum factor. */
  readonly factors: readonly [lowest: number, highest: number];
  readonly needsSalt: boolean;
  /** The length of a hash in bytes. */
  readonly length: number;
}

const salted = { defaultFactor: 1, factors: [1, maxRounds.rounds], needsSalt: false } as const;
const stretched = { defaultFactor: 600_000, factors: [1, maxRounds.pbkdf2], needsSalt: true } as const;
const portable = { defaultFactor: 32_768, factors: [1, maxRounds.phpass], needsSalt: true } as const;

const schemes: Readonly<Record<EncryptionScheme, Scheme>> = {
  bcrypt: { defaultFactor: 10, factors: [4, maxRounds.bcryptCost], needsSalt: true, length: 31 },
  "phpass-md5": { ...portable, length: 16 },
  "phpass-sha512": { ...portable, length: 64 },
  "salted-hmac-sha256": { ...salted, length: 32 },
  "salted-md5": { ...salted, length: 16 },
  "salted-pbkdf2-hmac-sha256": { ...stretched, length: 32 },
  "salted-pbkdf2-hmac-sha256-512": { ...stretched, length: 64 },
  "salted-pbkdf2-hmac-sha512-512": { ...stretched, length: 64 },
  "salted-sha256": { ...salted, length: 32 },
};

/** A hash in parts, with the names of the reference. */
export interface HashParts {
  readonly encryptionScheme: EncryptionScheme;
  readonly factor?: number | undefined;
  readonly salt: string;
  readonly hash: string;
}

/** The sentence about the allowed factors of a scheme, for error messages. */
export function describeFactors(scheme: EncryptionScheme): string {
  const [lowest, highest] = schemes[scheme].factors;
  return `The factor of [${scheme}] is a number from ${lowest} to ${highest}.`;
}

/** Whether a hash in parts needs a salt. */
export function needsSalt(scheme: EncryptionScheme): boolean {
  return schemes[scheme].needsSalt;
}

/** Joins a hash in parts; undefined if the parts do not fit the scheme. */
export function toHashText({ encryptionScheme, factor, hash, salt }: HashParts): string | undefined {
  const { defaultFactor, length } = schemes[encryptionScheme];
  const rounds = factor ?? defaultFactor;
  const isBcrypt = encryptionScheme === "bcrypt";
  const text = isBcrypt
    ? `$2a$${String(rounds).padStart(2, "0")}$${salt}${hash}`
    : `${encryptionScheme}$${rounds}$${salt}$${hash}`;
  const parsed = parseHash(text);
  if (parsed === undefined || parsed.kind === "argon2") return undefined;
  return parsed.hash.length === length || encryptionScheme === "phpass-sha512" ? text : undefined;
}

/**
 * Whether a scheme reads the complete password: bcrypt reads 72 bytes, so every longer password with the same beginning would
 * match.
 */
export function isWithinScheme(password: string, encryptionScheme: EncryptionScheme): boolean {
  return encryptionScheme !== "bcrypt" || Buffer.byteLength(password) <= bcryptBytes;
}

/** Hashes a password with a scheme and a salt; undefined if the scheme does not allow the factor. */
export async function hashWithScheme(
  hasher: PasswordHasher,
  password: string,
  parts: Omit<HashParts, "hash">,
): Promise<string | undefined> {
  const { encryptionScheme } = parts;
  const { length } = schemes[encryptionScheme];
  const isPhpass = encryptionScheme.startsWith("phpass");
  const toText = (bytes: Uint8Array): string => {
    if (encryptionScheme === "bcrypt") return Buffer.from(bytes).toString("latin1");
    return isPhpass ? toPhpassText(bytes) : Buffer.from(bytes).toString("base64");
  };
  const like = toHashText({ ...parts, hash: toText(Buffer.alloc(length, "A")) });
  const hash = like && (await hasher.digest(password, like));
  return hash && toHashText({ ...parts, hash: toText(hash) });
}

/** Encodes 16 random bytes as the salt of a scheme. */
export function toSchemeSalt(encryptionScheme: EncryptionScheme, bytes: Uint8Array): string {
  // The last letter of a bcrypt salt encodes two bits: a dot for zeros.
  if (encryptionScheme === "bcrypt") return `${toPhpassText(bytes).slice(0, 21)}.`;
  return encryptionScheme.startsWith("phpass") ? toPhpassText(bytes).slice(0, 8) : Buffer.from(bytes).toString("base64");
}
