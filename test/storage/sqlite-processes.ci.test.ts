import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { globalScope, type Storage } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keep, keptLabels } from "../contract/storage/kit.js";
import { books, bookTags, idOf, north, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { kill, startChild, tell, writeAndKill } from "./support/child.js";
import { temporaryFiles } from "./support/temporary-files.js";

const newFile = temporaryFiles();

async function withStorage<T>(filename: string, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = sqliteStorage({ filename });
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

  test("may open the same fresh file at the same time", async () => {
    for (let round = 0; round < 30; round++) {
      const filename = newFile();
      await Promise.all(children.map((child, index) => tell(child, { kind: "open", place: filename, label: `c${index}` })));
      expect(await withStorage(filename, (storage) => keptLabels(storage))).toEqual(["c0", "c1", "c2"]);
    }
  });

  test("lose no update of the same record", async () => {
    const filename = newFile();
    await withStorage(filename, async (storage) => {
      await keep(storage, tenants, tenantsToStart);
      await keep(storage, books, [toBook("one")]);
    });
    await Promise.all(children.map((child) => tell(child, { kind: "increment", place: filename, label: "one", times: 20 })));
    const kept = await withStorage(filename, (storage) => storage.retrieve(north, books, idOf("one")));
    expect(kept).toMatchObject({ version: 1 + children.length * 20 });
  });
});

test("a process that is killed while it writes loses nothing it acknowledged, and leaves no half of a transaction", async () => {
  const filename = newFile();
  const acknowledged: string[] = [];
  for (let kills = 0; kills < 6; kills++) {
    acknowledged.push(...(await writeAndKill(filename, `${kills}`, randomInt(1, 300))));
    await withStorage(filename, async (storage) => {
      const kept = new Set(await keptLabels(storage));
      expect(acknowledged.filter((label) => !kept.has(label))).toEqual([]);
      expect(await storage.find(globalScope, bookTags, undefined)).toHaveLength(kept.size);
    });
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(6);
});
