import { type Criteria, globalScope, type RecordToStore, type Storage, type StoredRecord } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, keptLabels, storedPart } from "./kit.js";
import { books, idOf, north, toBook } from "./tables.js";

const everything: Criteria = { sort: [], limit: 10, offset: 0 };

const waysOut: Readonly<Record<string, (storage: Storage) => Promise<readonly (StoredRecord | undefined)[]>>> = {
  retrieve: async (storage) => [await storage.retrieve(north, books, idOf("one"))],
  find: (storage) => storage.find(north, books, undefined),
  search: async (storage) => (await storage.search(north, books, everything)).records,
  "a transaction": (storage) => storage.transaction((tx) => tx.find(north, books, undefined)),
};

// A storage may hand out something frozen: then nothing can be changed, which is as good.
function spoil(target: object): void {
  for (const key of Reflect.ownKeys(target)) {
    const value: unknown = Reflect.get(target, key);
    if (typeof value === "object" && value !== null) spoil(value);
    Reflect.set(target, key, "spoilt");
  }
}

const copiesOut: readonly ContractTest[] = Object.entries(waysOut).map(([way, read]) => ({
  name: `changing what ${way} handed out changes nothing that is kept`,
  run: async (storage) => {
    const record = toBook("one");
    await keep(storage, books, [record]);
    for (const handedOut of await read(storage)) spoil(handedOut ?? {});
    expect((await read(storage)).map((kept) => kept && storedPart(kept))).toEqual([storedPart(record)]);
    expect(await keptLabels(storage, { op: "equals", column: "title", value: "one" })).toEqual(["one"]);
  },
}));

const copiesIn: readonly ContractTest[] = [
  {
    name: "changing a record after it was inserted changes nothing that is kept",
    run: async (storage) => {
      const records: RecordToStore[] = [structuredClone(toBook("one"))];
      await storage.transaction(async (tx) => {
        await tx.insert(globalScope, books, records);
        for (const record of records.splice(0)) spoil(record);
      });
      expect((await storage.find(north, books, undefined)).map(storedPart)).toEqual([storedPart(toBook("one"))]);
      expect(await keptLabels(storage, { op: "equals", column: "title", value: "one" })).toEqual(["one"]);
    },
  },
  {
    name: "changing a record after it was updated changes nothing that is kept",
    run: async (storage) => {
      await keep(storage, books, [toBook("one")]);
      const changed = structuredClone(toBook("one", { title: "uno" }, { version: 2 }));
      await storage.transaction(async (tx) => {
        await tx.update(globalScope, books, changed);
        spoil(changed);
      });
      expect(await keptLabels(storage, { op: "equals", column: "title", value: "uno" })).toEqual(["one"]);
    },
  },
  {
    name: "leaves what it is handed as it was",
    run: async (storage) => {
      const record = toBook("one");
      const criteria: Criteria = {
        filter: { op: "in", column: "title", values: ["two", "one"] },
        sort: [{ column: "title", direction: "desc" }],
        limit: 1,
        offset: 0,
      };
      const before = structuredClone({ record, criteria });
      await keep(storage, books, [record]);
      await storage.search(north, books, criteria);
      expect({ record, criteria }).toEqual(before);
    },
  },
];

export const copyTests: readonly ContractTest[] = [...copiesOut, ...copiesIn];
