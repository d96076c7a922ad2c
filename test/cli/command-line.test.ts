import { existsSync, statSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect } from "vitest";
import { requirement } from "../support/requirement.js";
import { makeEmpty, makeMigrated, runnerIn } from "./support.js";

let directory: string;

afterEach(() => rm(directory, { recursive: true }));

const run = runnerIn(() => directory);

const write = async (files: Readonly<Record<string, unknown>>): Promise<void> => {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(directory, name, ".."), { recursive: true });
    await writeFile(join(directory, name), typeof content === "string" ? content : JSON.stringify(content));
  }
};

const editors = { formatVersion: 1, groups: [{ name: "Editors" }] };
const noStack = /\bat \S+ \(|node:internal|\.js:\d+/;

describe("the command line", () => {
  requirement("cli.migrate", "migrate makes a database with its secret, and then has nothing to do", async () => {
    directory = await makeEmpty();
    const dry = await run(["migrate", "--dry-run", "--json"]);
    expect(dry.code).toBe(0);
    expect(JSON.parse(dry.printed)).toMatchObject({
      from: 0,
      isDry: true,
      versions: expect.arrayContaining([1, 2, 6].map((version) => expect.objectContaining({ version }))),
    });
    expect(existsSync(join(directory, "latchkey.db"))).toBe(false);
    expect(await run(["migrate"])).toMatchObject({ code: 0, printed: expect.stringContaining("table groups"), said: "" });
    expect(statSync(join(directory, "latchkey.db.secret")).mode & 0o777).toBe(0o600);
    expect((await run(["migrate"])).printed).toMatch(/^The schema has version \d+: nothing to do\.\n$/);
  });

  requirement(
    ["cli.configuration", "cli.exit-codes"],
    "a document is planned, kept, applied, and then there is nothing to do",
    async () => {
      directory = await makeMigrated();
      await write({ "config.json": editors });
      expect((await run(["plan", "config.json"])).code).toBe(0);
      const planned = await run(["plan", "config.json", "--detailed-exitcode", "--out", "plan.json"]);
      expect(planned).toEqual({
        code: 2,
        printed:
          '+ create groups Default/Editors\n    name: "Editors"\n    tenantId: "Default"\n\n1 to create, 0 to change, 0 to remove.\n',
        said: "",
      });
      expect((await run(["apply", "plan.json", "--prune"])).said).toBe("What is removed is said when the plan is made.\n");
      expect(await run(["apply", "plan.json", "--reason", "Ticket 4711"])).toMatchObject({ code: 0, said: "" });
      expect(await run(["plan", "config.json", "--detailed-exitcode"])).toEqual({
        code: 0,
        printed: "Nothing to change.\n",
        said: "",
      });
      const stale = await run(["apply", "plan.json"]);
      expect(stale).toMatchObject({ code: 1, printed: "", said: expect.stringContaining("The plan no longer fits") });
    },
  );

  requirement("cli.configuration", "export is what plan reads from standard input", async () => {
    directory = await makeMigrated();
    await write({
      "config.json": { ...editors, lambdas: [{ name: "One", type: "JWTPopulate", body: { $file: "one.js" } }] },
      "one.js": "function populate() {}\n",
    });
    expect((await run(["apply", "config.json", "--json"])).code).toBe(0);
    await write({
      "beside/config.json": { ...editors, lambdas: [{ name: "One", type: "JWTPopulate", body: { $file: "../one.js" } }] },
    });
    await symlink(join(directory, "one.js"), join(directory, "beside/link.js"));
    await write({
      "beside/linked.json": { ...editors, lambdas: [{ name: "One", type: "JWTPopulate", body: { $file: "link.js" } }] },
    });
    for (const file of ["beside/config.json", "beside/linked.json"])
      expect(await run(["plan", file])).toMatchObject({
        code: 1,
        printed: "",
        said: expect.stringContaining("It is outside of"),
      });
    const exported = await run(["export", "--families", "groups,lambdas"]);
    expect(JSON.parse(exported.printed)).toEqual({
      formatVersion: 1,
      groups: [{ tenantId: "Default", name: "Editors" }],
      lambdas: [{ name: "One", body: "function populate() {}\n", type: "JWTPopulate" }],
    });
    const planned = await run(["plan", "-", "--json", "--detailed-exitcode", "--prune"], { input: exported.printed });
    expect([planned.code, JSON.parse(planned.printed)]).toEqual([0, { changes: [] }]);
  });

  requirement(
    "cli.configuration",
    "directories form one document, with faults reported by file; secrets come from variables and files",
    async () => {
      directory = await makeMigrated();
      await write({
        "config/a.json": { formatVersion: 1, groups: [{ name: "Authors" }] },
        "config/b/b.json": { formatVersion: 1, groups: [{ name: "Editors" }, { name: "Readers", tenantId: "Defualt" }] },
      });
      const wrong = await run(["plan", "config"]);
      expect(wrong).toEqual({
        code: 1,
        printed: "",
        said: "config/b/b.json: groups[1].tenantId: There is no Defualt among the tenants. Did you mean Default?\n",
      });
      const secrets = { "X-Env": { $secret: "env:TOKEN" }, "X-File": { $secret: "file:token.txt" } };
      const webhook = { url: "https://hooks.example.com/", connectTimeout: 1, readTimeout: 1, headers: secrets };
      await write({ "hooks.json": { formatVersion: 1, webhooks: [webhook] }, "token.txt": "from-the-file\n" });
      const missing = await run(["plan", "hooks.json"]);
      expect([missing.code, missing.said]).toEqual([1, "webhooks[0].headers.X-Env: There is no secret env:TOKEN.\n"]);
      const env = { TOKEN: "from-the-variable" };
      const planned = await run(["plan", "hooks.json"], { env });
      expect(planned.code).toBe(0);
      expect(planned.printed).not.toMatch(/from-the/);
      await run(["apply", "hooks.json"], { env });
      expect((await run(["plan", "hooks.json", "--detailed-exitcode"], { env })).code).toBe(0);
      expect((await run(["plan", "hooks.json", "--detailed-exitcode"], { env: { TOKEN: "another" } })).code).toBe(2);
    },
  );

  requirement("cli.keys", "an API key is made, its value printed once, listed without it, and revoked", async () => {
    directory = await makeMigrated();
    const made = await run([
      "keys",
      "create",
      "--name",
      "Deployment",
      "--endpoint",
      "GET /api/group",
      "--endpoint",
      "POST /api/group",
      "--tenant",
      "Default",
    ]);
    expect(made).toMatchObject({ code: 0, printed: expect.stringMatching(/^lk_\S+\n$/), said: "" });
    const listed = await run(["keys", "list", "--json"]);
    expect(JSON.parse(listed.printed)).toMatchObject({
      apiKeys: [
        { name: "Deployment", permissions: { endpoints: { "/api/group": ["GET", "POST"] } }, tenantId: expect.any(String) },
      ],
    });
    expect(listed.printed).not.toContain(made.printed.trim());
    const half = await run(["keys", "revoke", "Deployment", "Unknown"]);
    expect([half.code, half.said]).toEqual([1, "There is no API key Unknown.\n"]);
    expect((await run(["keys", "list"])).printed).toContain("Deployment");
    expect((await run(["keys", "revoke", "Deployment"])).code).toBe(0);
    expect((await run(["keys", "list"])).printed).toBe("");
  });

  requirement("cli.doctor", "doctor reports working checks, and exits with 1 after a failed one", async () => {
    directory = await makeEmpty();
    const empty = await run(["doctor"]);
    expect([empty.code, empty.printed]).toEqual([1, expect.stringContaining("Run latchkey migrate.")]);
    await run(["migrate"]);
    const well = await run(["doctor", "--json"]);
    const { findings } = JSON.parse(well.printed);
    expect(findings.map(({ check, result }: Record<string, string>) => `${check} ${result}`)).toEqual([
      "node ok",
      "packages ok",
      "database ok",
      "schema ok",
      "secret ok",
      "sealed ok",
      "time ok",
      "outbox ok",
      "webhooks ok",
      "lambdas ok",
      "indexes ok",
      "flows ok",
    ]);
    expect(well.code).toBe(0);
    const wrong = await run(["doctor"], { env: { LATCHKEY_SECRET: "another secret with at least 32 characters" } });
    expect([wrong.code, wrong.printed]).toEqual([
      1,
      expect.stringContaining("The secret does not open what this storage keeps sealed\n"),
    ]);
  });

  requirement("cli.module", "a module gives a service, or the options of one", async () => {
    directory = await makeEmpty();
    await write({
      "options.mjs": `import { memoryStorage } from "latchkey/memory"; export const options = { storage: memoryStorage() };`,
      "function.mjs": `import { memoryStorage } from "latchkey/memory"; export default async () => ({ storage: memoryStorage() });`,
      "nothing.mjs": "export default 7;",
      "config.json": editors,
    });
    const planned = await run(["plan", "config.json", "--module", "options.mjs"]);
    expect(planned).toMatchObject({ code: 0, printed: expect.stringContaining("1 to create") });
    expect((await run(["plan", "config.json", "--module", "nothing.mjs"])).said).toContain(
      "must export a service or its options",
    );
    expect((await run(["doctor", "--module", "function.mjs"])).code).toBe(0);
  });

  requirement("audit.verify", "audit verify exits with 1 for a log that is not the expected one", async () => {
    directory = await makeMigrated();
    const well = await run(["audit", "verify"]);
    expect([well.code, well.printed]).toEqual([0, expect.stringContaining("0 expired")]);
    const other = await run(["audit", "verify", "--expect", "0".repeat(64), "--json"]);
    expect([other.code, JSON.parse(other.printed).broken]).toEqual([1, { reason: "unknownHead" }]);
    expect((await run(["audit"])).said).toContain("latchkey audit verify");
    expect((await run(["audit", "verify", "--retention-days", "0"])).said).toContain("whole number");
    expect((await run(["audit", "export"])).code).toBe(0);
    expect((await run(["audit", "export", "--start", "soon"])).said).toContain("--start must be a date");
  });

  requirement("cli.help", "each command describes itself with --help", async () => {
    directory = await makeEmpty();
    const { code, printed } = await run([]);
    expect(code).toBe(0);
    const names = [...printed.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name ?? "");
    expect(names.join(" ")).toBe("init dev console plan apply export keys migrate indexes doctor audit lambdas users");
    for (const name of names) {
      const help = await run([name, "--help"]);
      expect(help).toMatchObject({ code: 0, printed: expect.stringContaining(`Usage: latchkey ${name}`), said: "" });
    }
  });

  requirement("cli.refusals", "what is wrong is said on standard error, without a stack, and the exit code is 1", async () => {
    directory = await makeEmpty();
    await write({ "broken.json": "{", "list.json": "[]", "config.json": editors, "other.json": { formatVersion: 2 } });
    const wrong: readonly (readonly [readonly string[], string])[] = [
      [["unknown"], "There is no command unknown."],
      [["plan", "--nope"], "Unknown option '--nope'."],
      [["plan"], "Name a file"],
      [["plan", "missing.json"], "There is no file missing.json."],
      [["plan", "broken.json"], "broken.json is no JSON"],
      [["plan", "list.json"], "list.json must hold a JSON object."],
      [["plan", "config.json"], "run latchkey migrate"],
      [["plan", "config.json", "other.json"], "formatVersion is said in another file already."],
      [["plan", "config.json", "--database", "mysql://user:pass@host/db"], "The database must be memory:"],
      [["plan", "config.json", "--database", "postgres://user:pass@127.0.0.1:1/db"], "ECONNREFUSED"],
      [["export", "--families", "users"], "There is no family users."],
      [["export", "file.json"], "The document is printed"],
      [["keys"], "Say what to do with API keys"],
      [["keys", "create", "--database", "memory:"], "A key needs a name"],
      [["keys", "create", "--database", "memory:", "--name", "x", "--endpoint", "read"], "An endpoint reads like"],
      [["keys", "create", "--database", "memory:", "--name", "x", "--expires", "soon"], "--expires takes a date"],
      [["migrate", "now"], "migrate takes no arguments"],
    ];
    for (const [args, message] of wrong) {
      const ended = await run(args);
      expect([args, ended]).toEqual([args, { code: 1, printed: "", said: expect.stringContaining(message) }]);
      expect(ended.said).not.toMatch(noStack);
      expect(ended.said).not.toContain("pass@");
    }
  });
});
