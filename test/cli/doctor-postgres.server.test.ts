// What commands say of a database of Postgres, without a service on it.
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { postgresUrl } from "../support/postgres.js";
import { requirement } from "../support/requirement.js";
import { expectFailure } from "./doctor-failures.js";
import { makeEmpty, runnerIn } from "./support.js";

const url = postgresUrl ?? "";
let directory: string;

beforeAll(async () => {
  directory = await makeEmpty();
});

afterAll(() => rm(directory, { recursive: true }));

const run = runnerIn(() => directory);

test("the version of a schema is read without a service, and a database without one is left as it is", async () => {
  const dry = await run(["migrate", "--dry-run", "--json", "--database", url]);
  expect([dry.code, dry.said]).toEqual([0, ""]);
  const { from, to } = JSON.parse(dry.printed);
  expect([0, to]).toContain(from);
  const told = await run(["doctor", "--database", url]);
  expect(told.printed).toContain("ok    database: postgres answers");
  expect(told.printed).toContain("ok    clock: the database is");
});

requirement("cli.doctor-truth", "a Postgres database that does not exist, and a wrong password", async () => {
  const other = new URL(url);
  other.pathname = "/no_such_database";
  await expectFailure(run, {
    database: other.href,
    detail: /"no_such_database" does not exist$/,
    hint: /^Create the database, or correct its name in the URL/,
  });
  const wrong = new URL(url);
  wrong.password = "pass-word";
  await expectFailure(run, {
    database: wrong.href,
    detail: /password authentication failed/,
    hint: /^Correct user and password in the URL/,
  });
});
