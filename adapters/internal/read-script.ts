import { readFileSync } from "node:fs";
import * as module from "node:module";

/**
 * Reads a script; strips the types of a `.ts` file and keeps all positions.
 * @throws Error where Node cannot strip types, and for syntax beyond types.
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
