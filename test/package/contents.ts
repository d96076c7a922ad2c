/** What the packed tarball holds: it lists what it loads, loads what it lists, and its pages lead nowhere else. Run by `npm run package:check`. */
import assert from "node:assert/strict";
import { globSync, readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { isDead, pagesOf, relativeLinksOf } from "./support/links.ts";
import { importedBy, loadedBy, textsOf } from "./support/loaded-by.ts";
import { makeProject, removeProjects } from "./support/projects.ts";

after(removeProjects);

const installed = join(makeProject(), "node_modules/latchkey");
const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
const dependencies = Object.keys(manifest.dependencies);
const peers = Object.keys(manifest.peerDependencies);
// Those of the console run in browsers, with all that they need built in.
const scripts = globSync("dist/**/*.js", { cwd: installed, exclude: ["dist/console/**"] });

/** What is inlined although it is a peer, and nothing else by `onlyBundle` of tsdown.config.ts: docs/internals/libraries.md#packaging has the reason. */
const inlined = ["kysely"];

const toPackage = (name: string): string =>
  name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
const sources = scripts.map((file) => readFileSync(join(installed, file), "utf8"));
const loaded = new Set(
  sources
    .flatMap(loadedBy)
    .filter((name) => !name.startsWith(".") && !isBuiltin(name))
    .map(toPackage),
);
const named = new Set(sources.flatMap(textsOf).map(toPackage));

/** Only `latchkey/contract` loads it. As an optional peer, npm would keep the user's own Vitest with `--omit=dev`: 60 MB. */
const ofTests = "vitest";

test("each package that a file loads is listed, but for that of tests", () => {
  assert.ok(!peers.includes(ofTests));
  const listed = new Set([...dependencies, ...peers, manifest.name, ofTests]);
  assert.deepEqual(
    [...loaded].filter((name) => !listed.has(name)),
    [],
  );
});

test("each dependency is named by a file, and so is each peer that the host does not hand in", () => {
  // Frameworks, and what sends mails: an adapter is given them and imports none.
  const handedIn = peers.filter((name) => `./${name}` in manifest.exports);
  assert.deepEqual(handedIn.sort(), ["express", "fastify", "koa", "nodemailer"]);
  const unused = [...dependencies, ...peers].filter((name) => !named.has(name) && !handedIn.includes(name));
  assert.deepEqual(unused, []);
});

test("what is inlined is no dependency, and has its license beside it", () => {
  assert.deepEqual(
    inlined.filter((name) => dependencies.includes(name)),
    [],
  );
  for (const name of inlined) assert.match(readFileSync(join(installed, `dist/${name}.license.txt`), "utf8"), /MIT License/);
});

const imports = new Map(
  scripts.map((file) => [basename(file), importedBy(readFileSync(join(installed, file), "utf8"))] as const),
);

/** The dependencies that a script has loaded before it runs, through the scripts that it imports. */
function dependenciesOf(file: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  return (imports.get(file) ?? []).flatMap((name) => {
    if (name.startsWith("./")) return dependenciesOf(name.slice(2), seen);
    return dependencies.includes(name) ? [name] : [];
  });
}

test("a start loads none of the dependencies: each comes with the first call that needs it", () => {
  const starts = ["index", "memory", "sqlite", "postgres", "node", "express", "fastify", "koa", "fetch"];
  assert.deepEqual(
    starts.flatMap((name) => dependenciesOf(`${name}.js`)),
    [],
  );
});

test("reads and deliveries do without the schema library: it comes with the first body", () => {
  const withSchemas = [...imports.keys()].filter((file) => dependenciesOf(file).includes("zod"));
  assert.ok(withSchemas.includes("schemas-groups.js"));
  assert.ok(imports.has("outbound-deliveries.js"));
  assert.deepEqual(
    withSchemas.filter((file) => !/schema|^http-fields/.test(file)),
    [],
  );
});

test("no page of the package has a dead link", () => {
  const pages = pagesOf(installed);
  const links = pages.flatMap((page) => relativeLinksOf(installed, page));
  const dead = links.filter((link) => isDead(installed, link));
  console.log(`${pages.length} pages with ${links.length} relative links, ${dead.length} of them dead`);
  assert.ok(links.length > 500);
  assert.deepEqual(dead, []);
});

test("the package is at most 6 MB in 1,200 files", () => {
  const files = globSync("**/*", { cwd: installed }).filter((file) => statSync(join(installed, file)).isFile());
  const bytes = files.reduce((sum, file) => sum + statSync(join(installed, file)).size, 0);
  console.log(`${files.length} files, ${bytes} bytes`);
  assert.ok(files.length <= 1_200, `${files.length} files`);
  assert.ok(bytes <= 6_000_000, `${bytes} bytes`);
});

test("a name of a file says what it holds: no hashes", () => {
  assert.ok(scripts.length > 20);
  const names = globSync("dist/*.{js,d.ts}", { cwd: installed }).map((file) => basename(file));
  assert.deepEqual(
    names.filter((name) => !/^[a-z][a-z0-9-]*(?:\.d\.ts|\.js)$/.test(name)),
    [],
  );
});

test("the package holds the OpenAPI document once", () => {
  const copies = globSync("**/*.{js,cjs,json}", { cwd: installed }).filter((file) =>
    readFileSync(join(installed, file), "utf8").includes("groups.createWithGroupId"),
  );
  assert.deepEqual(copies, ["openapi.json"]);
});

test("the package holds no sources, tests, maps, secrets or databases", () => {
  const files = globSync("**/*", { cwd: installed });
  const strays = files.filter(
    (file) =>
      /(^|\/)(\.env|.*\.(test\.ts|map|db|pem|secret|br|gz))$/.test(file) || /^(?!bin|dist|docs|examples)[^/]+\//.test(file),
  );
  assert.deepEqual(strays, []);
});

test("the package holds the console, with the licenses of what is built in", () => {
  assert.ok(globSync("dist/console/assets/*.js", { cwd: installed }).length > 5);
  assert.match(readFileSync(join(installed, "dist/console/licenses.txt"), "utf8"), /^preact \d/m);
});
