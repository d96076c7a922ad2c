// What `latchkey doctor` says of an installation that is not well: what failed, why, and what to do.
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createStage, type Stage } from "../blackbox/support/stage.js";
import { requirement } from "../support/requirement.js";
import { runnerIn } from "./support.js";

// Each command is a process.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stage: Stage;
let directory: string;
/** The same package where isolated-vm is not installed. */
let bare: Stage;

beforeAll(async () => {
  stage = await createStage();
  directory = await mkdtemp(join(tmpdir(), "latchkey-doctor-"));
  bare = { ...stage, directory: join(directory, "bare") };
  mkdirSync(join(bare.directory, "node_modules"), { recursive: true });
  for (const name of ["dist", "package.json"])
    await cp(join(stage.directory, name), join(bare.directory, name), { recursive: true });
  const modules = join(stage.directory, "node_modules");
  for (const name of readdirSync(modules))
    if (name !== "isolated-vm") symlinkSync(join(modules, name), join(bare.directory, "node_modules", name));
  await run(["migrate"]);
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const inDirectory = (): string => directory;
const run = runnerIn(() => stage, inDirectory);
const runBare = runnerIn(() => bare, inDirectory);

const secret = "another secret with at least 32 characters";

interface Wrong {
  readonly database?: string;
  readonly env?: Record<string, string>;
  readonly detail: RegExp;
  readonly hint: RegExp;
}

async function expectFailure({ database, env = {}, detail, hint }: Wrong, runner = run): Promise<void> {
  const args = ["doctor", "--json", ...(database === undefined ? [] : ["--database", database])];
  const { code, printed, said } = await runner(args, { env });
  const { findings } = JSON.parse(printed);
  const failed = findings.filter(({ result }: { readonly result: string }) => result === "fail");
  expect(failed).toEqual([expect.objectContaining({ detail: expect.stringMatching(detail), hint: expect.stringMatching(hint) })]);
  expect(code).toBe(1);
  expect(printed + said).not.toMatch(/\bat \S+ \(|node:internal|\.js:\d+|pass-word/);
}

requirement("cli.doctor-truth", "a file of SQLite that is not there, or is something else", async () => {
  writeFileSync(join(directory, "text.db"), "no database, but long enough to be read as a head ".repeat(40));
  mkdirSync(join(directory, "folder"));
  await expectFailure({ database: "sqlite:other.db", detail: /there is no file \S+\/other\.db$/, hint: /Run latchkey migrate/ });
  await expectFailure({
    database: "sqlite:none/a.db",
    detail: /the folder \S+\/none does not exist$/,
    hint: /^Create it, or pass/,
  });
  await expectFailure({
    database: "sqlite:text.db",
    detail: /it is no SQLite database$/,
    hint: /^Pass the path of another file/,
  });
  await expectFailure({ database: "sqlite:folder", detail: /it is a folder$/, hint: /^Pass the path of a file in it/ });
  await expectFailure({ database: "host=a password=pass-word", detail: /must be memory:/, hint: /Correct --database/ });
});

// Root may read everything.
if (process.getuid?.() !== 0)
  test("a file of SQLite that this process may not read", async () => {
    copyFileSync(join(directory, "latchkey.db"), join(directory, "closed.db"));
    chmodSync(join(directory, "closed.db"), 0);
    await expectFailure({ database: "sqlite:closed.db", detail: /may not read and write it$/, hint: /^Change the permissions/ });
  });

requirement("cli.doctor-truth", "no database is named, and the default is not there", async () => {
  const empty = join(directory, "empty");
  mkdirSync(empty);
  const runEmpty = runnerIn(
    () => stage,
    () => empty,
  );
  await expectFailure({ detail: /neither --database nor DATABASE_URL names another$/, hint: /Run latchkey migrate/ }, runEmpty);
});

requirement("cli.doctor-truth", "a Postgres that does not answer, in time or at all", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  await new Promise((resolve) => server.close(resolve));
  const database = `postgres://me:pass-word@127.0.0.1:${port}/identity`;
  await expectFailure({ database, detail: /ECONNREFUSED/, hint: /^Start the server, or correct host and port in the URL/ });
});

const postgres = process.env.TEST_POSTGRES_URL;
if (postgres !== undefined)
  requirement("cli.doctor-truth", "a Postgres database that does not exist, and a wrong password", async () => {
    const other = new URL(postgres);
    other.pathname = "/no_such_database";
    await expectFailure({
      database: other.href,
      detail: /"no_such_database" does not exist$/,
      hint: /^Create the database, or correct its name in the URL/,
    });
    const wrong = new URL(postgres);
    wrong.password = "pass-word";
    await expectFailure({
      database: wrong.href,
      detail: /password authentication failed/,
      hint: /^Correct user and password in the URL/,
    });
  });

requirement("cli.doctor-truth", "a secret that is wrong, missing, short, or readable by others", async () => {
  await expectFailure({
    env: { LATCHKEY_SECRET: secret },
    detail: /^The secret does not open what this storage keeps sealed$/,
    hint: /^Pass the secret that it was used with/,
  });
  await expectFailure({ env: { LATCHKEY_SECRET: "short" }, detail: /at least 32 characters$/, hint: /variable/ });
  copyFileSync(join(directory, "latchkey.db"), join(directory, "alone.db"));
  await expectFailure({
    database: "sqlite:alone.db",
    detail: /^Neither LATCHKEY_SECRET nor /,
    hint: /^Set the variable, or put/,
  });
  chmodSync(join(directory, "latchkey.db.secret"), 0o640);
  try {
    await expectFailure({ detail: /^others may read latchkey\.db\.secret/, hint: /^chmod 600 latchkey\.db\.secret$/ });
  } finally {
    chmodSync(join(directory, "latchkey.db.secret"), 0o600);
  }
});

requirement("cli.doctor-truth", "variables that a start refuses", async () => {
  const key = { LATCHKEY_API_KEY: "short" };
  const wrong = { detail: /LATCHKEY_API_KEY has fewer than 32 characters/, hint: /^Set at least 32 random characters/ };
  await expectFailure({ ...wrong, env: { ...key, HOST: "0.0.0.0" } });
  await expectFailure({ env: { LATCHKEY_NAMES: "{" }, detail: /^LATCHKEY_NAMES is no JSON$/, hint: /^Set it to an object/ });
  const local = await run(["doctor"], { env: key });
  expect([local.code, local.printed]).toEqual([0, expect.stringContaining("warn  api-key: LATCHKEY_API_KEY has fewer")]);
});

requirement("cli.doctor-truth", "lambdas that nothing can run", async () => {
  const without = await runBare(["doctor"]);
  expect([without.code, without.printed]).toEqual([0, expect.stringContaining("warn  lambdas: no lambda can be run\n")]);
  const lambdas = [{ name: "One", type: "JWTPopulate", body: "function populate() {}\n" }];
  writeFileSync(join(directory, "config.json"), JSON.stringify({ formatVersion: 1, lambdas }));
  expect((await run(["apply", "config.json"])).code).toBe(0);
  await expectFailure({ detail: /^no lambda can be run, and there are 1$/, hint: /npm install isolated-vm/ }, runBare);
});

requirement("cli.version", "the version is that of the package", async () => {
  const { version } = JSON.parse(readFileSync(join(stage.directory, "package.json"), "utf8"));
  for (const flag of ["--version", "-v"]) expect(await run([flag])).toEqual({ code: 0, printed: `${version}\n`, said: "" });
});
