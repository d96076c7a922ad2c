import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestService } from "../../examples/unit-test.js";
import { createStage, type Stage } from "../blackbox/support/stage.js";

const folder = join(import.meta.dirname, "../../examples");

describe("an example that is run by itself", () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await createStage();
  }, 60_000);

  afterAll(() => stage[Symbol.asyncDispose]());

  test.each([
    ["hono.ts", '200 {"groups":[]}\n'],
    ["client-credentials.ts", "200 Editors\n401\n"],
    ["own-directory.ts", "[ 'editor', 'reader' ]\n[]\n"],
    [
      "legacy-two-factor.ts",
      "PUT /api/integration 200\nPOST /api/user 200\nGET /api/two-factor/secret 200\nPOST /api/user/two-factor… 200\nPOST /api/login 242\n" +
        "POST /api/two-factor/send… 200\nPOST /api/two-factor/login 200\nDELETE /api/user/two-factor?code… 200\n",
    ],
    ["lambda.ts", "ok { department: 'Engines', plan: 'team', tenantName: 'Example' }\nEngines team\n"],
    ["form.ts", "[ '1. E-Mail', '1. Passwort', '2. Hemdgröße m|groß' ]\n400 [ 'user.data.size' ]\n{ size: 'l' }\n"],
    [
      "email.ts",
      "[\n  '[missing]emailTemplate.defaultSubject Line 1, column 12: There is no requestData.number.'\n]\n" +
        "Der Laden to Ana: Ihre Bestellung 7\n<p>Dear Ana,</p>\n<li>Tea &amp; cake</li>\n\n",
    ],
    [
      "openapi.ts",
      /^3\.1\.1 \{[^}]*version: '1\.44\.0'.*\}\n200 application\/json; charset=UTF-8 true false\n200 text\/html; charset=UTF-8\n$/s,
    ],
    ["one-transaction.ts", /^\[ 'Project \d+' \]\n$/],
    ["unit-test.ts", /# pass 3\n# fail 0/],
  ])("%s does what it says", async (name, printed) => {
    const run = promisify(execFile)(process.execPath, ["--test-reporter=tap", `examples/${name}`], { cwd: stage.directory });
    const { stdout, stderr } = await run;
    expect(stderr).toBe("");
    expect(stdout).toEqual(typeof printed === "string" ? printed : expect.stringMatching(printed));
  });
});

// An example that has to be scrolled is read by nobody, and one that the list leaves out is found by nobody.
test("each example is short and in the list", async () => {
  const list = await readFile(join(folder, "README.md"), "utf8");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".ts"));
  expect(names.length).toBeGreaterThanOrEqual(8);
  for (const name of names) {
    expect(list).toContain(`[${name}](${name})`);
    const lines = (await readFile(join(folder, name), "utf8")).split("\n").length;
    if (name !== "server.ts") expect([name, lines < 60]).toEqual([name, true]);
  }
});

describe("examples/unit-test.ts", () => {
  test("gives the same answers in each run", async () => {
    const run = async (): Promise<readonly unknown[]> => {
      const { identity, pass } = await createTestService();
      const created = await identity.groups.create({ group: { name: "Editors" } });
      pass(60_000);
      return [created, await identity.groups.patch({ groupId: created.group.id, patch: { group: { name: "Writers" } } })];
    };
    const [created, patched] = (await run()) as [{ group: { insertInstant: number } }, { group: { lastUpdateInstant: number } }];
    expect(await run()).toEqual([created, patched]);
    expect(created.group.insertInstant).toBe(Date.UTC(2030, 0, 1));
    expect(patched.group.lastUpdateInstant).toBe(Date.UTC(2030, 0, 1) + 60_000);
  });
});
