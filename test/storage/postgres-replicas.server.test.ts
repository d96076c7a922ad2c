// Reads from a standby that streams from a primary (docs/operations.md#postgres): two servers of this file's own.

import { globalScope, ResultTooLarge, type Storage } from "latchkey/ports";
import { type PgClientLike, type PgPoolLike, type PostgresStorageOptions, postgresStorage } from "latchkey/postgres";
import pg from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { keep, rejectionOf } from "../contract/storage/kit.js";
import { books, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { PostgresServers, type Server, urlOf } from "../crash/topology/postgres-servers.js";
import { turns } from "../support/eventually.js";
import { cases, fc } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { startWorld } from "../support/world.js";
import { startCuttableServer } from "./support/cuttable-server.js";
import {
  list,
  listed,
  newSchema,
  openOn,
  outcomesDuring,
  outcomesOf,
  patience,
  startServers,
  untilServed,
} from "./support/replicas.js";

const now = performance.now.bind(performance);

/** Moves the clock by which a replica is left alone. */
function skip(ms: number): void {
  const moved = vi.spyOn(performance, "now").mockImplementation(() => now() + ms);
  onTestFinished(() => moved.mockRestore());
}

describe("a standby", () => {
  const servers = startServers(["b"]);
  const standby = (): Server => servers().standbys[0] as Server;

  async function pauseReplay(): Promise<void> {
    await servers().query("select pg_wal_replay_pause()", standby());
    const isPaused = async (): Promise<void> =>
      expect((await servers().query("select pg_get_wal_replay_pause_state()", standby())).trim()).toBe("paused");
    await vi.waitFor(isPaused, patience);
  }

  async function resumeReplay(): Promise<void> {
    await servers().query("select pg_wal_replay_resume()", standby());
  }

  async function open(options: Partial<PostgresStorageOptions> = {}): Promise<Storage> {
    const storage = await openOn(servers().primary, { readFrom: urlOf(standby()), ...options });
    if (options.schema === undefined) await keep(storage, tenants, tenantsToStart);
    return storage;
  }

  requirement(
    "postgres.replicas",
    "lists and searches show each write before them, while the replay stops and goes on",
    async () => {
      const storage = postgresStorage({
        connectionString: urlOf(servers().primary),
        schema: newSchema(),
        readFrom: [urlOf(standby())],
        replicaWaitMs: 10,
      });
      const { identity } = await startWorld(storage);
      onTestFinished(resumeReplay);
      const expected = new Set<string>((await identity.groups.list()).groups.map(({ name }) => name));
      const check = async (): Promise<void> => {
        const { groups } = await identity.groups.list();
        expect(new Set(groups.map(({ name }) => name))).toEqual(expected);
        const found = await identity.groups.search({ search: { name: "*", numberOfResults: 500 } });
        expect(new Set(found.groups.map(({ name }) => name))).toEqual(expected);
      };
      const ids: string[] = [];
      const steps = {
        check,
        pause: pauseReplay,
        async create() {
          const { group } = await identity.groups.create({ group: { name: crypto.randomUUID() } });
          ids.push(group.id);
          expected.add(group.name);
        },
        async remove() {
          const groupId = ids.pop();
          if (groupId === undefined) return;
          const { group } = await identity.groups.retrieve({ groupId });
          await identity.groups.remove({ groupId });
          expected.delete(group.name);
        },
        async resume() {
          await resumeReplay();
          await untilServed(storage, () => identity.groups.list());
        },
      };
      const step = fc.constantFrom("check", "create", "remove", "pause", "resume" as const);
      const walk = fc.array(fc.oneof(step, fc.constantFrom("check", "create" as const)), { minLength: 5, maxLength: 15 });
      const run = async (names: readonly (keyof typeof steps)[]): Promise<void> => {
        for (const name of names) await steps[name]();
        await steps.resume();
        await check();
      };
      await run(["resume", "check", "pause", "create", "check", "resume", "pause", "remove", "check"]);
      await fc.assert(fc.asyncProperty(walk, run), cases(40));
      const { behind = 0, served = 0, ...others } = outcomesOf(storage);
      expect(behind).toBeGreaterThan(1);
      expect(served).toBeGreaterThan(20);
      expect(others).toMatchObject({ conflict: 0, failed: 0, notStandby: 0, unavailable: 0 });
    },
  );

  test("a list waits for a replica that is a little behind", async () => {
    const storage = await open({ replicaWaitMs: 5_000 });
    await untilServed(storage);
    await pauseReplay();
    await keep(storage, books, [toBook("a")]);
    const outcomes = await outcomesDuring(storage, async () => {
      const [labels] = await Promise.all([list(storage), turns().then(resumeReplay)]);
      expect(labels).toEqual(["a"]);
    });
    expect(outcomes).toEqual({ served: 1 });
  });

  test("what is not a list of the API is read from the primary", async () => {
    const storage = await open();
    await untilServed(storage);
    await pauseReplay();
    onTestFinished(resumeReplay);
    const outcomes = await outcomesDuring(storage, async () => {
      const book = toBook("a");
      await keep(storage, books, [book]);
      expect(await storage.retrieve(globalScope, books, book.id)).toMatchObject({ id: book.id });
      expect(await storage.find(globalScope, books, undefined)).toHaveLength(1);
      expect(await storage.search(globalScope, books, { sort: [], limit: 5, offset: 0 })).toMatchObject({ total: 1 });
      expect(await storage.snapshot((reader) => reader.find(globalScope, books, undefined, listed))).toHaveLength(1);
      expect(await storage.transaction((tx) => tx.find(globalScope, books, undefined, listed))).toHaveLength(1);
    });
    expect(outcomes).toEqual({});
  });

  test("a standby of another primary serves nothing", async () => {
    const others = await PostgresServers.start(["b"]);
    onTestFinished(() => others.remove());
    const storage = await open({ readFrom: urlOf(others.standbys[0] as Server) });
    expect(await outcomesDuring(storage, () => list(storage))).toEqual({ notStandby: 1 });
  });

  test("what other processes commit shows within the greatest lag, and at once where that is 0", async () => {
    const schema = newSchema();
    const [writer, lagging] = [await open({ schema }), await open({ schema })];
    const strict = await open({ schema, replicaMaxLagMs: 0 });
    await keep(writer, tenants, tenantsToStart);
    for (const storage of [lagging, strict]) await untilServed(storage);
    await pauseReplay();
    onTestFinished(resumeReplay);
    await keep(writer, books, [toBook("a")]);
    const hasIt = (storage: Storage) => async (): Promise<void> => expect(await list(storage)).toEqual(["a"]);
    expect(await outcomesDuring(strict, hasIt(strict))).toEqual({ behind: 1 });
    skip(1_001);
    expect(await outcomesDuring(lagging, hasIt(lagging))).toEqual({ behind: 1 });
  });

  test("a page that is too large is refused as on the primary", async () => {
    const storage = await open();
    await keep(storage, books, [toBook("a"), toBook("b")]);
    await untilServed(storage);
    const sizeLimit = { maxBytes: 1, unmeasured: 1 };
    const outcomes = await outcomesDuring(storage, () =>
      rejectionOf(storage.find(globalScope, books, undefined, { ...listed, sizeLimit }), ResultTooLarge),
    );
    expect(outcomes).toEqual({ served: 1 });
  });

  test("a read that the replay ends is served by the primary", async () => {
    await servers().query("alter system set max_standby_streaming_delay = 0", standby());
    await servers().query("select pg_reload_conf()", standby());
    const pool = new pg.Pool({ connectionString: urlOf(standby()) });
    onTestFinished(() => pool.end());
    const schema = newSchema();
    const storage = await open({ schema, readFrom: sleepingPool(pool, schema), replicaWaitMs: 5_000 });
    await keep(storage, tenants, tenantsToStart);
    await keep(storage, books, [toBook("a")]);
    const outcomes = await outcomesDuring(storage, async () => {
      const reading = list(storage);
      await vi.waitFor(async () => expect((await servers().query(sleepers, standby())).trim()).toBe("1"), patience);
      await servers().query(`begin; lock table ${schema}.latchkey_books in access exclusive mode; commit`);
      expect(await reading).toEqual(["a"]);
    });
    expect(outcomes).toEqual({ conflict: 1 });
  });

  describe("that is lost", () => {
    test("costs one read in a while, and serves again when it is back", async () => {
      const way = await startCuttableServer(urlOf(standby()));
      const storage = await open({ readFrom: way.url });
      await untilServed(storage);
      way.close();
      const readTen = async (): Promise<void> => {
        await keep(storage, books, [toBook(`${Math.random()}`)]);
        for (let time = 0; time < 10; time++) expect(await list(storage)).not.toEqual([]);
      };
      expect(await outcomesDuring(storage, readTen)).toEqual({ unavailable: 1, paused: 9 });
      skip(5_001);
      expect(await outcomesDuring(storage, readTen)).toEqual({ unavailable: 1, paused: 9 });
      way.open();
      skip(10_002);
      await untilServed(storage);
    });

    test("without a word keeps a read waiting for a second", async () => {
      const way = await startCuttableServer(urlOf(standby()));
      const storage = await open({ readFrom: way.url });
      await untilServed(storage);
      way.freeze();
      const began = performance.now();
      expect(await outcomesDuring(storage, () => list(storage))).toEqual({ unavailable: 1 });
      expect(performance.now() - began).toBeLessThan(15_000);
    });

    test("leaves the reads to the others", async () => {
      const way = await startCuttableServer(urlOf(standby()));
      const storage = await open({ readFrom: [way.url, urlOf(standby())], replicaWaitMs: 5_000 });
      way.close();
      await vi.waitFor(
        async () => expect(await outcomesDuring(storage, () => list(storage))).toEqual({ unavailable: 1 }),
        patience,
      );
      expect(await outcomesDuring(storage, async () => void (await Promise.all([list(storage), list(storage)])))).toEqual({
        served: 2,
      });
    });
  });
});

const sleepers = "select count(*) from pg_stat_activity where wait_event = 'PgSleep'";

/** Connections on which a read of the books takes ten seconds. */
function sleepingPool(pool: pg.Pool, schema: string): PgPoolLike {
  const connect = async (): Promise<PgClientLike> => {
    const client: PgClientLike = await pool.connect();
    return {
      async query(query) {
        const isRead = query.text.includes("latchkey_books");
        if (isRead) await client.query({ text: `select pg_sleep(10) from ${schema}.latchkey_books` });
        return client.query(query);
      },
      release: (error) => client.release(error),
      on: (event, listener) => client.on(event, listener),
      off: (event, listener) => client.off(event, listener),
    };
  };
  return { options: pool.options, connect, end: () => pool.end(), on: () => undefined, off: () => undefined };
}
