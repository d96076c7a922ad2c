import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStage, type Stage } from "../blackbox/support/stage.js";

describe("an example that is run by itself", () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await createStage();
  }, 60_000);

  afterAll(() => stage[Symbol.asyncDispose]());

  test.each([
    ["hono.ts", '200 {"groups":[]}\n'],
    ["client.ts", "EDITORS is taken\ntrue\nEditors [ 'staff' ]\n[ 'Editors' ]\n[ 'Editors' ]\n"],
    ["client-credentials.ts", "200 Editors\n401\n"],
    ["own-directory.ts", "[ 'editor', 'reader' ]\n[]\n"],
    [
      "legacy-two-factor.ts",
      "PUT /api/integration 200\nPOST /api/user 200\nGET /api/two-factor/secret 200\nPOST /api/user/two-factor… 200\nPOST /api/login 242\n" +
        "POST /api/two-factor/send… 200\nPOST /api/two-factor/login 200\nDELETE /api/user/two-factor?code… 200\n",
    ],
    ["first.ts", "Engines\nuser.create ada@example.com\n"],
    ["lambda.ts", "ok { department: 'Engines', plan: 'team', tenantName: 'Example' }\nEngines team\n"],
    ["form.ts", "[ '1. E-Mail', '1. Passwort', '2. Hemdgröße m|groß' ]\n400 [ 'user.data.size' ]\n{ size: 'l' }\n"],
    [
      "email.ts",
      "[\n  '[missing]emailTemplate.defaultSubject Line 1, column 12: There is no requestData.number.'\n]\n" +
        "Der Laden to Ana: Ihre Bestellung 7\n<p>Dear Ana,</p>\n<li>Tea &amp; cake</li>\n\n",
    ],
    [
      "configuration.ts",
      "create keys Tokens of the shop\ncreate lambdas Claims of the shop\nupdate tenants Default issuer: undefined → https://id.example.com\n" +
        "create applications Default/Shop\ncreate applicationRoles Default/Shop/buyer\ncreate applicationRoles Default/Shop/seller\n" +
        "create groups Default/Sellers\ncreate webhooks https:~1~1shop.example.com~1identity-events\nThen 0 changes.\n" +
        "update tenants Default issuer: https://id.example.com → https://login.example.com\ndelete groups Default/Sellers\n" +
        '{"Authorization":{"$secret":"kept"}}\n',
    ],
    [
      "openapi.ts",
      /^true\n3\.1\.1 \{[^}]*version: '1\.44\.0'.*\}\n200 application\/json; charset=UTF-8 true false\n200 text\/html; charset=UTF-8\n$/s,
    ],
    [
      "on-write.ts",
      '200\n{"fieldErrors":{"user.email":[{"code":"[rival]user.email","message":"Not here."}]},"generalErrors":[]}\n' +
        "[ { email: 'ada@example.com' } ]\n",
    ],
    ["one-transaction.ts", /^\[ 'Project \d+' \]\n$/],
    [
      "rotate-secrets.ts",
      /^keys: 1 of \d\n(\w+: \d of \d\n)*installations: (\d) of \2\n\{ resealed: \2, left: 0 \}\na-value-that-can-be-shown-again\n$/,
    ],
    ["unit-test.ts", /# pass 5\n# fail 0/],
    [
      "observability.ts",
      // At its end the service keeps when its key was last used.
      /^(transaction {2}committed\n){2}POST \/api\/group 200 ok\ntransaction {2}rolledBack\nidentity: request failed \/api\/group example-1 The directory is away\.\nPOST \/api\/group 500 500\nexample-1\n(transaction {2}committed\n)?$/,
    ],
  ])("%s does what it says", async (name, printed) => {
    const run = promisify(execFile)(process.execPath, ["--test-reporter=tap", `examples/${name}`], { cwd: stage.directory });
    const { stdout, stderr } = await run;
    expect(stderr).toBe("");
    expect(stdout).toEqual(typeof printed === "string" ? printed : expect.stringMatching(printed));
  });
});
