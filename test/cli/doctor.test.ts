// What `latchkey doctor` says of an installation that is not well: what failed, why, and what to do.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requirement } from "../support/requirement.js";
import { expectFailure } from "./doctor-failures.js";
import { makeMigrated, runnerIn } from "./support.js";

let directory: string;

beforeAll(async () => {
  directory = await makeMigrated();
});

afterAll(() => rm(directory, { recursive: true }));

const run = runnerIn(() => directory);

const secret = "another secret with at least 32 characters";

requirement("cli.doctor-truth", "a file of SQLite that is not there, or is something else", async () => {
  writeFileSync(join(directory, "text.db"), "no database, but long enough to be read as a head ".repeat(40));
  mkdirSync(join(directory, "folder"));
  await expectFailure(run, {
    database: "sqlite:other.db",
    detail: /there is no file \S+\/other\.db$/,
    hint: /Run latchkey migrate/,
  });
  await expectFailure(run, {
    database: "sqlite:none/a.db",
    detail: /the folder \S+\/none does not exist$/,
    hint: /^Create it, or pass/,
  });
  await expectFailure(run, {
    database: "sqlite:text.db",
    detail: /it is no SQLite database$/,
    hint: /^Pass the path of another file/,
  });
  await expectFailure(run, { database: "sqlite:folder", detail: /it is a folder$/, hint: /^Pass the path of a file in it/ });
  await expectFailure(run, { database: "host=a password=pass-word", detail: /must be memory:/, hint: /Correct --database/ });
});

// Root may read everything.
if (process.getuid?.() !== 0)
  test("a file of SQLite that this process may not read", async () => {
    copyFileSync(join(directory, "latchkey.db"), join(directory, "closed.db"));
    chmodSync(join(directory, "closed.db"), 0);
    await expectFailure(run, {
      database: "sqlite:closed.db",
      detail: /may not read and write it$/,
      hint: /^Change the permissions/,
    });
  });

requirement("cli.doctor-truth", "no database is named, and the default is not there", async () => {
  const empty = join(directory, "empty");
  mkdirSync(empty);
  const runEmpty = runnerIn(() => empty);
  await expectFailure(runEmpty, { detail: /neither --database nor DATABASE_URL names another$/, hint: /Run latchkey migrate/ });
});

requirement("cli.doctor-truth", "a Postgres that does not answer, in time or at all", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  await new Promise((resolve) => server.close(resolve));
  const database = `postgres://me:pass-word@127.0.0.1:${port}/identity`;
  await expectFailure(run, { database, detail: /ECONNREFUSED/, hint: /^Start the server, or correct host and port in the URL/ });
});

requirement("cli.doctor-truth", "a secret that is wrong, missing, short, or readable by others", async () => {
  await expectFailure(run, {
    env: { LATCHKEY_SECRET: secret },
    detail: /^The secret does not open what this storage keeps sealed$/,
    hint: /^Pass the secret that it was used with/,
  });
  await expectFailure(run, { env: { LATCHKEY_SECRET: "short" }, detail: /at least 32 characters$/, hint: /variable/ });
  copyFileSync(join(directory, "latchkey.db"), join(directory, "alone.db"));
  await expectFailure(run, {
    database: "sqlite:alone.db",
    detail: /^Neither LATCHKEY_SECRET nor /,
    hint: /^Set the variable, or put/,
  });
  chmodSync(join(directory, "latchkey.db.secret"), 0o640);
  try {
    await expectFailure(run, { detail: /^others may read latchkey\.db\.secret/, hint: /^chmod 600 latchkey\.db\.secret$/ });
  } finally {
    chmodSync(join(directory, "latchkey.db.secret"), 0o600);
  }
});

requirement("cli.doctor-truth", "variables that a start refuses", async () => {
  const key = { LATCHKEY_API_KEY: "short" };
  const wrong = { detail: /LATCHKEY_API_KEY has fewer than 32 characters/, hint: /^Set at least 32 random characters/ };
  await expectFailure(run, { ...wrong, env: { ...key, HOST: "0.0.0.0" } });
  await expectFailure(run, { env: { LATCHKEY_NAMES: "{" }, detail: /^LATCHKEY_NAMES is no JSON$/, hint: /^Set it to an object/ });
  const local = await run(["doctor"], { env: key });
  expect([local.code, local.printed]).toEqual([0, expect.stringContaining("warn  api-key: LATCHKEY_API_KEY has fewer")]);
});

requirement("cli.doctor", "names the mails that settings ask for and that cannot leave", async () => {
  expect((await run(["doctor"])).printed).toContain("ok    flows: settings have what their mails and texts need");
  const tenant = { name: "Default", emailConfiguration: { verifyEmail: true, forgotPasswordEmailTemplateId: null } };
  writeFileSync(join(directory, "flows.json"), JSON.stringify({ formatVersion: 1, tenants: [tenant] }));
  expect(await run(["apply", "flows.json"])).toMatchObject({ code: 0 });
  const { code, printed } = await run(["doctor"]);
  expect([code, printed]).toEqual([
    0,
    expect.stringMatching(
      /^warn {2}flows: No mail leaves for tenant\.emailConfiguration\.verifyEmail of the tenant Default \(\S+\)\n +Set tenant\.emailConfiguration\.verificationEmailTemplateId\.$/m,
    ),
  ]);
  const back = { ...tenant, emailConfiguration: { verifyEmail: false } };
  writeFileSync(join(directory, "flows.json"), JSON.stringify({ formatVersion: 1, tenants: [back] }));
  expect(await run(["apply", "flows.json"])).toMatchObject({ code: 0 });
});

/** A module that gives a service without an engine for lambdas, and with so many of them. */
const engineless = (lambdas: number): string => `
  import { createIdentityService } from "latchkey";
  import { memoryStorage } from "latchkey/memory";
  const refused = { kind: "refused", message: "There is no engine.", console: [] };
  const runner = { run: async () => refused, readState: () => ({ guests: 0, waiting: 0, killed: 0 }), close: async () => {} };
  export default async () => {
    const identity = await createIdentityService({ storage: memoryStorage(), lambdas: { runner } });
    const lambda = { name: "One", type: "JWTPopulate", body: "function populate() {}" };
    for (let made = 0; made < ${lambdas}; made++) await identity.lambdas.create({ lambda });
    return identity;
  };`;

requirement("cli.doctor-truth", "lambdas that nothing can run", async () => {
  writeFileSync(join(directory, "none.mjs"), engineless(0));
  writeFileSync(join(directory, "one.mjs"), engineless(1));
  const without = await run(["doctor", "--module", "none.mjs"]);
  expect([without.code, without.printed]).toEqual([0, expect.stringContaining("ok    lambdas: there are none\n")]);
  const { code, printed } = await run(["doctor", "--module", "one.mjs"]);
  expect([code, printed]).toEqual([
    1,
    expect.stringMatching(/^fail {2}lambdas: no lambda can be run, and there are 1\n {6}Install /m),
  ]);
});

requirement("cli.version", "the version is that of the package", async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
  for (const flag of ["--version", "-v"]) expect(await run([flag])).toEqual({ code: 0, printed: `${version}\n`, said: "" });
});
