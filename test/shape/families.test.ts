// After the first families, adding one must be an afternoon: the same three files, listed in one place.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { familyOperations, routes, tables } from "../../src/resources/index.js";
import { root } from "./source-files.js";

const folder = join(root, "src/resources");
const families = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());

/** What a family has beside the three files, where its rules do more than one thing. */
const furtherFiles: Readonly<Record<string, readonly string[]>> = {
  "bulk-users": ["export-schema.ts", "refresh-token-schema.ts"],
  forms: [
    "describe-form.ts",
    "load-form.ts",
    "match-expression.ts",
    "read-entry.ts",
    "run-validator.ts",
    "validate-fields.ts",
    "validate-form.ts",
  ],
  "group-members": ["member-batches.ts", "member-writes.ts", "membership-events.ts", "memberships.ts", "parse-members.ts"],
  "identity-provider-links": ["pending-links.ts", "provider-of-link.ts"],
  "identity-providers": ["current-provider.ts", "fields.ts", "login-schema.ts", "types.ts"],
  "api-keys": [
    "earlier-values.ts",
    "expiry-warnings.ts",
    "find-principal.ts",
    "key-limits.ts",
    "key-tenants.ts",
    "rotate-key.ts",
  ],
  "audit-logs": ["export-audit-logs.ts"],
  lambdas: ["check-permissions.ts", "document-versions.ts", "read-version.ts", "version-references.ts", "versions.ts"],
  "login-records": ["export-logins.ts", "instant-format.ts"],
  oauth2: ["authenticate-entity.ts", "introspect.ts"],
  passkeys: ["web-authn.ts"],
  registrations: ["registration-events.ts"],
  tenants: ["lambda-secrets.ts", "lambda-values.ts"],
  system: ["collect-metrics.ts", "docs-page.ts", "docs-routes.ts", "openapi-document.ts"],
  themes: ["theme-rules.ts"],
  "two-factor": ["legacy-send.ts", "login.ts", "send.ts", "start.ts"],
  users: [
    ...[
      "find-user.ts",
      "follow-change.ts",
      "login-id-events.ts",
      "shared-login-ids.ts",
      "two-factor-state.ts",
      "user-draft.ts",
      "user-relations.ts",
      "username-status.ts",
    ],
  ],
};

for (const family of families)
  test(`the family ${family.name} consists of its row, schema and rules, and what the list says`, () => {
    const files = readdirSync(join(folder, family.name)).sort();
    expect(files).toEqual(["family.ts", "rules.ts", "schema.ts", ...(furtherFiles[family.name] ?? [])].sort());
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
