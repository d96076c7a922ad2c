import { readFileSync } from "node:fs";
import * as module from "node:module";

/**
 * The body of a lambda in a file. Of a file that ends in `.ts` the types are taken out, which needs Node 22.13; `import type` goes with
 * them, and there can be no other import or export.
 * @throws Error when there is no such file, or its types cannot be taken out.
 */
export function readLambdaBody(file: string | URL): string {
  const text = readFileSync(file, "utf8");
  return String(file).endsWith(".ts") ? withoutTypes(text) : text;
}

function withoutTypes(text: string): string {
  if (typeof module.stripTypeScriptTypes !== "function")
    throw new Error("Bodies in TypeScript need Node 22.13 or later. Compile the file, and load what comes of it.");
  return module.stripTypeScriptTypes(text);
}
