import type { PasswordHasher } from "../../ports/runtime.js";
import { type Lazy, lazily } from "../../shared/async.js";
import { loadArgon2 } from "./load-argon2.js";

/** Loads the hash formats that only imported hashes need. */
export const loadOtherHashes: Lazy<typeof import("./compute-hash.js")> = lazily(() => import("./compute-hash.js"));

/** Hashes with the threads of Node and of the Argon2 library; other formats in a worker of this process. */
export const nodePasswordHasher: PasswordHasher = {
  hash: (password, { memoryKib, passes, salt }) =>
    loadArgon2().hash(password, { memoryCost: memoryKib, timeCost: passes, parallelism: 1, salt }),
  verify: async (password, hash) => {
    if (hash.startsWith("$argon2")) return loadArgon2().verify(hash, password);
    return (await loadOtherHashes()).matchesHash(password, hash);
  },
  digest: async (password, like) => (await loadOtherHashes()).digestLike(password, like),
};
