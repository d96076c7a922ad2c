// After the first families, adding one must be an afternoon: a row, a schema and rules, listed in one place.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { familyOperations, routes, tables } from "../../src/families/index.js";
import { root } from "./source-files.js";

const folder = join(root, "src/records");

/** Folders of what several families have. */
const shared = ["factors", "schemas", "settings"];

const families = readdirSync(folder, { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && !shared.includes(entry.name),
);

/** What the records of a family have beside the two files. */
const furtherFiles: Readonly<Record<string, readonly string[]>> = {
  connectors: ["built-in-connector.ts"],
  "bulk-users": ["export-schema.ts", "refresh-token-schema.ts"],
  "identity-providers": ["fields.ts", "login-schema.ts", "types.ts"],
  passkeys: ["public-key.ts", "web-authn.ts"],
  tenants: ["lambda-secrets.ts", "lambda-values.ts"],
  themes: ["theme-rules.ts"],
  users: ["login-id-types.ts", "username-status.ts", "verified-reason.ts"],
};

for (const family of families)
  test(`the records of ${family.name} consist of their row and schema, and what the list says`, () => {
    const files = readdirSync(join(folder, family.name)).sort();
    expect(files).toEqual(["family.ts", "schema.ts", ...(furtherFiles[family.name] ?? [])].sort());
  });

const listOf = (area: string): string =>
  readdirSync(join(root, "src", area))
    .filter((name) => name.endsWith("families.ts"))
    .map((name) => readFileSync(join(root, "src", area, name), "utf8"))
    .join("");

test("every family has its rules in one area", () => {
  const areas = readdirSync(join(root, "src")).filter((area) => existsSync(join(root, "src", area, "families.ts")));
  const names = areas.flatMap((area) =>
    // The areas of lambdas and of the system have one family.
    [...listOf(area).matchAll(/"\.\/(?:([\w-]+)\/)?rules\.js"/g)].map(([, name = area]) => name),
  );
  expect(names.toSorted()).toEqual(families.map(({ name }) => name).toSorted());
});

test("every family is registered, and has tests of its own", () => {
  expect(Object.keys(familyOperations)).toHaveLength(families.length);
  for (const family of families)
    expect(
      readdirSync(join(root, "test/resources")).some((name) => name.startsWith(family.name)),
      family.name,
    ).toBe(true);
});

test("every operation can be reached by a route", () => {
  const reached = new Set(routes.map((route) => route.target.name));
  const all = Object.values(familyOperations).flatMap((operations) => Object.values(operations as object));
  expect(all.map((operation) => operation.name).filter((name) => !reached.has(name))).toEqual([]);
});

test("the path of a route is made of names and parameters", () => {
  for (const { path } of routes) expect(path).toMatch(/^(\/:?[\w.-]+)+$/);
});

test("operations are named by their place in the in-process API", () => {
  for (const [family, operations] of Object.entries(familyOperations))
    for (const [verb, operation] of Object.entries(operations as object)) expect(operation.name).toBe(`${family}.${verb}`);
});

test("tables stand behind those that they refer to", () => {
  const names = tables.map((table) => table.name);
  for (const [position, table] of tables.entries())
    for (const column of Object.values(table.columns))
      if (column.references?.isEnforced !== false && column.references !== undefined)
        expect(names.slice(0, position)).toContain(column.references.table);
});

test("every published subpath has its source and its declaration entry", async () => {
  const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
  for (const [subpath, entry] of Object.entries(manifest.exports)) {
    if (typeof entry === "string") continue;
    expect(entry.types).toBe(entry.default.replace(/\.js$/, ".d.ts"));
    const sources = subpath === "." ? ["src"] : [`adapters/${subpath}`, `test/${subpath}`];
    expect(
      sources.some((source) => existsSync(join(root, source, "index.ts"))),
      subpath,
    ).toBe(true);
  }
});
