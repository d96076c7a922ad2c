// Data goes one way (docs/architecture.md, The hops): a later hop may know an earlier one, never the other way round.
import { expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { readSourceFiles } from "./source-files.js";

const sources = readSourceFiles("src");
const adapters = readSourceFiles("adapters");

/** What the files of a folder may import, by folder. `*` is any folder of src. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "src/values": ["src/values", "src/ports"],
  "src/ports": ["src/ports"],
  "src/errors": ["src/errors", "src/values", "src/ports"],
  "src/patch": ["src/patch", "src/values"],
  "src/search": ["src/search", "src/values", "src/ports", "src/errors"],
  "src/template": ["src/template"],
  "src/schema": ["src/schema", "src/values", "src/errors"],
  "src/secrets": ["src/secrets", "src/values", "src/ports"],
  "src/keys": ["src/keys", "src/values", "src/ports", "src/errors", "src/secrets"],
  "src/transport": ["src/transport", "src/values", "src/ports", "src/errors"],
  "src/authenticate": ["src/authenticate", "src/values", "src/ports", "src/errors", "src/secrets"],
  "src/tokens": ["src/tokens", "src/authenticate", "src/keys", "src/values", "src/ports", "src/errors"],
  "src/route": ["src/route", "src/values", "src/errors"],
  "src/authorize": ["src/authorize", "src/authenticate", "src/route", "src/values", "src/ports", "src/errors"],
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
  const outermost =
    /^src\/[^/]+\.ts$|^src\/(resources|config|directory|installation|kickstart|events|emails|forms|lambdas|moderation|sessions|sms|throttle)\//;
  const strays = sources
    .filter((file) => !outermost.test(file.path))
    .flatMap((file) => file.imports.filter((target) => target.startsWith("src/resources/")).map((target) => [file.path, target]));
  expect(strays).toEqual([]);
});

test("a family knows another by its schema and its table, and a sub-resource by its parent", () => {
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
        (target) => !/\/(schema|table)\.ts$|define-table\.ts$/.test(target) && !target.includes(`/${parents[family ?? ""]}/`),
      )
      .map((target) => [file.path, target]);
  });
  expect(strays).toEqual([]);
});

test("adapters import the package root, their neighbours and their own library", () => {
  const strays = adapters.flatMap((file) =>
    file.imports.filter((target) => target.startsWith("src/")).map((target) => [file.path, target]),
  );
  expect(strays).toEqual([]);
});

// An adapter that the core loads on demand is one that a service needs where its options name none.
const adaptersOfCore: readonly string[] = ["src/lambdas/default-runner.ts: latchkey/isolated-vm"];

requirement("defaults.lambdas-arrow", "the core names no adapter but those of the list", () => {
  const named = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:\bfrom\s|\bimport\(|\brequire\()\s*["'`](latchkey[^"'`]*)/g)].map(([, name]) => `${path}: ${name}`),
  );
  expect(named).toEqual(adaptersOfCore);
});

test("no file imports itself by way of others", () => {
  const byPath = new Map([...sources, ...adapters].map((file) => [file.path, file.imports]));
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
