import { enableCompileCache, registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

// `node --import` this file lets a plain Node run the sources as they are: the package's own names lead to them, and an
// import of `./x.js` to `x.ts`. A child process of a test needs neither a build nor vitest then.

const root = new URL("../../../", import.meta.url);

// What one process has compiled the next one need not.
enableCompileCache(fileURLToPath(new URL("node_modules/.cache/latchkey-tests", root)));

function toSource(specifier: string, parent: string | undefined): string {
  if (specifier === "latchkey") return new URL("src/index.ts", root).href;
  if (specifier.startsWith("latchkey/") && !specifier.endsWith(".json"))
    return new URL(`adapters/${specifier.slice("latchkey/".length)}/index.ts`, root).href;
  const isOurs = specifier.startsWith(".") && parent?.startsWith(root.href) && !parent.includes("/node_modules/");
  return isOurs ? specifier.replace(/\.js$/, ".ts") : specifier;
}

registerHooks({
  resolve: (specifier, context, nextResolve) => nextResolve(toSource(specifier, context.parentURL), context),
});
