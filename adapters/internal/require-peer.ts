import { createRequire } from "node:module";

/** Loads an optional peer when it is first needed. @throws Error that says who needs the package and how to install it. */
export function requirePeer<Library>(name: string, user: string): Library {
  try {
    return createRequire(import.meta.url)(name);
  } catch (error) {
    throw new Error(adviceOf(name, user), { cause: error });
  }
}

/** Finds an optional peer, and loads nothing of it. @throws TypeError that says who needs the package and how to install it. */
export function assertPeer(name: string, user: string): void {
  try {
    createRequire(import.meta.url).resolve(name);
  } catch (error) {
    throw new TypeError(adviceOf(name, user), { cause: error });
  }
}

function adviceOf(name: string, user: string): string {
  return `${user} needs the package ${name}: npm install ${name}`;
}
