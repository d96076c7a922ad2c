import { findPackage, loadPackage } from "latchkey/ports";

/** The part of the library that checks answers. */
export type Library = typeof import("@simplewebauthn/server");
/** The part of the library that reads CBOR. */
export type Helpers = typeof import("@simplewebauthn/server/helpers");

const user = "latchkey/passkeys";

/** @throws TypeError with the command that installs the library, where it is not installed. Loads nothing. */
export function assertInstalled(): void {
  findPackage(import.meta.url, "@simplewebauthn/server", user);
}

let loaded: (Library & Helpers) | undefined;

/** The library, loaded with the first answer that is checked. */
export function loadLibrary(): Library & Helpers {
  loaded ??= {
    ...loadPackage<Library>(import.meta.url, "@simplewebauthn/server", user),
    ...loadPackage<Helpers>(import.meta.url, "@simplewebauthn/server/helpers", user),
  };
  return loaded;
}
