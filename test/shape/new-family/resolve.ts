// Lets Node run the TypeScript of a copy of the sources: files by the name of their output, and the package by its own name.
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "../../..");

registerHooks({
  resolve(specifier, context, next) {
    const name = /^latchkey(?:\/(.*))?$/.exec(specifier);
    if (name !== null) {
      const [, subpath] = name;
      return next(pathToFileURL(`${root}/${subpath === undefined ? "src" : `adapters/${subpath}`}/index.ts`).href, context);
    }
    if (!/^\..*\.js$/.test(specifier) || context.parentURL === undefined) return next(specifier, context);
    const url = new URL(specifier.replace(/js$/, "ts"), context.parentURL);
    return next(existsSync(fileURLToPath(url)) ? url.href : specifier, context);
  },
});
