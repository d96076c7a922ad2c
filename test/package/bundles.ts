/** The packed package in a bundle by esbuild: modules and CommonJS. Run by `npm run package:check`, after `npm run build`. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { hashSync } from "bcryptjs";
import { build, type Format } from "esbuild";
import { addFile, makeProject, removeProjects, run } from "./support/projects.ts";

after(removeProjects);

// Everything that is used by its path: threads of hashes and of SQLite, the guest of a runner, the console, the native module for Argon2.
const program = `
import { createIdentityService } from "latchkey";
import { adminConsole } from "latchkey/console";
import { nodeVmRunner } from "latchkey/runners";
import { sqliteStorage } from "latchkey/sqlite";

async function main() {
  const storage = sqliteStorage({ filename: "identity.db" });
  const identity = await createIdentityService({ storage, secret: "s".repeat(32), lambdas: { runner: nodeVmRunner() } });
  await identity.bulkUsers.import({ users: [{ username: "bea", active: true, passwordHash: "HASH" }] });
  const { user } = await identity.users.create({ user: { username: "ann", password: "correct horse battery" } });
  await identity.logins.login({ loginId: "bea", password: "correct horse battery" });
  const { lambda } = await identity.lambdas.create({
    lambda: { name: "Color", type: "JWTPopulate", body: "function populate(jwt) { jwt.color = 'blue'; }" },
  });
  const { jwt } = await identity.lambdas.run(lambda.id, { jwt: {}, user });
  const request = { method: "GET", path: "/", basePath: "/admin", query: "", headers: {}, isEncrypted: false };
  const { status } = await adminConsole(identity).handle(request);
  await identity.close();
  console.log(jwt.color, status);
}
main().catch((error) => console.log(error.message));
`;

const project = makeProject(["better-sqlite3"]);
addFile(project, "program.ts", program.replace("HASH", hashSync("correct horse battery", 4)));

const formats: readonly (readonly [Format, string])[] = [
  ["esm", "bundle.mjs"],
  ["cjs", "bundle.cjs"],
];

describe("a bundle by esbuild", () => {
  for (const [format, name] of formats) {
    const start = (folder: string): string => {
      rmSync(join(folder, "identity.db"), { force: true });
      return run(process.execPath, [name], folder).trim();
    };

    test(`as ${format} takes what it needs from the installed package`, async () => {
      await build({
        entryPoints: [join(project, "program.ts")],
        outfile: join(project, name),
        bundle: true,
        platform: "node",
        format,
        logLevel: "error",
        logOverride: { "empty-import-meta": "silent" },
      });
      assert.equal(start(project), "blue 200");
    });

    test(`as ${format} without the package says what to copy, and runs with the copy`, () => {
      const folder = mkdtempSync(join(tmpdir(), "latchkey-bundle-"));
      after(() => rmSync(folder, { recursive: true }));
      cpSync(join(project, name), join(folder, name));
      const installed = join(project, "node_modules", "latchkey");
      const filter = (path: string): boolean => path !== installed;
      cpSync(join(project, "node_modules"), join(folder, "node_modules"), { recursive: true, filter });
      assert.match(start(folder), /sqlite-thread\.js of latchkey is not beside the bundle/);
      cpSync(join(installed, "dist"), folder, { recursive: true });
      assert.equal(start(folder), "blue 200");
    });
  }
});
