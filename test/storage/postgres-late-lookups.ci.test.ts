// Lookups in a host's transaction, whose answers nobody waits for (src/ports/storage.ts: expectNone).
import type { Kysely } from "kysely";
import { createIdentityService } from "latchkey";
import { globalScope, type Storage, type Transaction } from "latchkey/ports";
import type pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keep, keptLabels } from "../contract/storage/kit.js";
import { books, idOf, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { clientOf, testDatabase } from "../support/postgres.js";

const { newStorage, pool } = testDatabase();
type Tx = Transaction<Kysely<unknown>>;

describe("lookups that do not wait for their answers", () => {
  let storage: Storage<Kysely<unknown>>;
  beforeEach(async () => {
    storage = newStorage();
    await storage.open(tables);
    await keep(storage, tenants, tenantsToStart);
    await keep(storage, books, [toBook("a")]);
  });
  afterEach(() => storage.close());

  const expectNo = (tx: Tx, ...labels: readonly string[]) => tx.expectNone?.(globalScope, books, "id", labels.map(idOf)) === true;

  /** Runs work that may collide late, and returns what each run answered. */
  async function runLate<T>(work: (tx: Tx, run: number) => Promise<T>): Promise<readonly T[]> {
    const answers: T[] = [];
    await storage.transaction(async (tx) => answers.push(await work(tx, answers.length)), { mayCollideLate: true });
    return answers;
  }

  test("are taken where nothing is found, and the transaction commits after one run", async () => {
    const answers = await runLate(async (tx) => {
      await tx.insert(globalScope, books, [toBook("b")]);
      return expectNo(tx, "c") && expectNo(tx, "d", "e");
    });
    expect([answers, await keptLabels(storage)]).toEqual([[true], ["a", "b"]]);
  });

  test("undo the transaction where something is found: its work runs again, and looks up by itself", async () => {
    const answers = await runLate(async (tx, run) => {
      await tx.insert(globalScope, books, [toBook(`b${run}`)]);
      return expectNo(tx, "c", "a");
    });
    expect([answers, await keptLabels(storage)]).toEqual([
      [true, false],
      ["a", "b1"],
    ]);
  });

  test("count though the work rejects with an error of its own, or catches that of a later call", async () => {
    const runs: boolean[] = [];
    const failing = runLate(async (tx) => {
      runs.push(expectNo(tx, "a"));
      throw new Error("of the work itself");
    });
    await expect(failing).rejects.toThrow("of the work itself");
    expect(runs).toEqual([true, false]);
    const caught = await runLate(async (tx) => {
      const isTaken = expectNo(tx, "a");
      await tx.settle?.().catch(() => undefined);
      return isTaken;
    });
    expect(caught).toEqual([true, false]);
  });

  test("see the records as they were before a change that follows", async () => {
    const removed = await runLate(async (tx) => {
      const isTaken = expectNo(tx, "a");
      await tx.remove(globalScope, books, { op: "equals", column: "id", value: idOf("a") });
      return isTaken;
    });
    expect(removed).toEqual([true, false]);
  });

  test("are not taken by a transaction that has statements of the host, nor by one that waits for its answers", async () => {
    const answers = await runLate(async (tx) => {
      const isTaken = expectNo(tx, "b");
      await clientOf(tx).query("select 1");
      return [isTaken, expectNo(tx, "c")];
    });
    expect(answers).toEqual([[true, false]]);
    expect(await storage.transaction(async (tx) => expectNo(tx, "b"))).toBe(false);
  });

  test("of work that shares its transaction refuse that work alone", async () => {
    const results = await Promise.all(
      ["b", "a", "c"].map((label) =>
        storage.transaction(
          async (tx) => {
            const isTaken = expectNo(tx, label);
            const found = isTaken ? [] : await tx.find(globalScope, books, { op: "equals", column: "id", value: idOf(label) });
            if (found.length === 0) await tx.insert(globalScope, books, [toBook(`${label}2`)]);
            return found.length;
          },
          { isShareable: true },
        ),
      ),
    );
    expect([results, await keptLabels(storage)]).toEqual([
      [0, 1, 0],
      ["a", "b2", "c2"],
    ]);
  });
});

describe("users that are created one by one in a transaction of the host", () => {
  test("cost no statement each that asks whether their address is a name", async () => {
    const statements: string[] = [];
    const storage = newStorage({ pool: recordStatements(pool(), statements) });
    const identity = await createIdentityService({
      storage,
      secret: "a-secret-of-at-least-thirty-two-characters",
      delivery: false,
    });
    const count = 100;
    await identity.transaction(async (tx) => {
      statements.length = 0;
      for (let index = 0; index < count; index++) await tx.users.create({ user: { email: `ann-${index}@example.com` } });
    });
    const lookups = statements.filter((text) => /^select .*username_folded/.test(text));
    expect(lookups.length).toBe(1);
    expect(statements.length).toBeLessThan(count + 10);
    await identity.close();
  });
});

/** A pool whose connections note each statement. */
function recordStatements(given: pg.Pool, statements: string[]): pg.Pool {
  const connect = async (): Promise<pg.PoolClient> => {
    const client = await given.connect();
    const query = (asked: { readonly text: string }): unknown => {
      statements.push(asked.text);
      return (client.query as (asked: unknown) => unknown)(asked);
    };
    return new Proxy(client, {
      get(target, name) {
        if (name === "query") return query;
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  };
  return new Proxy(given, {
    get(target, name) {
      if (name === "connect") return connect;
      if (name === "end") return async () => undefined;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
