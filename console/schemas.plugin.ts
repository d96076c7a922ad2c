import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

interface Schema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [member: string]: unknown;
}

const name = "virtual:schemas";
const ends = /(Patch|Request)$/;
const left = /(Search|Export|Import|Login|Test|Preview|Send|Start|Update|Remove|Validate)\w*Request$/;

/** Provides the module `virtual:schemas`: the schemas of request bodies in the OpenAPI document, for forms. */
export const schemas: Plugin = {
  name: "schemas",
  resolveId: (id) => (id === name ? `\0${name}` : undefined),
  load(id) {
    if (id !== `\0${name}`) return undefined;
    const path = join(import.meta.dirname, "../openapi.json");
    this.addWatchFile(path);
    const all: Readonly<Record<string, Schema>> = JSON.parse(readFileSync(path, "utf8")).components.schemas;
    const kept = new Set<string>();
    const names = Object.keys(all).filter((found) => ends.test(found) && !left.test(found));
    // A `Patch` schema describes the members already. Of the matching `Request` schema, forms need only the required ones.
    const patched = names.filter(
      (found) => found.replace(ends, "Patch") !== found && all[found.replace(ends, "Patch")] !== undefined,
    );
    for (const found of names) if (!patched.includes(found)) keep(found, all, kept);
    const part = Object.fromEntries([...kept].sort().map((found) => [found, all[found]]));
    for (const found of patched) part[found] = toRequired(all[found] ?? {});
    return `export default JSON.parse(${JSON.stringify(JSON.stringify(part))});`;
  },
};

function toRequired({ properties = {} }: Schema): Schema {
  const members = Object.entries(properties).filter(([, { required }]) => required !== undefined);
  return { properties: Object.fromEntries(members.map(([name, { required = [] }]) => [name, { required }])) };
}

function keep(found: string, all: Readonly<Record<string, Schema>>, kept: Set<string>): void {
  if (kept.has(found)) return;
  kept.add(found);
  for (const [, target] of JSON.stringify(all[found]).matchAll(/"#\/components\/schemas\/(\w+)"/g))
    if (target !== undefined) keep(target, all, kept);
}
