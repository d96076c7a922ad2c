import { findPackage, loadPackage } from "latchkey/ports";

/** The part of the library that verifies responses. */
export type Library = typeof import("@simplewebauthn/server");
/** The part of the library that reads CBOR. */
export type Helpers = typeof import("@simplewebauthn/server/helpers");

const user = "latchkey/passkeys";

/**
 * Checks the installation and loads nothing.
 * @throws TypeError when the library is not installed, with the command that installs it.
 */
export function assertInstalled(): void {
  findPackage(import.meta.url, "@simplewebauthn/server", user);
}

let loaded: (Library & Helpers) | undefined;

/** Returns the library, loaded at the first verification. */
export function loadLibrary(): Library & Helpers {
  loaded ??= {
    ...loadPackage<Library>(import.meta.url, "@simplewebauthn/server", user),
    ...loadPackage<Helpers>(import.meta.url, "@simplewebauthn/server/helpers", user),
  };
  return loaded;
}
