// Postgres refuses a record whose values do not fit into an index: no index that a search asked for may make a write fail.
import { globalScope, type RecordToStore, type Table } from "latchkey/ports";
import { expect, onTestFinished } from "vitest";
import { tables } from "../../src/families/index.js";
import { userSearch, usersTable } from "../../src/records/users/family.js";
import { parseCriteria } from "../../src/search/parse-criteria.js";
import { testDatabase } from "../support/postgres.js";
import { requirement } from "../support/requirement.js";
import { buildIndexes } from "./support.js";

const { newSchema, newStorage, pool } = testDatabase();
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** Texts that no index makes smaller, of characters of four bytes. */
function longText(characters: number, seed: number): string {
  let state = seed + 1;
  return Array.from({ length: characters }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCodePoint(0x10000 + (state % 0xfffff));
  }).join("");
}

function toUser(table: Table, number: number, length: number): RecordToStore {
  const columns = Object.keys(table.columns).map((column) => {
    const isName = column.endsWith("NameFolded");
    const text = column === "active" ? true : longText(isName ? length : Math.min(length, 191), number * 31 + column.length);
    return [column, text] as const;
  });
  const json = JSON.stringify({ data: { city: longText(100, number) } });
  const standard = { version: 1, hidden: null, insertInstant: number, lastUpdateInstant: number, json };
  return { ...standard, id: idOf(number), tenantId: idOf(1), columns: Object.fromEntries(columns) };
}

requirement("search.large", "users with the longest names are stored where all orders have an index", async () => {
  const schema = newSchema();
  const storage = newStorage({ schema, searchIndexFrom: 5 });
  onTestFinished(() => storage.close());
  await storage.open(tables);
  const table = usersTable;
  const tenant = tables.find(({ name }) => name === "tenants") as Table;
  const tenantRecord = { ...toUser(tenant, 1, 9), columns: { nameFolded: "t", state: "Active" } };
  await storage.transaction((tx) => tx.insert(globalScope, tenant, [tenantRecord]));
  const add = (from: number, to: number, length: number): Promise<void> =>
    storage.transaction((tx) =>
      tx.insert(
        globalScope,
        table,
        Array.from({ length: to - from }, (_, index) => toUser(table, from + index, length)),
      ),
    );
  await add(0, 6, 5);
  const orders = ["", "firstName,lastName,fullName,email,username", "email", "fullName desc"];
  const queries = ["data.city:x", "email:x*", "firstName:x*", "active:true"];
  const asked = [...orders.map((orderBy) => ({ orderBy })), ...queries.map((queryString) => ({ queryString }))];
  const find = "select count(*) as n from pg_indexes where schemaname = $1 and indexname like 'sx_%'";
  const count = async (): Promise<number> => Number((await pool().query(find, [schema])).rows[0]?.n);
  const list = asked.map((raw) => parseCriteria({ ...userSearch, members: ["data.city"] }, raw));
  await buildIndexes(storage, ...list.map((criteria) => ({ scope: globalScope, table, criteria })));
  expect(await count()).toBeGreaterThan(4);
  await add(10, 16, 255);
  expect((await storage.search(globalScope, table, { sort: [], limit: 0, offset: 0 })).total).toBe(12);
});
