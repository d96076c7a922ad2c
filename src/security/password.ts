import { createRequire } from "node:module";

// Loaded with the first password: the native module would cost every start.
const loadArgon2 = (): typeof import("@node-rs/argon2") => createRequire(import.meta.url)("@node-rs/argon2");

/** Cost of a password: Argon2id with 19 MiB, two passes, one lane – the lower bound that OWASP recommends. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A salted Argon2id hash in PHC form. Takes some milliseconds on another thread: call it outside of transactions. */
export function hashPassword(password: string): Promise<string> {
  return loadArgon2().hash(password, cost);
}

// Of the same cost, and the hash of no password that anybody will find.
const nobodysHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** Whether the password is the one that was hashed. Without a hash it is not, and finding that out takes as long. */
export function verifyPassword(password: string, hashed: string | undefined): Promise<boolean> {
  return loadArgon2().verify(hashed ?? nobodysHash, password);
}
