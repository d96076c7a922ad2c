import { createCipheriv, pbkdf2, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { RoundsTask } from "./hash-thread.js";
import { loadArgon2 } from "./load-argon2.js";
import { parseHash } from "./parse-hash.js";
import type { PasswordHash } from "./password-hash.js";
import { runInThread } from "./run-in-thread.js";

export { hashWithScheme, toSchemeSalt } from "./schemes.js";

/** A hash that is compared by its bytes. */
type ComputedHash = Exclude<PasswordHash, { readonly kind: "argon2" }>;

/** Whether a password matches a hash of any known format. Computed outside of the event loop. */
export async function matchesHash(password: string, text: string): Promise<boolean> {
  const parsed = parseHash(text);
  if (parsed === undefined) return false;
  if (parsed.kind === "argon2") return loadArgon2().verify(parsed.text, password);
  const computed = await computeHash(parsed, password);
  return computed?.length === parsed.hash.length && timingSafeEqual(computed, parsed.hash);
}

/** Hashes a password with the format, cost and salt of another hash; undefined for Argon2 and for unknown formats. */
export async function digestLike(password: string, text: string): Promise<Uint8Array | undefined> {
  const parsed = parseHash(text);
  return parsed === undefined || parsed.kind === "argon2" ? undefined : computeHash(parsed, password);
}

/** The bytes of a password with the parameters of a hash, in the length of that hash. */
async function computeHash(like: ComputedHash, password: string): Promise<Uint8Array | undefined> {
  switch (like.kind) {
    case "bcrypt":
      return runInThread({ kind: "bcrypt", salt: like.salt, password: like.prepare(password) });
    case "pbkdf2":
      return promisify(pbkdf2)(password, like.salt, like.rounds, like.hash.length, like.digest);
    case "scrypt":
      return computeScrypt(like, password);
    default:
      return computeRounds(like, password);
  }
}

type RoundsHash = Extract<ComputedHash, { kind: RoundsTask["kind"] }>;

async function computeRounds(like: RoundsHash, password: string): Promise<Uint8Array | undefined> {
  const { digest, encoding, isSaltFirst, kind, rounds, salt } = like;
  const bytes = Buffer.from(password, encoding);
  const message = Buffer.concat(isSaltFirst ? [salt, bytes] : [bytes, salt]);
  const key = kind === "phpass" ? bytes : (like.key ?? Buffer.alloc(0));
  const result = await runInThread({ kind, digest, rounds, message, key });
  // Some systems truncate the digest.
  return kind === "phpass" ? result?.subarray(0, like.hash.length) : result;
}

function computeScrypt(like: Extract<ComputedHash, { kind: "scrypt" }>, password: string): Promise<Uint8Array> {
  const { blockSize, cost, hash, lanes, salt, signerKey } = like;
  const options = { cost, blockSize, parallelization: lanes, maxmem: 128 * blockSize * (cost + lanes + 2) };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, signerKey === undefined ? hash.length : 64, options, (error, key) => {
      if (error !== null) reject(error);
      else
        resolve(
          signerKey === undefined ? key : createCipheriv("aes-256-ctr", key.subarray(0, 32), Buffer.alloc(16)).update(signerKey),
        );
    });
  });
}
