import type { Kysely } from "kysely";
import { globalScope, type Storage, type Table, type Transaction, UniqueViolation } from "latchkey/ports";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGate, keep, keptLabels, labelsOf, rejectionOf } from "../contract/storage/kit.js";
import {
  books,
  bookTags,
  entries,
  idOf,
  north,
  tables,
  tenants,
  tenantsToStart,
  toBook,
  toRecord,
} from "../contract/storage/tables.js";
import { clientOf, postgresUrl, testDatabase, testOnServer } from "../support/postgres.js";
import { startCuttableServer } from "./support/cuttable-server.js";

const { newSchema, newStorage, pool } = testDatabase();
type Tx = Transaction<Kysely<unknown>>;
let schema: string;
let storage: Storage<Kysely<unknown>>;

beforeEach(async () => {
  schema = newSchema();
  storage = newStorage({ schema });
  await storage.open(tables);
  await keep(storage, tenants, tenantsToStart);
});
afterEach(() => storage.close());

const share = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => storage.transaction(work, { isShareable: true });
const add = async (tx: Tx, label: string): Promise<string> => {
  await tx.insert(globalScope, books, [toBook(label)]);
  return label;
};
const labels = Array.from({ length: 60 }, (_, index) => `b${100 + index}`);

/** How many transactions wrote the rows of a table that are there. */
async function countWriters(table: string): Promise<number> {
  const { rows } = await pool().query(`select count(distinct xmin::text)::int as n from "${schema}"."latchkey_${table}"`);
  return rows[0].n;
}

/** What became of each: what it answered, or the name of its error. */
async function outcomesOf(work: readonly Promise<string>[]): Promise<readonly string[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((one) => (one.status === "fulfilled" ? one.value : one.reason.name));
}

describe("work that may share a transaction", () => {
  test("needs far fewer commits than units, and keeps their order", async () => {
    const added: string[] = [];
    const run = (label: string) => (tx: Tx) => {
      tx.afterCommit(() => added.push(label));
      return add(tx, label);
    };
    expect(await Promise.all(labels.map((label) => share(run(label))))).toEqual(labels);
    expect(await keptLabels(storage)).toEqual(labels);
    expect(added.toSorted()).toEqual(labels);
    expect(await countWriters("books")).toBeLessThan(labels.length / 3);
  });

  test("reads what was written before it, by itself and by others, though what was read before is not read again", async () => {
    const counts = await Promise.all(
      labels.map((label) =>
        share(async (tx) => {
          const before = (await tx.find(globalScope, books, undefined)).length;
          await add(tx, label);
          expect(await tx.retrieve(globalScope, books, idOf(label))).toMatchObject({ id: idOf(label) });
          return (await tx.find(globalScope, books, undefined)).length - before;
        }),
      ),
    );
    expect(new Set(counts)).toEqual(new Set([1]));
  });

  test("reads nothing that went with what was removed", async () => {
    await keep(storage, books, [toBook("a")]);
    await keep(storage, bookTags, [toRecord("t", { bookId: idOf("a"), tag: "x" })]);
    const seen = await share(async (tx) => {
      const before = labelsOf(await tx.find(globalScope, bookTags, undefined));
      await tx.remove(globalScope, books, { op: "equals", column: "title", value: "a" });
      return [before, labelsOf(await tx.find(globalScope, bookTags, undefined))];
    });
    expect(seen).toEqual([["t"], []]);
  });

  // An embedded database has one session.
  testOnServer("waits for nobody who shared a transaction with it before", async () => {
    const gate = createGate();
    const slow = share((tx) => gate.opened.then(() => add(tx, "slow")));
    expect(await Promise.all(labels.map((label) => share((tx) => add(tx, label))))).toEqual(labels);
    gate.open();
    expect(await slow).toBe("slow");
  });
});

describe("shared work that fails", () => {
  // An embedded database has one session.
  testOnServer("sees all that was committed before its request", async () => {
    const gate = createGate();
    const reading = createGate();
    // As many as are shared at a time: what comes later shares one that has read already.
    const slow = ["a", "b", "c"].map((label) =>
      share(async (tx) => {
        await tx.find(globalScope, bookTags, undefined);
        if (label === "c") reading.open();
        await gate.opened;
        return label;
      }),
    );
    await reading.opened;
    await keep(storage, books, [toBook("before")]);
    const late = share(async (tx) => {
      if ((await tx.retrieve(globalScope, books, idOf("before"))) === undefined) throw new TypeError();
      return "seen";
    });
    gate.open();
    expect(await outcomesOf([...slow, late])).toEqual(["a", "b", "c", "seen"]);
  });

  const failures: Readonly<Record<string, { readonly work: (tx: Tx) => Promise<string>; readonly error: string }>> = {
    "before it has written": { work: () => Promise.reject(new TypeError()), error: "TypeError" },
    "after it has written": {
      work: async (tx) => {
        await add(tx, "undone");
        throw new TypeError();
      },
      error: "TypeError",
    },
    "by a record that is there": { work: (tx) => add(tx, "taken"), error: "UniqueViolation" },
    "by a reference to nothing": {
      work: async (tx) => {
        await tx.insert(globalScope, bookTags, [toRecord("t", { bookId: idOf("nowhere"), tag: "x" })]);
        return "inserted";
      },
      error: "ReferenceViolation",
    },
  };

  test.each(Object.entries(failures))("%s takes nobody along", async (_, { error, work }) => {
    await keep(storage, books, [toBook("taken")]);
    const half = labels.slice(0, 30);
    const called: string[] = [];
    const note = (label: string) => (tx: Tx) => {
      tx.afterCommit(() => called.push(label));
      return add(tx, label);
    };
    const failing = share((tx) => {
      tx.afterCommit(() => called.push("failed"));
      return work(tx);
    });
    const [failed, ...others] = await outcomesOf([failing, ...half.map((label) => share(note(label)))]);
    expect([failed, others]).toEqual([error, half]);
    expect(called.toSorted()).toEqual(half);
    expect(await keptLabels(storage)).toEqual([...half, "taken"]);
  });

  test("names what is taken, as work by itself does", async () => {
    const outcomes = await Promise.allSettled(labels.map(() => share((tx) => add(tx, "same"))));
    const refused = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused).toHaveLength(labels.length - 1);
    for (const error of refused) expect(error).toMatchObject({ table: "books", keys: expect.arrayContaining(["id"]) });
    expect(refused[0]).toBeInstanceOf(UniqueViolation);
  });

  test("may go on after the refusal of a taken record", async () => {
    await keep(storage, books, [toBook("a")]);
    const work = async (tx: Tx): Promise<string> => {
      await rejectionOf(tx.insert(globalScope, books, [toBook("b"), toBook("a")]), UniqueViolation);
      return add(tx, "c");
    };
    // The first run believes that all is well, and is undone.
    expect(await share((tx) => work(tx).catch(() => add(tx, "d")))).toBe("c");
    expect(await keptLabels(storage)).toEqual(["a", "c"]);
  });

  test("keeps what a savepoint of its own has not undone", async () => {
    await share(async (tx) => {
      await add(tx, "a");
      await rejectionOf(
        tx.savepoint(async () => {
          await add(tx, "b");
          throw new TypeError();
        }),
        TypeError,
      );
      await rejectionOf(
        tx.savepoint(() => add(tx, "a")),
        UniqueViolation,
      );
    });
    expect(await keptLabels(storage)).toEqual(["a"]);
  });
});

test("work that changes records, or uses the host's own handle, has a transaction to itself", async () => {
  await keep(storage, books, [toBook("a")]);
  const increment = async (tx: Tx): Promise<void> => {
    const { version } = (await tx.retrieve(north, books, idOf("a"))) ?? { version: 0 };
    await tx.update(north, books, toBook("a", { pages: version }, { version: version + 1 }));
  };
  await Promise.all(labels.map(() => share(increment)));
  expect(await storage.retrieve(north, books, idOf("a"))).toMatchObject({ version: 1 + labels.length });
  const { rows } = await share((tx) => clientOf(tx).query("select 1 as one"));
  expect(rows).toEqual([{ one: 1 }]);
});

test("work that is over asks for nothing in the name of what shares its transaction", async () => {
  const log: Table = entries;
  let late: (() => Promise<unknown>) | undefined;
  const first = share(async (tx) => {
    late = () => tx.insert(globalScope, log, [toRecord("late", { text: "x" }, { tenantId: null })]);
    return add(tx, "a");
  });
  const second = share(async (tx) => {
    await expect(late?.()).rejects.toThrow("The transaction is over.");
    return add(tx, "b");
  });
  expect(await Promise.all([first, second])).toEqual(["a", "b"]);
  expect(await keptLabels(storage, undefined, log)).toEqual([]);
});

testOnServer("acknowledged work is stored, and stored once, when connections break", async () => {
  const way = await startCuttableServer(postgresUrl ?? "");
  const cut = newStorage({ schema, connectionString: way.url });
  await cut.open(tables);
  const acknowledged: string[] = [];
  const entry = (label: string) => toRecord(label, { text: label }, { tenantId: null });
  const write = async (writer: number): Promise<void> => {
    for (let count = 0; acknowledged.length < 300; count++) {
      const label = `${writer} ${count}`;
      const work = (tx: Transaction): Promise<void> => tx.insert(globalScope, entries, [entry(label)]);
      const written = await cut.transaction(work, { isShareable: true }).then(
        () => true,
        () => false,
      );
      // By number, not by time: a busy machine may need longer to connect than a pause lasts.
      if (written && acknowledged.push(label) % 15 === 0) way.cut();
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)));
  await cut.close();
  const kept = await keptLabels(storage, undefined, entries);
  expect(kept.length).toBe(new Set(kept).size);
  expect(acknowledged.filter((label) => !kept.includes(label))).toEqual([]);
});
