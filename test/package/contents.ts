/** What the packed tarball holds: it lists what it loads, loads what it lists, and leads to its sources. Run by `npm run package:check`. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, dirname, join, normalize } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { importedBy, loadedBy } from "./support/loaded-by.ts";
import { makeProject, removeProjects } from "./support/projects.ts";

after(removeProjects);

const installed = join(makeProject(), "node_modules/latchkey");
const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
const dependencies = Object.keys(manifest.dependencies);
const peers = Object.keys(manifest.peerDependencies);
// Those of the console run in browsers, with all that they need built in.
const scripts = globSync("dist/**/*.js", { cwd: installed, exclude: ["dist/console/**"] });

/** What is inlined although it is a peer: docs/internals/libraries.md#packaging, has the reason. */
const inlined = ["kysely"];

const loaded = new Set(
  scripts
    .flatMap((file) => loadedBy(readFileSync(join(installed, file), "utf8")))
    .filter((name) => !name.startsWith(".") && !isBuiltin(name))
    .map((name) =>
      name
        .split("/")
        .slice(0, name.startsWith("@") ? 2 : 1)
        .join("/"),
    ),
);

test("each package that a file loads is listed", () => {
  const listed = new Set([...dependencies, ...peers, manifest.name]);
  assert.deepEqual(
    [...loaded].filter((name) => !listed.has(name)),
    [],
  );
});

test("each dependency is loaded, and so is each peer that the host does not hand in", () => {
  // Frameworks, and what sends mails: an adapter is given them and imports none.
  const handedIn = peers.filter((name) => `./${name}` in manifest.exports && name !== "isolated-vm");
  assert.deepEqual(handedIn.sort(), ["express", "fastify", "koa", "nodemailer"]);
  const unused = [...dependencies, ...peers].filter((name) => !loaded.has(name) && !handedIn.includes(name));
  assert.deepEqual(unused, []);
});

test("nothing is inlined but what the architecture says, and no dependency is", () => {
  const sources = globSync("dist/**/*.js.map", { cwd: installed }).flatMap(
    (file) => JSON.parse(readFileSync(join(installed, file), "utf8")).sources as string[],
  );
  const names = sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
  assert.deepEqual([...new Set(names)], inlined);
  assert.deepEqual(
    inlined.filter((name) => dependencies.includes(name)),
    [],
  );
  const licences = readFileSync(join(installed, "dist/licenses.txt"), "utf8");
  for (const name of inlined) assert.match(licences, new RegExp(`^${name}$`, "m"));
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
  const files = [...imports.keys()].filter((file) => !file.startsWith("on-demand"));
  assert.ok(files.some((file) => file.startsWith("create-deliverers-")));
  const withSchemas = files.filter((file) => dependenciesOf(file).includes("zod"));
  assert.deepEqual(
    withSchemas.filter((file) => !/schemas?-/.test(file)),
    [],
  );
});

test("each declaration has a map to a source that the package holds", () => {
  const declarations = globSync("dist/types/**/*.d.ts", { cwd: installed });
  assert.ok(declarations.length > 300);
  const lost = declarations.filter((file) => missingSources(`${file}.map`).length > 0);
  assert.deepEqual(lost, []);
});

test("each script has a map to sources that the package holds", () => {
  assert.ok(scripts.length > 20);
  const mapped = scripts.filter((file) => !isFacade(readFileSync(join(installed, file), "utf8")));
  assert.ok(mapped.length > 20);
  for (const file of mapped) assert.deepEqual([file, missingSources(`${file}.map`)], [file, []]);
});

test("the package holds no tests but the contract, and no secrets or databases", () => {
  const files = globSync("**/*", { cwd: installed });
  const strays = files.filter(
    (file) => /(^|\/)(\.env|.*\.(test\.ts|db|pem|secret))$/.test(file) || /^test\/(?!contract)./.test(file),
  );
  assert.deepEqual(strays, []);
});

/** Whether a script has no code of its own: it only hands on what others export, and has no map. */
function isFacade(text: string): boolean {
  return text.split("\n").every((line) => /^(?:(?:import|export) \{.*\}(?: from "[^"]+")?;?|import "[^"]+";|)$/.test(line));
}

test("the package holds the console, compressed, with the licenses of what is built in", () => {
  const names = globSync("dist/console/assets/*.js", { cwd: installed });
  assert.ok(names.length > 5);
  for (const name of names)
    assert.ok(existsSync(join(installed, `${name}.br`)) || readFileSync(join(installed, name)).length < 512, name);
  assert.match(readFileSync(join(installed, "dist/console/licenses.txt"), "utf8"), /^preact \d/m);
});

/** The sources of a map that are not there; the map itself where it is missing. */
function missingSources(map: string): readonly string[] {
  if (!existsSync(join(installed, map))) return [map];
  const { sourceRoot = "", sources } = JSON.parse(readFileSync(join(installed, map), "utf8"));
  const own = (sources as string[]).filter((source) => !/node_modules|^(?:whole-core|<)/.test(source));
  return own.filter((source) => !existsSync(toPath(map, sourceRoot + source)));
}

function toPath(map: string, source: string): string {
  return source.startsWith("file:") ? fileURLToPath(source) : normalize(join(installed, dirname(map), source));
}
