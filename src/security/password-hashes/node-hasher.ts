import type { PasswordHasher } from "../../ports/runtime.js";
import { type Lazy, lazily } from "../../shared/async.js";
import { loadArgon2 } from "./load-argon2.js";

/** Loads the other hashes: only those that were imported need them. */
export const loadOtherHashes: Lazy<typeof import("./compute-hash.js")> = lazily(() => import("./compute-hash.js"));

/** Hashes on the threads of Node and of the library for Argon2, and others on a thread of this process. */
export const nodePasswordHasher: PasswordHasher = {
  hash: (password, { memoryKib, passes, salt }) =>
    loadArgon2().hash(password, { memoryCost: memoryKib, timeCost: passes, parallelism: 1, salt }),
  verify: async (password, hash) => {
    if (hash.startsWith("$argon2")) return loadArgon2().verify(hash, password);
    return (await loadOtherHashes()).matchesHash(password, hash);
  },
  digest: async (password, like) => (await loadOtherHashes()).digestLike(password, like),
};
