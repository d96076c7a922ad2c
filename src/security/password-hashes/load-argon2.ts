import { findPackage, loadPackage } from "../../shared/packages.js";

const name = "@node-rs/argon2";
const user = "latchkey";

/** Resolves the library without loading it. @throws TypeError that says how to install it. */
export const findArgon2 = (): string => findPackage(import.meta.url, name, user);

/** Loads the Argon2 library with the first password: the native module would slow down every start. */
export const loadArgon2 = (): typeof import("@node-rs/argon2") => loadPackage(import.meta.url, name, user);
