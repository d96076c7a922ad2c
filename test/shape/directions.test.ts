// Data goes one way (docs/architecture.md#one-request): a later hop may know an earlier one, never the other way round.
import { expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { readSourceFiles } from "./source-files.js";

const sources = readSourceFiles("src");
const adapters = readSourceFiles("adapters");

/** What the files of a folder may import, by folder. `*` is any folder of src. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "src/ports": ["src/ports"],
  "src/shared": ["src/shared", "src/ports"],
  "src/json": ["src/json", "src/shared"],
  "src/templates": ["src/templates"],
  "src/errors": ["src/errors", "src/json", "src/ports", "src/shared"],
  "src/search": ["src/search", "src/shared", "src/ports", "src/errors"],
  "src/security": ["src/security", "src/shared", "src/ports", "src/errors", "src/json"],
  "src/http/schema": ["src/http/schema", "src/shared", "src/errors"],
  "src/http/transport": ["src/http/transport", "src/shared", "src/ports", "src/errors"],
  "src/http/authenticate": ["src/http/authenticate", "src/shared", "src/ports", "src/errors", "src/security"],
  "src/http/route": ["src/http/route", "src/shared", "src/errors"],
  "src/http/authorize": ["src/http", "src/shared", "src/ports", "src/errors"],
  "src/delivery/http-client": ["src/delivery/http-client", "src/ports", "src/shared"],
};

for (const [folder, targets] of Object.entries(allowed))
  test(`${folder} imports earlier hops only`, () => {
    const strays = sources
      .filter((file) => file.path.startsWith(`${folder}/`))
      .flatMap((file) => file.imports.filter((target) => target.startsWith("src/")).map((target) => [file.path, target] as const))
      .filter(([, target]) => !targets.some((known) => target.startsWith(`${known}/`)));
    expect(strays).toEqual([]);
  });

test("only the list of families and the outermost files know the families", () => {
  const outermost = /^src\/[^/]+\.ts$|^src\/(resources|configuration|directory|delivery|lambdas|accounts|service)\//;
  const strays = sources
    .filter((file) => !outermost.test(file.path))
    .flatMap((file) => file.imports.filter((target) => target.startsWith("src/resources/")).map((target) => [file.path, target]));
  expect(strays).toEqual([]);
});

test("a family knows another by its schema and its row, and a sub-resource by its parent", () => {
  const parents: Readonly<Record<string, string>> = {
    registrations: "users",
    applications: "application-roles",
    "application-roles": "registrations",
    "group-members": "groups",
    "entity-types": "entity-type-permissions",
    "entity-type-permissions": "entity-grants",
  };
  const strays = sources.flatMap((file) => {
    const family = /^src\/resources\/([^/]+)\//.exec(file.path)?.[1];
    return file.imports
      .filter(
        (target) => family !== undefined && target.startsWith("src/resources/") && !target.startsWith(`src/resources/${family}/`),
      )
      .filter(
        (target) =>
          !/\/(schema|family|two-factor-state|username-status)\.ts$/.test(target) &&
          !target.includes(`/${parents[family ?? ""]}/`),
      )
      .map((target) => [file.path, target]);
  });
  expect(strays).toEqual([]);
});

/** Rooms that import each other (docs/architecture.md says why). */
const pairs: readonly string[] = [
  "src and src/service",
  "src/accounts and src/resources",
  "src/delivery and src/resources",
  "src/lambdas and src/resources",
];

test("two rooms of src import each other only where the list has them", () => {
  const roomOf = (path: string): string =>
    path
      .split("/")
      .slice(0, path.split("/").length > 2 ? 2 : 1)
      .join("/");
  const arrows = new Set(
    sources.flatMap(({ path, imports, lazyImports }) =>
      [...imports, ...lazyImports].filter((to) => to.startsWith("src/")).map((to) => `${roomOf(path)} → ${roomOf(to)}`),
    ),
  );
  const found = [...arrows]
    .map((arrow) => arrow.split(" → "))
    .filter(([from = "", to = ""]) => from < to && arrows.has(`${to} → ${from}`));
  expect(found.map((pair) => pair.join(" and ")).toSorted()).toEqual(pairs);
});

/** The subpaths of the core: they export what the package root leaves to them. */
const subpathsOfCore = /^adapters\/(types|ports|lambdas)\/[\w-]+\.ts$/;

/** The factories of the test kit come from the rows of the families, which the package does not export. */
const factories = "adapters/testing/factories.ts";

test("adapters import the package by its name, files of their own folder and their own library", () => {
  const strays = adapters
    .filter(({ path }) => !subpathsOfCore.test(path))
    .flatMap((file) =>
      file.imports
        .filter((target) => target.startsWith("src/") && !(file.path === factories && target === "src/resources/index.ts"))
        .map((target) => [file.path, target]),
    );
  expect(strays).toEqual([]);
});

/** Who seals what a browser keeps: each with secrets of the service, from `deriveSecrets`. */
const sealers: readonly string[] = [
  "adapters/oidc/pages/server/flow-state.ts",
  "adapters/oidc/pages/server/sealed-field.ts",
  "adapters/oidc/server/browser-accounts.ts",
  "adapters/oidc/server/interactions/interaction-starts.ts",
];

test("what a browser keeps is sealed with secrets of the service alone", () => {
  const found = adapters.filter(({ imports }) => imports.includes("adapters/oidc/pages/request/sealed-values.ts"));
  expect(found.map(({ path }) => path).toSorted()).toEqual(sealers);
  const mixed = found.filter(({ text }) => /(?:sealValues|openValues)\([^)]*formToken/.test(text));
  expect(mixed.map(({ path }) => path)).toEqual([]);
});

test("no module of the core imports a subpath of the core", () => {
  const strays = sources.flatMap(({ path, imports }) => imports.filter((target) => subpathsOfCore.test(target)).map(() => path));
  expect(strays).toEqual([]);
});

// An adapter that the core loads on demand is one that a service needs where its options name none.
const adaptersOfCore: readonly string[] = ["src/lambdas/run/settings.ts: latchkey/runners"];

requirement("defaults.lambdas-arrow", "the core names no adapter but those of the list", () => {
  const named = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:\bfrom\s|\bimport\(|\brequire\()\s*["'`](latchkey(?!\/openapi\.json)[^"'`]*)/g)].map(
      ([, name]) => `${path}: ${name}`,
    ),
  );
  expect(named).toEqual(adaptersOfCore);
});

test("no file imports itself by way of others, types and imports on demand included", () => {
  const byPath = new Map([...sources, ...adapters].map((file) => [file.path, [...file.imports, ...file.lazyImports]]));
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path]);
    if (start >= 0 || done.has(path)) return;
    for (const target of byPath.get(path) ?? []) if (byPath.has(target)) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of byPath.keys()) visit(path, []);
  expect(cycles).toEqual([]);
});
