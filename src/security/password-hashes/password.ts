import { lazily } from "../../shared/async.js";
import type { HostPasswords } from "./host-passwords.js";
import { loadArgon2 } from "./load-argon2.js";
import { normalizePassword } from "./normalize-password.js";

// Only hashes that were imported need the rest.
const loadOthers = lazily(() => import("./compute-hash.js"));

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

/** How many bytes of a password bcrypt reads. */
export const bcryptBytes = 72;

// Other formats give bcrypt a digest of the password.
const isPlainBcrypt = (hashed: string): boolean => /^(?:bcrypt\$)?\$2[abxy]\$/.test(hashed);

/** Passwords with hashes of this cost, and of the schemes that the host brings along. */
export function createPasswords(cost: HashOptions = defaultHashOptions, host?: HostPasswords): Passwords {
  const { memoryKib, passes } = cost;
  // Of the same cost, and the hash of no password that anybody will find.
  const nobodysHash = `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$${"A".repeat(22)}$${"A".repeat(43)}`;
  const matches = async (password: string, hashed: string): Promise<boolean> => {
    if (hashed.startsWith("$argon2")) return loadArgon2().verify(hashed, password);
    return host?.matches(password, hashed) ?? (await loadOthers()).matchesHash(password, hashed);
  };
  return {
    hash: (password) =>
      loadArgon2().hash(normalizePassword(password), { memoryCost: memoryKib, timeCost: passes, parallelism: 1 }),
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
