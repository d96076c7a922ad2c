import { createRequire } from "node:module";

/** Loads the library for Argon2 with the first password: the native module would cost every start. */
export const loadArgon2 = (): typeof import("@node-rs/argon2") => createRequire(import.meta.url)("@node-rs/argon2");
