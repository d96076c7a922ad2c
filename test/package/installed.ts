/** What users get: the packed tarball, installed. Run by `npm run package:check`, after `npm run build`. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, describe, test } from "node:test";
import manifest from "../../package.json" with { type: "json" };
import { embedded, tryEmbedded } from "../docs/support/embedded.ts";
import { type InstallLine, installLines } from "./support/install-lines.ts";
import { addFile, makeProject, removeProjects, root, run, runScript } from "./support/projects.ts";

after(removeProjects);

const toName = (subpath: string): string => `latchkey${subpath.slice(1)}`;
const subpaths = Object.keys(manifest.exports).filter((subpath) => !subpath.endsWith(".json"));
/** What is of no use without its peer, and cannot be imported without it. */
const needPeers = new Set(["./contract", "./opentelemetry"]);

describe("without any optional peer", () => {
  const project = makeProject();
  const names = subpaths.filter((subpath) => !needPeers.has(subpath)).map(toName);
  const inMemory = `createIdentityService({ storage: memoryStorage() }).then(async (identity) => {
    const { group } = await identity.groups.create({ group: { name: "Editors" } });
    console.log(group.name);
    await identity.close();
  });`;

  test("every subpath can be imported", () => {
    const script = `for (const name of ${JSON.stringify(names)}) await import(name); console.log("done");`;
    assert.equal(runScript(project, script), "done");
  });

  test("every subpath can be required by CommonJS", () => {
    const script = `for (const name of ${JSON.stringify(names)}) require(name); console.log("done");`;
    assert.equal(runScript(project, script, "commonjs"), "done");
  });

  test("a service in memory works, imported and required", () => {
    const imports = 'import { createIdentityService } from "latchkey"; import { memoryStorage } from "latchkey/memory";';
    const requires =
      'const { createIdentityService } = require("latchkey"); const { memoryStorage } = require("latchkey/memory");';
    assert.equal(runScript(project, imports + inMemory), "Editors");
    assert.equal(runScript(project, requires + inMemory, "commonjs"), "Editors");
  });

  test("what is not exported cannot be reached", () => {
    assert.throws(() => runScript(project, 'await import("latchkey/dist/index.js")'), /ERR_PACKAGE_PATH_NOT_EXPORTED/);
  });

  const missing: readonly (readonly [subpath: string, peer: string, call: string])[] = [
    ["sqlite", "better-sqlite3", 'sqliteStorage({ filename: "x.db" })'],
    ["postgres", "pg", 'postgresStorage({ connectionString: "postgres://localhost/x" })'],
    ["runners", "isolated-vm", "isolatedVmRunner()"],
    ["runners", "quickjs-emscripten-core", "quickJsRunner()"],
    ["testing", "isolated-vm", "createLambdaHarness()"],
    ["contract", "vitest", "describeStorage()"],
    ["opentelemetry", "@opentelemetry/api", "openTelemetry()"],
  ];
  for (const [subpath, peer, call] of missing)
    test(`latchkey/${subpath} names the package ${peer}`, () => {
      const script = `const subpath = await import("latchkey/${subpath}"); await subpath.${call};`;
      assert.throws(() => runScript(project, script), new RegExp(`npm install ${peer}|Cannot find package '${peer}'`));
    });
});

describe("each documented install line", () => {
  const lines = installLines();

  test("is found", () => {
    const known = lines.map(({ packages }) => [...packages].sort().join(" "));
    for (const line of ["better-sqlite3", "better-sqlite3 kysely", "pg"]) assert.ok(known.includes(line), line);
  });

  for (const [storages, { packages, page }] of firstBySet(lines))
    test(`npm install latchkey ${packages.join(" ")} (${page}) runs every operation`, () => {
      // The walk stages passkeys, whose library each project has.
      walk(makeProject([...new Set([...packages, "@simplewebauthn/server"])]), storages);
    });
});

/** The first line with each set of storages. */
function firstBySet(lines: readonly InstallLine[]): ReadonlyMap<string, InstallLine> {
  const toSet = ({ packages }: InstallLine): string =>
    ["memory", packages.includes("better-sqlite3") && "sqlite", packages.includes("pg") && "postgres"].filter(Boolean).join(",");
  return new Map(lines.map((line) => [toSet(line), line] as const).reverse());
}

/** Calls every operation of the package as a project has it. @throws Error with what the test says when one fails. */
function walk(project: string, storages: string): void {
  const config = "test/package/walk/vitest.config.ts";
  const env = { ...process.env, LATCHKEY_PROJECT: project, LATCHKEY_STORAGES: storages };
  run(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "--config", config], root, env);
}

describe("with a storage and one framework alone", () => {
  const bare = makeProject(["better-sqlite3"]);
  for (const name of embedded)
    test(`the shortest way into ${name} answers`, async () => {
      const project = name === "node" ? bare : makeProject(["better-sqlite3", name]);
      addFile(project, `examples/embed/${name}.ts`);
      assert.deepEqual(await tryEmbedded(project, `examples/embed/${name}.ts`), [200, 200, 401]);
    });

  test("the handle of a transaction names the package kysely", () => {
    const script = `import { createIdentityService } from "latchkey"; import { sqliteStorage } from "latchkey/sqlite";
      const storage = sqliteStorage({ filename: "transaction.db" });
      const identity = await createIdentityService({ storage, secret: "x".repeat(32) });
      await identity.transaction(async (tx) => tx.db);`;
    assert.throws(() => runScript(bare, script), /npm install kysely/);
  });
});

describe("latchkey init", () => {
  for (const framework of ["express", "fastify"])
    test(`its ${framework} app starts`, async () => {
      const project = makeProject(["better-sqlite3", framework]);
      run("node_modules/.bin/latchkey", ["init", "app", "--framework", framework], project);
      const env = { ...process.env, PORT: "0" };
      const child = spawn(process.execPath, ["--env-file=.env", "app.js"], { cwd: join(project, "app"), env });
      const [line] = await Promise.race([once(createInterface(child.stdout), "line"), once(child, "exit")]);
      child.kill();
      assert.match(String(line), /^http:\/\/127\.0\.0\.1:\d+$/);
    });
});

describe("types", () => {
  const tools = ["typescript", "@types/node"];
  const peers = [
    "express",
    "@types/express",
    "fastify",
    "koa",
    "@types/koa",
    "hono",
    "kysely",
    "better-sqlite3",
    "vitest",
    "@opentelemetry/api",
  ];
  const compile = (project: string, options: object): string => {
    const compilerOptions = { strict: true, noEmit: true, target: "es2024", lib: ["es2024"], types: ["node"], ...options };
    addFile(
      project,
      "tsconfig.json",
      JSON.stringify({ compilerOptions, include: ["**/*.ts", "**/*.cts"], exclude: ["node_modules"] }),
    );
    return run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "."], project);
  };
  const kinds = { nodenext: { module: "nodenext" }, bundler: { module: "esnext", moduleResolution: "bundler" } };

  describe("with every peer", () => {
    const project = makeProject([...tools, ...peers]);
    const importAll = subpaths.map((subpath, index) => `export * as n${index} from "${toName(subpath)}";`).join("\n");
    addFile(project, "all.ts", importAll);
    for (const name of embedded) addFile(project, `examples/embed/${name}.ts`);
    for (const [kind, options] of Object.entries(kinds))
      test(`are found and hold for ${kind}`, () => assert.equal(compile(project, { ...options, skipLibCheck: true }), ""));
  });

  describe("without any peer", () => {
    const project = makeProject(tools);
    addFile(
      project,
      "main.ts",
      `import { createIdentityService } from "latchkey";
       import type { Group } from "latchkey/types";
       import { memoryStorage } from "latchkey/memory";
       import { nodeHandler } from "latchkey/node";
       export const identity = await createIdentityService({ storage: memoryStorage() });
       export const handler = nodeHandler(identity);
       export const { group }: { group: Group } = await identity.groups.create({ group: { name: "Editors" } });
       // @ts-expect-error A name is a text.
       await identity.groups.create({ group: { name: 5 } });`,
    );
    for (const [kind, options] of Object.entries(kinds))
      test(`are whole for ${kind}, those of the package included`, () => assert.equal(compile(project, options), ""));

    test("are found by CommonJS", () => {
      addFile(
        project,
        "main.cts",
        'import latchkey = require("latchkey");\nexport const make: typeof latchkey.createIdentityService = latchkey.createIdentityService;',
      );
      assert.equal(compile(project, kinds.nodenext), "");
    });

    test("bodies of lambdas see their own globals, and nothing of Node", () => {
      const check = (body: string): string => {
        addFile(project, "lambdas/populate.js", `/** @type {import("latchkey/lambdas").JWTPopulate} */\n${body}`);
        return run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "lambdas"], project);
      };
      addFile(project, "lambdas/tsconfig.json", '{ "extends": "latchkey/lambdas/tsconfig.json" }');
      assert.equal(check("function populate(jwt, user) { jwt.name = user.data.name; console.info(jwt); }"), "");
      assert.throws(() => check("function populate(jwt) { jwt.name = process.env.HOME; }"), /TS2/);
    });
  });
});
