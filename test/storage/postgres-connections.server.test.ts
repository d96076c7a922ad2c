// What becomes of connections that are lost, late or used up. An embedded database has one, so this asks for a real server.
import type { Kysely } from "kysely";
import { globalScope, type Storage, StorageUnavailable } from "latchkey/ports";
import { type PostgresStorageOptions, postgresStorage } from "latchkey/postgres";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { createGate, keep, keptLabels, rejectionOf } from "../contract/storage/kit.js";
import { books, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { turns } from "../support/eventually.js";
import { clientOf, postgresUrl, testDatabase } from "../support/postgres.js";
import { startWorld } from "../support/world.js";
import { type CuttableServer, startCuttableServer } from "./support/cuttable-server.js";

const database = testDatabase();
const fail = (): never => {
  throw new RangeError("undo");
};

describe("on a real server", () => {
  async function open(options: PostgresStorageOptions): Promise<Storage<Kysely<unknown>>> {
    const storage = postgresStorage({ schema: database.newSchema(), ...options });
    onTestFinished(() => storage.close());
    await storage.open(tables);
    await keep(storage, tenants, tenantsToStart);
    return storage;
  }

  async function openCuttable(
    options: PostgresStorageOptions = {},
  ): Promise<{ readonly server: CuttableServer; readonly storage: Storage<Kysely<unknown>> }> {
    const server = await startCuttableServer(postgresUrl ?? "");
    return { server, storage: await open({ connectionString: server.url, ...options }) };
  }

  test("idle connections that are lost are replaced, and nobody hears of them", async () => {
    const { server, storage } = await openCuttable();
    await Promise.all(["a", "b", "c"].map((label) => keep(storage, books, [toBook(label)])));
    for (let time = 0; time < 3; time++) {
      server.cut();
      await turns();
      expect(await keptLabels(storage)).toEqual(["a", "b", "c"]);
    }
  });

  test("a lost connection rolls back its transaction with an error, and the next one works", async () => {
    const { server, storage } = await openCuttable();
    const lost = storage.transaction(async (tx) => {
      await tx.insert(globalScope, books, [toBook("a")]);
      server.cut();
      await tx.insert(globalScope, books, [toBook("b")]);
    });
    await rejectionOf(lost, StorageUnavailable);
    await keep(storage, books, [toBook("c")]);
    expect(await keptLabels(storage)).toEqual(["c"]);
  });

  test("a connection that is lost while a transaction asks for nothing does not end the process", async () => {
    const { server, storage } = await openCuttable();
    const lost = storage.transaction(async (tx) => {
      await tx.insert(globalScope, books, [toBook("a")]);
      server.cut();
      await turns();
    });
    await rejectionOf(lost, StorageUnavailable);
    expect(await keptLabels(storage)).toEqual([]);
  });

  test("a server that is away makes every call unavailable until it is back", async () => {
    const { server, storage } = await openCuttable();
    server.close();
    const calls = [() => storage.ping(), () => keptLabels(storage), () => keep(storage, books, [toBook("a")])];
    for (const call of calls) await rejectionOf(call(), StorageUnavailable);
    server.open();
    await keep(storage, books, [toBook("a")]);
    expect(await keptLabels(storage)).toEqual(["a"]);
  });

  test("work that may share transactions is refused while the server is away, and done when it is back", async () => {
    const { server, storage } = await openCuttable();
    const share = (label: string): Promise<void> =>
      storage.transaction((tx) => tx.insert(globalScope, books, [toBook(label)]), { isShareable: true });
    server.close();
    // More often than transactions are shared at a time: each gives its place back.
    for (const label of ["a", "b", "c", "d"]) await rejectionOf(share(label), StorageUnavailable);
    server.open();
    await Promise.all(["e", "f", "g", "h"].map(share));
    expect(await keptLabels(storage)).toEqual(["e", "f", "g", "h"]);
  });

  test("callers of the service are answered 503 while the server is away, and as before afterwards", async () => {
    const server = await startCuttableServer(postgresUrl ?? "");
    const world = await startWorld(postgresStorage({ connectionString: server.url, schema: database.newSchema() }));
    server.close();
    expect((await world.caller.get("/api/group")).status).toBe(503);
    expect((await world.caller.post("/api/group", { group: { name: "A" } })).status).toBe(503);
    server.open();
    expect((await world.caller.post("/api/group", { group: { name: "A" } })).status).toBe(200);
    expect((await world.caller.get("/api/group")).each("groups", "name")).toEqual(["A"]);
  });

  test("a server that answers nothing any more is not waited for without end", async () => {
    const { server, storage } = await openCuttable({ statementTimeoutMs: 2_000 });
    server.freeze();
    await rejectionOf(storage.ping(), StorageUnavailable);
    await storage.ping();
  });

  test("a statement that takes too long is ended by the server, and harms nothing else", async () => {
    const storage = await open({ connectionString: postgresUrl ?? "", statementTimeoutMs: 2_000 });
    const slow = storage.transaction((tx) => clientOf(tx).query("select pg_sleep(60)"));
    await expect(slow).rejects.toMatchObject({ code: "57014" });
    await keep(storage, books, [toBook("a")]);
  });

  const pools: Readonly<Record<string, () => PostgresStorageOptions>> = {
    "our own": () => ({ connectionString: postgresUrl ?? "", maxConnections: 3 }),
    "the host's": () => {
      const pool = new pg.Pool({ connectionString: postgresUrl, max: 3 });
      onTestFinished(() => pool.end());
      return { pool };
    },
  };

  test.each(Object.entries(pools))(
    "%s pool that is used up is waited for so long, and reads are served meanwhile",
    async (_, pool) => {
      const storage = await open({ ...pool(), connectionTimeoutMs: 3_000 });
      const gate = createGate();
      const holding = [1, 2].map(() => storage.transaction(() => gate.opened));
      await rejectionOf(keep(storage, books, [toBook("late")]), StorageUnavailable);
      expect(await keptLabels(storage)).toEqual([]);
      const waiting = storage.transaction((tx) => tx.insert(globalScope, books, [toBook("a")]));
      gate.open();
      await Promise.all([...holding, waiting]);
      expect(await keptLabels(storage)).toEqual(["a"]);
    },
  );

  test("a storage with a single connection reads inside of its transactions by it", async () => {
    const storage = await open({ connectionString: postgresUrl ?? "", maxConnections: 1 });
    const inside = storage.transaction(async (tx) => {
      await tx.insert(globalScope, books, [toBook("a")]);
      return keptLabels(storage);
    });
    expect(await inside).toEqual(["a"]);
  });

  test("a session with asynchronous commits is switched to synchronous ones", async () => {
    const url = new URL(postgresUrl ?? "");
    url.searchParams.set("options", "-c synchronous_commit=off");
    const storage = await open({ connectionString: url.href });
    const { rows } = await storage.transaction((tx) => clientOf(tx).query("show synchronous_commit"));
    expect(rows).toEqual([{ synchronous_commit: "on" }]);
  });

  test("as many transactions as there are connections may fail at once, and none is left behind", async () => {
    const storage = await open({ connectionString: postgresUrl ?? "", maxConnections: 2, connectionTimeoutMs: 20_000 });
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => storage.transaction(async () => fail())));
    expect(outcomes.every((outcome) => outcome.status === "rejected" && outcome.reason instanceof RangeError)).toBe(true);
    await keep(storage, books, [toBook("a")]);
  });
});
