/** `npm run requirements`: prints each rule with the section that states it and the tests that show it, from the registry and the tests. */
import "../test/storage/support/resolve-sources.ts";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const { requirements } = await import("../test/requirements.ts");
const shown = new Map<string, string[]>();

for (const file of globSync("test/**/*.test.ts", { cwd: root }).sort())
  for (const [, ids = "", plain, template] of readFileSync(join(root, file), "utf8").matchAll(
    /\brequirement\(\s*("[^"]+"|\[[^\]]*\]),\s*(?:"([^"]*)"|`([^`]*)`)?/g,
  ))
    for (const [, id = ""] of ids.matchAll(/"([^"]+)"/g))
      shown.set(id, [...(shown.get(id) ?? []), `${file}: ${plain ?? template ?? "a name that is computed"}`]);

for (const [id, section] of Object.entries(requirements)) {
  console.log(`${id} (${section})`);
  for (const test of shown.get(id) ?? []) console.log(`  ${test}`);
}
console.log(`${Object.keys(requirements).length} rules, ${shown.size} of them shown by a test.`);
