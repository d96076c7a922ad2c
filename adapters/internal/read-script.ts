import { readFileSync } from "node:fs";
import * as module from "node:module";

/**
 * Reads a script: of a `.ts` file what is left without its types, at the same places.
 * @throws Error where Node cannot take types away, and for syntax that is more than types.
 */
export function readScript(file: string | URL): string {
  const text = readFileSync(file, "utf8");
  return String(file).endsWith(".ts") ? withoutTypes(text) : text;
}

function withoutTypes(text: string): string {
  if (typeof module.stripTypeScriptTypes !== "function")
    throw new Error("Bodies in TypeScript need Node 22.13 or later. Compile the file, and load what comes of it.");
  return module.stripTypeScriptTypes(text);
}
