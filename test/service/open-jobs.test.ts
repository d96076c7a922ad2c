// A limit holds for requests that arrive at once: its check and its write are one transaction.
import { type ByteStream, globalScope, type Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect } from "vitest";
import { importJobsTable } from "../../src/records/import-jobs/family.js";
import { describeOnServer, testDatabase } from "../support/postgres.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { bootstrapKey, startWorld, storages } from "../support/world.js";

const maxOpenJobs = 3;
const uploads = 12;

async function expectLimit(storage: Storage): Promise<void> {
  const world = await startWorld(storage, { importJobs: { maxOpenJobs } });
  const headers = { authorization: bootstrapKey, "content-type": "application/x-ndjson", "transfer-encoding": "chunked" };
  const never: ByteStream = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
  const refused: number[] = [];
  for (let count = 0; count < uploads; count++) {
    const body = { kind: "stream", stream: never } as const;
    const answer = world.identity.handle({ method: "POST", path: "/api/user/import/job", query: "", headers, body });
    void Promise.resolve(answer).then((given) => refused.push(given?.status ?? 0));
  }
  await expect.poll(() => refused.length, { timeout: 30_000 }).toBe(uploads - maxOpenJobs);
  expect(new Set(refused)).toEqual(new Set([429]));
  expect(await world.storage.find(globalScope, importJobsTable, undefined)).toHaveLength(maxOpenJobs);
}

const files: typeof storages = [["a SQLite file", () => sqliteStorage({ filename: `${makeDirectory()}/identity.db` })]];

describe.each([...storages, ...files])("on %s", (_name, open) => {
  requirement("import-jobs.limits", "uploads that arrive at once open no more jobs than the limit", () => expectLimit(open()));
});

describeOnServer("on Postgres", () => {
  const database = testDatabase();
  requirement("import-jobs.limits", "uploads that arrive at once open no more jobs than the limit", () =>
    expectLimit(database.newStorage()),
  );
});
