import type { PasswordHasher, Random } from "../../ports/runtime.js";
import { createRuntime } from "../../shared/default-runtime.js";
import type { HostPasswords } from "./host-passwords.js";
import { loadOtherHashes, nodePasswordHasher } from "./node-hasher.js";
import { normalizePassword } from "./normalize-password.js";
import { bcryptBytes, type EncryptionScheme } from "./scheme-names.js";

/** The cost of an Argon2id hash with one lane. */
export interface HashOptions {
  /** Memory of one hash, in KiB. */
  readonly memoryKib: number;
  /** Passes over that memory. */
  readonly passes: number;
}

/** The minimum of OWASP for Argon2id with one lane. */
export const defaultHashOptions: HashOptions = { memoryKib: 19_456, passes: 2 };

/** Hashes and checks passwords. */
export interface Passwords {
  /**
   * Returns a salted Argon2id hash of the normalized password in PHC form. Takes some milliseconds on another thread: call it
   * outside of transactions.
   */
  hash(password: string): Promise<string>;
  /**
   * Returns a salted hash of the unchanged password by a scheme of the reference; undefined if the scheme does not allow the
   * factor.
   */
  hashWithScheme(password: string, scheme: EncryptionScheme, factor?: number): Promise<string | undefined>;
  /**
   * Whether a password matches a hash: normalized, or as typed, since earlier versions and other systems hash it so. Without a
   * hash it returns false after the same time.
   */
  verify(password: string, hashed?: string): Promise<boolean>;
  /**
   * Whether to hash a correct password again: the hash is weaker than those of {@link Passwords.hash}, or of another scheme.
   * Not if bcrypt read only the beginning of the password: the rest may be wrong.
   */
  isReplaceable(hashed: string, password: string): boolean;
  /** Whether a text is a hash of one of the host's schemes. */
  isOfHost(text: string): boolean;
}

// Other bcrypt formats hash a digest of the password.
const isPlainBcrypt = (hashed: string): boolean => /^(?:bcrypt\$)?\$2[abxy]\$/.test(hashed);

interface PasswordParts {
  /** Default: {@link defaultHashOptions}. */
  readonly cost?: HashOptions | undefined;
  /** Default: Node and the Argon2 library. */
  readonly hasher?: PasswordHasher | undefined;
  /** The schemes of the host. */
  readonly host?: HostPasswords | undefined;
  /** The source of salts. */
  readonly random?: Random | undefined;
}

/** Creates the password service with a cost for new hashes, and the schemes of the host. */
export function createPasswords(parts: PasswordParts = {}): Passwords {
  const { cost = defaultHashOptions, hasher = nodePasswordHasher, host, random = createRuntime().random } = parts;
  const { memoryKib, passes } = cost;
  // A hash of the same cost without a known password.
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
