import type { PasswordHasher, Random } from "../../ports/runtime.js";
import { createRuntime } from "../../shared/default-runtime.js";
import type { HostPasswords } from "./host-passwords.js";
import { loadOtherHashes, nodePasswordHasher } from "./node-hasher.js";
import { normalizePassword } from "./normalize-password.js";
import { bcryptBytes, type EncryptionScheme } from "./scheme-names.js";

/** What a hash by Argon2id costs, with one lane. */
export interface HashOptions {
  /** Memory of one hash, in KiB. */
  readonly memoryKib: number;
  /** Passes over that memory. */
  readonly passes: number;
}

/** The lower bound that OWASP recommends for Argon2id with one lane. */
export const defaultHashOptions: HashOptions = { memoryKib: 19_456, passes: 2 };

/** How a service stores and checks passwords. */
export interface Passwords {
  /** A salted Argon2id hash in PHC form, of the normalized password. Takes some milliseconds on another thread: call it outside of transactions. */
  hash(password: string): Promise<string>;
  /** A salted hash of the password as it is by a scheme of the reference; undefined where the scheme does not take the factor. */
  hashWithScheme(password: string, scheme: EncryptionScheme, factor?: number): Promise<string | undefined>;
  /**
   * Whether the password is the one that was hashed: normalized, or as it was typed, as earlier versions and other systems hash it. Without a
   * hash it is not, and finding that out takes as long.
   */
  verify(password: string, hashed?: string): Promise<boolean>;
  /**
   * Whether a right password is to be hashed again: the hash is weaker than those that {@link Passwords.hash} makes, or of another kind. Not
   * where bcrypt has read no more than the beginning of the password: the rest may be wrong.
   */
  isReplaceable(hashed: string, password: string): boolean;
  /** Whether a text is a hash of one of the host's schemes. */
  isOfHost(text: string): boolean;
}

// Other formats give bcrypt a digest of the password.
const isPlainBcrypt = (hashed: string): boolean => /^(?:bcrypt\$)?\$2[abxy]\$/.test(hashed);

/** What passwords are hashed and checked with. */
interface PasswordParts {
  /** Default: {@link defaultHashOptions}. */
  readonly cost?: HashOptions | undefined;
  /** Default: Node and the library for Argon2. */
  readonly hasher?: PasswordHasher | undefined;
  /** The schemes of the host. */
  readonly host?: HostPasswords | undefined;
  /** Draws salts. */
  readonly random?: Random | undefined;
}

/** Passwords with hashes of a cost, and of the schemes that the host brings along. */
export function createPasswords(parts: PasswordParts = {}): Passwords {
  const { cost = defaultHashOptions, hasher = nodePasswordHasher, host, random = createRuntime().random } = parts;
  const { memoryKib, passes } = cost;
  // Of the same cost, and the hash of no password that anybody will find.
  const nobodysHash = `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$${"A".repeat(22)}$${"A".repeat(43)}`;
  const matches = async (password: string, hashed: string): Promise<boolean> =>
    host?.matches(password, hashed) ?? hasher.verify(password, hashed);
  return {
    hash: async (password) => hasher.hash(normalizePassword(password), { memoryKib, passes, salt: random(16) }),
    hashWithScheme: async (password, scheme, factor) => {
      const { toSchemeSalt, hashWithScheme } = await loadOtherHashes();
      const salt = toSchemeSalt(scheme, random(16));
      return hashWithScheme(hasher, password, { encryptionScheme: scheme, factor, salt });
    },
    async verify(password, hashed = nobodysHash) {
      const normalized = normalizePassword(password);
      return (await matches(normalized, hashed)) || (normalized !== password && matches(password, hashed));
    },
    isReplaceable(hashed, password) {
      if (isPlainBcrypt(hashed) && Buffer.byteLength(password) > bcryptBytes) return false;
      const [, memory, count] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(hashed) ?? [];
      return memory === undefined || Number(memory) < memoryKib || Number(count) < passes;
    },
    isOfHost: (text) => host?.accepts(text) ?? false,
  };
}
