// Data goes one way (docs/architecture.md#one-request): a later hop may know an earlier one, never the other way round.
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { readSourceFiles } from "./source-files.js";

const sources = readSourceFiles("src");
const adapters = readSourceFiles("adapters");

/** What the files of a folder inside a room may import, by folder. */
const allowed: Readonly<Record<string, readonly string[]>> = {
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

/** Below the areas: what every area may import. Each room imports from those that its line names. */
const foundation: Readonly<Record<string, readonly string[]>> = {
  ports: [],
  shared: ["ports"],
  json: ["shared"],
  templates: [],
  errors: ["ports", "json", "shared"],
  search: ["ports", "shared", "errors"],
  security: ["ports", "shared", "errors", "json"],
  http: ["ports", "shared", "errors", "security"],
  availability: ["ports", "shared", "errors", "search"],
  operations: ["ports", "shared", "errors", "json", "search", "security", "http", "availability"],
  records: ["ports", "shared", "errors", "json", "search", "security", "http", "availability", "operations", "templates"],
};

/** The areas and what stands above them, each below those that it may be imported by: an arrow to a later line would make a circle. */
const areas: Readonly<Record<string, readonly string[]>> = {
  directory: [],
  audit: [],
  delivery: ["audit"],
  lambdas: ["audit"],
  messages: ["audit", "delivery"],
  sessions: ["delivery"],
  people: ["audit", "delivery", "messages", "sessions"],
  "sign-in": ["directory", "audit", "delivery", "lambdas", "messages", "sessions", "people"],
  openid: ["delivery", "sessions", "people", "sign-in"],
  import: ["sessions", "people", "sign-in"],
  keys: [],
  entities: [],
  forms: ["lambdas", "sessions", "sign-in"],
  system: [],
  tenants: ["delivery", "sessions", "people"],
  // The list of families loads the rules of each with the first call.
  families: [
    ...["audit", "delivery", "lambdas", "messages", "people", "sign-in"],
    ...["import", "keys", "entities", "forms", "system", "tenants"],
  ],
  configuration: ["people", "families"],
  // What puts the service together.
  service: [
    ...["directory", "audit", "delivery", "lambdas", "messages", "sessions", "openid", "import"],
    ...["keys", "system", "tenants", "families", "configuration"],
  ],
};

/** The room of a file of src: its first folder. Root files have none. */
const roomOf = (path: string): string => /^src\/([^/]+)\//.exec(path)?.[1] ?? "";

/** Whom the files of each room import: rooms by name, types and imports on demand included. */
const arrows: ReadonlyMap<string, ReadonlySet<string>> = groupArrows(roomOf);

function groupArrows(groupOf: (path: string) => string, files = sources): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Set(files.map(({ path }) => path));
  const found = new Map<string, Set<string>>();
  for (const { path, imports, lazyImports } of files) {
    const targets = found.get(groupOf(path)) ?? new Set<string>();
    found.set(groupOf(path), targets);
    for (const to of [...imports, ...lazyImports]) if (known.has(to) && groupOf(to) !== groupOf(path)) targets.add(groupOf(to));
  }
  return found;
}

test("every room of src stands in one list, behind those that it imports", () => {
  const order = [...Object.keys(foundation), ...Object.keys(areas)];
  expect([...arrows.keys()].filter((room) => room !== "").toSorted()).toEqual(order.toSorted());
  for (const [room, targets] of Object.entries({ ...foundation, ...areas }))
    for (const target of targets) expect(order.indexOf(target), `${room} → ${target}`).toBeLessThan(order.indexOf(room));
});

for (const [room, targets] of Object.entries(foundation))
  test(`the room ${room} imports what its line names`, () => {
    expect([...(arrows.get(room) ?? [])].filter((target) => !targets.includes(target))).toEqual([]);
  });

for (const [area, targets] of Object.entries(areas))
  test(`the area ${area} imports the foundation and the areas of its line`, () => {
    const found = [...(arrows.get(area) ?? [])].filter((target) => !(target in foundation));
    // The inside of service.ts reads the options that root files name.
    expect(found.filter((target) => target !== "" || area !== "service").toSorted()).toEqual(targets.toSorted());
  });

test("a family of records knows another by its row, its schema and the values that both have", () => {
  const values =
    /^src\/records\/(?:[^/]+\.ts$|settings\/|factors\/)|\/(?:family|[\w-]*schema|login-id-types|built-in-connector|username-status|verified-reason)\.ts$/;
  const strays = sources
    .filter(({ path }) => path.startsWith("src/records/"))
    .flatMap(({ path, imports }) =>
      imports
        .filter((target) => target.startsWith("src/records/") && dirname(target) !== dirname(path) && !values.test(target))
        .map((target) => [path, target]),
    );
  expect(strays).toEqual([]);
});

/** Folders that import each other, and why. At most twelve. */
const pairs: Readonly<Record<string, string>> = {
  "src and src/service": "`service/` is the inside of `service.ts`: it reads the options and the hops that root files name.",
};

test("two folders import each other only where the list has them", () => {
  const found = groupArrows(dirname, [...sources, ...adapters]);
  const both = [...found].flatMap(([one, targets]) =>
    [...targets].filter((other) => one < other && found.get(other)?.has(one)).map((other) => `${one} and ${other}`),
  );
  expect(both.toSorted()).toEqual(Object.keys(pairs).toSorted());
  expect(both.length).toBeLessThanOrEqual(12);
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
        .filter((target) => target.startsWith("src/") && !(file.path === factories && target === "src/families/index.ts"))
        .map((target) => [file.path, target]),
    );
  expect(strays).toEqual([]);
});

/** Who seals what a browser keeps: each with secrets of the service, from `deriveSecrets`. */
const sealers: readonly string[] = [
  "adapters/oidc/pages/server/flow-state.ts",
  "adapters/oidc/pages/server/sealed-field.ts",
  "adapters/oidc/server/exchange/browser-accounts.ts",
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
