import { type Filter, globalScope, StaleVersion, type Storage, type TenantScope, UniqueViolation } from "latchkey/ports";
import { expect } from "vitest";
import type { ContractTest } from "./contract-test.js";
import { keep, keptLabels, labelsOf, rejectionOf } from "./kit.js";
import { books, idOf, north, notes, settings, south, toBook, toRecord } from "./tables.js";

/** What a caller bound to tenant north learns about an id. */
type Look = (storage: Storage, id: string) => Promise<unknown>;

const byId = (id: string): Filter => ({ op: "equals", column: "id", value: id });

const looks: Readonly<Record<string, Look>> = {
  retrieve: (storage, id) => storage.retrieve(north, books, id),
  find: (storage, id) => storage.find(north, books, byId(id)),
  "find in a list": (storage, id) => storage.find(north, books, { op: "in", column: "id", values: [id] }),
  "find by its tenant": (storage) => storage.find(north, books, { op: "equals", column: "tenantId", value: idOf("south") }),
  search: (storage, id) => storage.search(north, books, { filter: byId(id), sort: [], limit: 5, offset: 0 }),
  remove: (storage, id) => storage.transaction((tx) => tx.remove(north, books, byId(id))),
  "read inside a transaction": (storage, id) => storage.transaction((tx) => tx.retrieve(north, books, id)),
};

const looksAlike: readonly ContractTest[] = Object.entries(looks).map(([name, look]) => ({
  name: `${name}: another tenant's record looks like one that is not there`,
  run: async (storage) => {
    await keep(storage, books, [toBook("theirs", {}, { tenantId: idOf("south") }), toBook("ours")]);
    expect(await look(storage, idOf("theirs"))).toEqual(await look(storage, idOf("none")));
    expect(await keptLabels(storage)).toEqual(["ours", "theirs"]);
  },
}));

const labelsIn = async (storage: Storage, scope: TenantScope, table: typeof notes): Promise<string[]> =>
  labelsOf(await storage.find(scope, table, undefined));

export const tenancyTests: readonly ContractTest[] = [
  ...looksAlike,
  {
    name: "update: another tenant's record looks like one that is not there",
    run: async (storage) => {
      await keep(storage, books, [toBook("theirs", {}, { tenantId: idOf("south") })]);
      for (const label of ["theirs", "none"]) {
        const update = storage.transaction((tx) => tx.update(north, books, toBook(label, { title: "mine now" }, { version: 2 })));
        expect(await rejectionOf(update, StaleVersion)).toMatchObject({ table: "books", id: idOf(label) });
      }
      expect(await storage.retrieve(south, books, idOf("theirs"))).toMatchObject({ version: 1 });
      expect(await keptLabels(storage, { op: "equals", column: "title", value: "theirs" })).toEqual(["theirs"]);
    },
  },
  {
    name: "lets a tenant see its own records and the global scope those of all",
    run: async (storage) => {
      await keep(storage, notes, [toRecord("n", { text: "" }), toRecord("s", { text: "" }, { tenantId: idOf("south") })]);
      expect(await labelsIn(storage, north, notes)).toEqual(["n"]);
      expect(await labelsIn(storage, south, notes)).toEqual(["s"]);
      expect(await labelsIn(storage, globalScope, notes)).toEqual(["n", "s"]);
    },
  },
  {
    name: "lets the global scope alone see records without a tenant",
    run: async (storage) => {
      await keep(storage, notes, [toRecord("n", { text: "" }, { tenantId: null })]);
      await keep(storage, settings, [toRecord("k", { key: "" }, { tenantId: null })]);
      expect([await labelsIn(storage, north, notes), await labelsIn(storage, north, settings)]).toEqual([[], []]);
      expect([await labelsIn(storage, globalScope, notes), await labelsIn(storage, globalScope, settings)]).toEqual([
        ["n"],
        ["k"],
      ]);
      expect(await storage.retrieve(north, notes, idOf("n"))).toBeUndefined();
    },
  },
  {
    name: "removes nothing of another tenant when no filter is given",
    run: async (storage) => {
      await keep(storage, books, [toBook("n"), toBook("s", {}, { tenantId: idOf("south") })]);
      expect(await storage.transaction((tx) => tx.remove(north, books, undefined))).toBe(1);
      expect(await keptLabels(storage)).toEqual(["s"]);
    },
  },
  {
    name: "refuses to write a record outside of the scope",
    run: async (storage) => {
      await keep(storage, books, [toBook("ours")]);
      const foreign = toBook("new", {}, { tenantId: idOf("south") });
      const moved = toBook("ours", {}, { tenantId: idOf("south"), version: 2 });
      await rejectionOf(
        storage.transaction((tx) => tx.insert(north, books, [toBook("fine"), foreign])),
        Error,
      );
      await rejectionOf(
        storage.transaction((tx) => tx.update(north, books, moved)),
        Error,
      );
      expect(await keptLabels(storage)).toEqual(["ours"]);
    },
  },
  {
    name: "refuses an id that another tenant uses",
    run: async (storage) => {
      await keep(storage, books, [toBook("theirs", {}, { tenantId: idOf("south") })]);
      const insert = storage.transaction((tx) => tx.insert(north, books, [toBook("theirs")]));
      expect(await rejectionOf(insert, UniqueViolation)).toMatchObject({ table: "books", keys: ["id"] });
    },
  },
  {
    name: "takes the tenant off some of the records that are in it, and changes nothing else of them",
    run: async (storage) => {
      const labels = ["a", "b", "c"];
      await keep(
        storage,
        notes,
        labels.map((label) => toRecord(label, { text: label })),
      );
      await keep(storage, notes, [toRecord("theirs", { text: "d" }, { tenantId: idOf("south") })]);
      const clear = (limit: number): Promise<number> => storage.transaction((tx) => tx.clearTenant(notes, idOf("north"), limit));
      expect([await clear(2), await clear(2), await clear(2)]).toEqual([2, 1, 0]);
      expect(await labelsIn(storage, north, notes)).toEqual([]);
      expect(await labelsIn(storage, south, notes)).toEqual(["theirs"]);
      expect(await storage.retrieve(globalScope, notes, idOf("b"))).toMatchObject({ tenantId: null, version: 1 });
      const byText: Filter = { op: "equals", column: "text", value: "c" };
      expect(await keptLabels(storage, byText, notes)).toEqual(["c"]);
    },
  },
];
