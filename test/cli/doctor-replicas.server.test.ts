// What `latchkey doctor --replica` says of standbys that reads go to.
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { findFreePort } from "../crash/throw-away-postgres.js";
import { PostgresServers, type Server, urlOf } from "../crash/topology/postgres-servers.js";
import { type Ended, makeEmpty, runnerIn } from "./support.js";

// Servers of Postgres start.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let servers: PostgresServers;
let directory: string;

beforeAll(async () => {
  directory = await makeEmpty();
  servers = await PostgresServers.start(["b"]);
  await run("migrate");
});

afterAll(async () => {
  servers?.remove();
  await rm(directory, { recursive: true });
});

const runner = runnerIn(() => directory);

function run(...args: readonly string[]): Promise<Ended> {
  const env = { DATABASE_URL: urlOf(servers.primary), LATCHKEY_SECRET: "a secret with at least 32 characters" };
  return runner(args, { env });
}

const standby = (): Server => servers.standbys[0] as Server;

/** The findings about replicas, and the exit code. */
async function examine(...urls: readonly string[]): Promise<{ readonly code: number; readonly findings: readonly unknown[] }> {
  const { code, printed } = await run("doctor", "--json", ...urls.flatMap((url) => ["--replica", url]));
  const { findings } = JSON.parse(printed) as { readonly findings: readonly { readonly check: string }[] };
  return { code, findings: findings.filter(({ check }) => check.startsWith("replica")) };
}

test("a standby that follows is well, and a server that is none is not", async () => {
  const well = { result: "ok", detail: "follows the primary" };
  expect(await examine(urlOf(standby()))).toEqual({ code: 0, findings: [{ check: "replica", ...well }] });
  const { code, findings } = await examine(urlOf(standby()), urlOf(servers.primary));
  const wrong = {
    check: "replica 2",
    result: "fail",
    detail: "is no standby of the database",
    hint: expect.stringMatching(/^Name/),
  };
  expect({ code, findings }).toEqual({ code: 1, findings: [{ check: "replica 1", ...well }, wrong] });
});

test("a standby that is behind is a warning", async () => {
  await servers.query("select pg_wal_replay_pause()", standby());
  await servers.query("create table later (id int)");
  const late = {
    check: "replica",
    result: "warn",
    detail: expect.stringMatching(/^lacks/),
    hint: expect.stringMatching(/^Look/),
  };
  expect(await examine(urlOf(standby()))).toEqual({ code: 0, findings: [late] });
  await servers.query("select pg_wal_replay_resume()", standby());
});

test("a replica that cannot be reached is a failure", async () => {
  const { code, findings } = await examine(urlOf({ port: await findFreePort() }));
  expect({ code, findings }).toMatchObject({
    code: 1,
    findings: [{ result: "fail", detail: expect.stringMatching(/ECONNREFUSED/) }],
  });
});

test("a database that has no replicas, and a module, are refused", async () => {
  const replica = ["--replica", "postgres://x"];
  const { code, printed } = await run("doctor", "--database", "memory:", ...replica);
  expect({ code, printed }).toEqual({ code: 1, printed: expect.stringMatching(/--replica goes with a database of Postgres/) });
  const ofModule = await run("doctor", "--module", "x.js", ...replica);
  expect(ofModule).toMatchObject({ code: 1, said: expect.stringMatching(/--replica looks at a database/) });
});
