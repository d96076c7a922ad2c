/** What the site needs to know of the API reference that TypeDoc writes to temp/site/api/. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };

/** The modules of the package that have a page, in the order of `exports`, with their addresses. */
export function listModules(): { text: string; link: string }[] {
  return Object.keys(manifest.exports)
    .map((path) => path.replace(/^\./, "latchkey"))
    .filter((name) => existsSync(join(import.meta.dirname, "../../temp/site/api", name, "index.md")))
    .map((name) => ({ text: name, link: `/api/${name}/` }));
}
