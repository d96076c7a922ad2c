import { createRequire } from "node:module";

/** Loads an optional peer when it is first needed. @throws Error that says who needs the package and how to install it. */
export function requirePeer<Library>(name: string, user: string): Library {
  try {
    return createRequire(import.meta.url)(name);
  } catch (error) {
    throw new Error(`${user} needs the package ${name}: npm install ${name}`, { cause: error });
  }
}
