// Several processes on one database. An embedded database has one session, so this asks for a real server.
import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { globalScope, type Storage } from "latchkey/ports";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keep, keptLabels } from "../contract/storage/kit.js";
import { books, bookTags, idOf, north, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { postgresUrl, testDatabase } from "../support/postgres.js";
import { kill, startChild, tell, writeAndKill } from "./support/child.js";

const { newSchema, newStorage } = testDatabase();

/** Where a child finds a schema. */
const at = (schema: string): string => `${postgresUrl}#${schema}`;

async function withStorage<T>(schema: string, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = newStorage({ schema });
  await storage.open(tables);
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

describe("several processes", () => {
  let children: readonly ChildProcess[] = [];
  beforeAll(async () => {
    children = await Promise.all([startChild(), startChild(), startChild()]);
  });
  afterAll(() => Promise.all(children.map(kill)));

  test("may open the same fresh schema at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const schema = newSchema();
      await Promise.all(children.map((child, index) => tell(child, { kind: "open", place: at(schema), label: `c${index}` })));
      expect(await withStorage(schema, (storage) => keptLabels(storage))).toEqual(["c0", "c1", "c2"]);
    }
  });

  test("lose no update of the same record", async () => {
    const schema = newSchema();
    await withStorage(schema, async (storage) => {
      await keep(storage, tenants, tenantsToStart);
      await keep(storage, books, [toBook("one")]);
    });
    await Promise.all(children.map((child) => tell(child, { kind: "increment", place: at(schema), label: "one", times: 40 })));
    const kept = await withStorage(schema, (storage) => storage.retrieve(north, books, idOf("one")));
    expect(kept).toMatchObject({ version: 1 + children.length * 40 });
  });

  test("a process that is killed while it writes loses nothing it acknowledged, and leaves no half of a transaction", async () => {
    const schema = newSchema();
    const acknowledged: string[] = [];
    for (let kills = 0; kills < 4; kills++) {
      acknowledged.push(...(await writeAndKill(at(schema), `${kills}`, randomInt(1, 300))));
      await withStorage(schema, async (storage) => {
        const kept = new Set(await keptLabels(storage));
        expect(acknowledged.filter((label) => !kept.has(label))).toEqual([]);
        expect(await storage.find(globalScope, bookTags, undefined)).toHaveLength(kept.size);
      });
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(4);
  });
});
