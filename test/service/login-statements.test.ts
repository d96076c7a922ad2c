import Database from "better-sqlite3";
import { sqliteStorage } from "latchkey/sqlite";
import { afterEach, expect, vi } from "vitest";
import { expectOk } from "../support/answer.js";
import { arrangeLogin, loginBody } from "../support/logins.js";
import { stopMonotonicClock } from "../support/monotonic-clock.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { startWorld } from "../support/world.js";

afterEach(() => void vi.restoreAllMocks());

/** The SQL that runs on SQLite, whichever connection prepared it. */
function noteSql(): string[] {
  const noted: string[] = [];
  const statements = Object.getPrototypeOf(new Database(":memory:").prepare("select 1"));
  for (const name of ["all", "get", "iterate", "run"]) {
    const original = statements[name];
    vi.spyOn(statements, name).mockImplementation(function (this: { readonly source: string }, ...parameters: unknown[]) {
      noted.push(this.source);
      return original.apply(this, parameters);
    });
  }
  return noted;
}

/** The kind of a statement and its table. */
function describeSql(sql: string): string {
  const [, verb = ""] = /^(\w+)/.exec(sql) ?? [];
  const [, table] = /\b(?:from|into|update) "?latchkey_(\w+)/.exec(sql) ?? [];
  return table === undefined ? verb : `${verb} ${table}`;
}

const proof = ["select applications", "select tenants", "select users"];
const claims = ["select registrations", "select group_roles"];
const session = ["begin", "select users", "insert refresh_tokens"];
const record = ["select tenants", "update users", "select registrations", "update registrations"];
const event = ["select group_members", "insert events", "commit"];
const expected = [...proof, ...claims, ...session, ...record, ...event];

requirement("account.login-statements", "a login with no setting of account flows runs as many statements as ever", async () => {
  stopMonotonicClock();
  const world = await startWorld(sqliteStorage({ filename: `${makeDirectory()}/identity.db` }));
  await arrangeLogin(world);
  // Loads the modules, fills the caches and makes the source known to the throttle.
  for (let count = 0; count < 3; count++) expectOk(await world.caller.post("/api/login", loginBody()));
  const noted = noteSql();
  const logins: string[][] = [];
  for (let count = 0; count < 5; count++) {
    noted.length = 0;
    expectOk(await world.caller.post("/api/login", loginBody()));
    logins.push(noted.map(describeSql));
  }
  // What the service does from time to time, such as the writing of login records, may come between.
  expect(logins.toSorted((a, b) => a.length - b.length)[0]).toEqual(expected);
});
