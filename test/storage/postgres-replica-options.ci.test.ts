// What goes without a standby: options, and a replica that is none.

import type { Telemetry } from "latchkey/ports";
import type { PgPoolLike, PostgresStorageOptions } from "latchkey/postgres";
import { postgresStorage } from "latchkey/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { testDatabase } from "../support/postgres.js";
import { startWorld } from "../support/world.js";

const database = testDatabase();

const telemetry: Telemetry = { follow: (_activity, work) => work(), watchOutbox: () => () => undefined };

test.each([{}, { telemetry }])("a server that is no standby serves nothing, and metrics say why: %j", async (options) => {
  const storage = database.newStorage({ readFrom: [database.pool()] });
  const { caller, identity } = await startWorld(storage, options);
  for (const name of ["a", "b"]) {
    const { group } = await identity.groups.create({ group: { name } });
    expect((await identity.groups.list()).groups).toContainEqual(expect.objectContaining({ id: group.id }));
  }
  const metrics = (await caller.get("/api/prometheus/metrics")).text;
  expect(metrics).toContain('latchkey_storage_replica_reads_total{outcome="served"} 0');
  expect(metrics).toContain('latchkey_storage_replica_reads_total{outcome="notStandby"} 1');
});

test("without replicas there is no metric of them", async () => {
  const { caller } = await startWorld(database.newStorage({ readFrom: [] }));
  expect((await caller.get("/api/prometheus/metrics")).text).not.toContain("replica");
});

test("a pool of the host is asked nothing before a read, and stays open", async () => {
  const pool = database.pool();
  const end = vi.fn(async () => undefined);
  const connect = vi.fn<PgPoolLike["connect"]>(() => pool.connect());
  const readFrom: PgPoolLike = { options: pool.options, connect, end, on: () => undefined, off: () => undefined };
  const storage = database.newStorage({ readFrom });
  onTestFinished(() => storage.close());
  await storage.open([]);
  await storage.ping();
  expect(connect).not.toHaveBeenCalled();
  await storage.close();
  expect(end).not.toHaveBeenCalled();
});

const wrong: readonly (readonly [object, RegExp])[] = [
  [{ readFrom: {} }, /readFrom must be/],
  [{ readFrom: ["postgres://x", 5] }, /readFrom must be/],
  [{ readFrom: [null] }, /readFrom must be/],
  [{ readFrom: 5 }, /readFrom must be/],
  [{ readFrom: null }, /readFrom must not be null/],
  [{ readFrom: "postgres://x", isDistributed: true }, /does not go with isDistributed/],
  [{ replicaMaxLagMs: -1 }, /replicaMaxLagMs must be/],
  [{ replicaWaitMs: Number.NaN }, /replicaWaitMs must be/],
];
test.each(wrong)("%j is refused", (options, message) => {
  const given: PostgresStorageOptions = { connectionString: "postgres://x", ...options };
  expect(() => postgresStorage(given)).toThrow(message);
});
