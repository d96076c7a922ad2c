import { type PgClientLike, type PgPoolLike, postgresStorage } from "latchkey/postgres";
import { expect, test } from "vitest";
import { turns } from "../support/eventually.js";

/** A pool of the host whose statements are answered when the test says so. */
function heldPool(): { readonly pool: PgPoolLike; readonly answer: () => void; readonly calls: readonly string[] } {
  const answered = Promise.withResolvers<void>();
  const calls: string[] = [];
  const client: PgClientLike = {
    query: async () => {
      await answered.promise;
      return { rows: [], rowCount: 0, command: "SELECT" };
    },
    release: () => void calls.push("release"),
    on: () => undefined,
    off: () => undefined,
  };
  const pool = {
    options: {},
    connect: async () => client,
    end: async () => void calls.push("end"),
    on: () => undefined,
    off: () => undefined,
  };
  return { pool, answer: () => answered.resolve(), calls };
}

test("closing a storage waits for running statements, and does not end the pool of the host", async () => {
  const { answer, calls, pool } = heldPool();
  const storage = postgresStorage({ pool });
  const asked = storage.ping();
  await turns();
  let isClosed = false;
  const closed = storage.close().then(() => (isClosed = true));
  await turns();
  expect(isClosed).toBe(false);
  answer();
  await asked;
  await closed;
  expect(calls).toEqual(["release"]);
  await expect(storage.ping()).rejects.toThrow("The storage is closed.");
});
