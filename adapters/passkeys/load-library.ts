import { createRequire } from "node:module";

/** The part of the library that checks answers. */
export type Library = typeof import("@simplewebauthn/server");
/** The part of the library that reads CBOR. */
export type Helpers = typeof import("@simplewebauthn/server/helpers");

const name = "@simplewebauthn/server";
const advice = `latchkey/passkeys needs the package ${name}, which is not installed: npm install ${name}`;

/** @throws TypeError with the command that installs the library, where it is not installed. Loads nothing. */
export function assertInstalled(): void {
  try {
    createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new TypeError(advice, { cause });
  }
}

let loading: Promise<Library & Helpers> | undefined;

/** The library, loaded with the first answer that is checked. */
export function loadLibrary(): Promise<Library & Helpers> {
  loading ??= Promise.all([import("@simplewebauthn/server"), import("@simplewebauthn/server/helpers")]).then(
    ([library, helpers]) => ({ ...library, ...helpers }),
  );
  return loading;
}
