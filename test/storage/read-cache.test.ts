// A transaction that reads each record once says the same as one that asks the storage each time: the contract of storages holds for it.
import { describeStorage } from "latchkey/contract";
import { memoryStorage } from "latchkey/memory";
import { globalScope, type Storage, tenantScope } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { expect, onTestFinished } from "vitest";
import { cacheReads } from "../../src/operations/read-cache.js";
import { keep } from "../contract/storage/kit.js";
import { books, idOf, tables, tenants, tenantsToStart, toBook } from "../contract/storage/tables.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { watchStorage } from "../support/watched-storage.js";
import { temporaryFiles } from "./support/temporary-files.js";

const newFile = temporaryFiles();

function cached<Native>(storage: Storage<Native>): Storage<Native> {
  return new Proxy(storage, {
    get(target, name) {
      if (name === "transaction") {
        const transaction: Storage<Native>["transaction"] = (work, options) =>
          target.transaction((tx) => work(cacheReads(tx)), options);
        return transaction;
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

describeStorage("memory with cached reads", () => cached(memoryStorage()));
if (isLong) describeStorage("sqlite with cached reads", () => cached(sqliteStorage({ filename: newFile() })));

requirement("storage.reads-once", "a transaction asks for a record or a result once, until it writes", async () => {
  const asked: string[] = [];
  const storage = cached(watchStorage(memoryStorage(), { onStatement: (statement) => void asked.push(statement) }));
  onTestFinished(() => storage.close());
  await storage.open(tables);
  await keep(storage, tenants, tenantsToStart);
  await keep(storage, books, [toBook("a"), toBook("b")]);
  const isA = { op: "equals", column: "title", value: "a" } as const;
  await storage.transaction(async (tx) => {
    asked.length = 0;
    for (const scope of [tenantScope(idOf("north")), globalScope, tenantScope(idOf("south"))])
      await tx.retrieve(scope, books, idOf("a"));
    // Another tenant does not see what is known of this one.
    expect(asked).toEqual(["retrieve books", "retrieve books"]);
    for (let count = 0; count < 2; count++) expect(await tx.find(globalScope, books, isA)).toHaveLength(1);
    await tx.update(globalScope, books, toBook("a", { title: "c" }, { version: 2 }));
    expect((await tx.retrieve(globalScope, books, idOf("a")))?.version).toBe(2);
    expect(await tx.find(globalScope, books, isA)).toEqual([]);
    expect(asked.slice(2)).toEqual(["find books", "update books", "find books"]);
  });
});
