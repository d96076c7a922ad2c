// A search of a large table must not look all of it through, nor put all of it in order, for any family, filter and order.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import {
  type ColumnValue,
  type Criteria,
  globalScope,
  type Storage,
  type Table,
  type TenantScope,
  tenantScope,
} from "latchkey/ports";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSqlStorage } from "../../adapters/kysely/sql-storage.js";
import { openDatabase } from "../../adapters/sqlite/open-database.js";
import { families, tables } from "../../src/families/index.js";
import { parseCriteria, type RawCriteria, type SearchDefinition, type SearchFilter } from "../../src/search/parse-criteria.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { buildIndexes } from "./support.js";

const count = 250;
const tablePrefix = "latchkey_";
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const directory = mkdtempSync(join(tmpdir(), "latchkey-test-"));
const filename = join(directory, "a.db");

let storage: Storage | undefined;
let beside: Database.Database;
const statements: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];

async function reopen(): Promise<void> {
  await storage?.close();
  const threads = { readerThreads: 0, readerThreadsFrom: 5_000 };
  const options = { filename, fileMode: 0o600, maxRebuildBytes: 0, searchIndexFrom: 200, tablePrefix, ...threads };
  const { aid, database } = openDatabase<unknown>(options);
  const { reader } = database;
  const note = <T>(run: (sql: string, parameters: readonly unknown[]) => T) => {
    return (sql: string, parameters: readonly unknown[]): T => {
      statements.push({ sql, parameters });
      return run(sql, parameters);
    };
  };
  const noted = {
    all: note((sql, parameters) => reader.all(sql, parameters)),
    first: note((sql, parameters) => reader.first(sql, parameters)),
    column: note((sql, parameters) => reader.column(sql, parameters)),
    run: note((sql, parameters) => reader.run(sql, parameters)),
  };
  storage = createSqlStorage({ ...database, reader: noted }, { tablePrefix }, aid);
  await storage.open(tables);
}

beforeAll(async () => {
  await reopen();
  beside = new Database(filename, { timeout: 60_000 });
  beside.pragma("foreign_keys = off");
  for (const table of tables) fill(table);
});
afterAll(async () => {
  beside.close();
  await storage?.close();
  rmSync(directory, { recursive: true });
});

function columnValueOf(table: Table, column: string, number: number): ColumnValue {
  const type = table.columns[column]?.type;
  if (type === "boolean") return number % 2;
  if (type === "integer") return number;
  // So that no two have the same pair of ids, and some have a first one in common.
  if (type === "id") return idOf(Object.keys(table.columns)[0] === column ? number % 2 : number);
  return `x${number}`;
}

function fill(table: Table): void {
  const own = Object.keys(table.columns);
  const names = [...(table.isLog ? [] : ["id"]), "tenantId", "version", "insertInstant", "lastUpdateInstant", "json", ...own];
  const columns = names.map((name) => `"${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`);
  const sqlTable = `${tablePrefix}${table.name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  const list = table.isLog ? ["id", ...names] : names;
  const insert = beside.prepare(
    `insert or ignore into "${sqlTable}" (${table.isLog ? '"id", ' : ""}${columns}) values (${list.map(() => "?")})`,
  );
  beside.transaction(() => {
    for (let number = 0; number < count; number++) {
      const standard = [idOf(number), table.tenancy === "global" ? null : idOf(number % 3), 1, number, number, "{}"];
      insert.run(...standard, ...own.map((column) => columnValueOf(table, column, number)));
    }
  })();
}

/** Raw values of one criterion. */
function valuesOf(filter: SearchFilter): readonly unknown[] {
  switch (filter.kind) {
    case "id":
    case "anyId":
      return [idOf(1)];
    case "ids":
      return [[idOf(2), idOf(3)]];
    case "instant":
      return [filter.comparison === "<" ? 900 : 0];
    case "option":
      return [filter.values[0]];
    case "exact":
      return ["x1"];
    case "text":
      return ["x1*"];
    case "query":
      return [];
  }
}

const users = ["email", "username", "firstName", "lastName", "fullName", "mobilePhone", "phoneNumber", "birthDate"];
const entities = ["name", "clientId"];
const queries: Readonly<Record<string, readonly object[]>> = {
  users: [
    ...users.flatMap((field) => [{ term: { [field]: "x1" } }, { prefix: { [field]: "x1" } }, { match: { [field]: "x12" } }]),
    { term: { active: true } },
    { term: { "memberships.groupId": idOf(1) } },
    { term: { "registrations.applicationId": idOf(1) } },
    { term: { "registrations.roles": "admin" } },
    { term: { "data.city": "oslo" } },
    { prefix: { "data.city": "os" } },
  ],
  entities: [
    ...entities.flatMap((field) => [{ term: { [field]: "x1" } }, { prefix: { [field]: "x1" } }, { match: { [field]: "x12" } }]),
    { term: { "type.id": idOf(1) } },
    { term: { parentId: idOf(1) } },
  ],
};

function criteriaOf(name: string, search: SearchDefinition): RawCriteria[] {
  const sortable = Object.entries(search.sortable).filter(([, field]) => field.via === undefined);
  const orders = ["", ...sortable.flatMap(([field]) => [field, `${field} desc`])];
  const filters = Object.entries(search.filters).flatMap(([field, filter]) =>
    valuesOf(filter).map((value) => ({ [field]: value })),
  );
  return [...orders.map((orderBy) => ({ orderBy })), ...filters, ...(queries[name] ?? []).map((query) => ({ query }))];
}

/** What passes over a whole table, or puts all that passes in order. */
function findFaults(sql: string, parameters: readonly unknown[], isMany: boolean): string[] {
  const isCount = sql.startsWith("select count(*)");
  // To explain is not to run: what others changed in the schema is noticed with the next read alone.
  beside.prepare("select count(*) from sqlite_master").get();
  const rows = beside.prepare<unknown[], PlanRow>(`explain query plan ${sql}`).all(...parameters);
  return rows.flatMap(({ detail, parent }) => {
    const siblings = rows.filter((row) => row.parent === parent).map((row) => row.detail);
    if (/^SCAN t(?! USING)/.test(detail) || (isCount && /^SCAN t/.test(detail) && sql.includes(" where t."))) return [detail];
    const isOfTable =
      siblings.some((one) => /^(SCAN|SEARCH) t\b/.test(one)) && !siblings.some((one) => /^SCAN (page|\(|counts)/.test(one));
    return isMany && detail === "USE TEMP B-TREE FOR ORDER BY" && isOfTable ? [detail] : [];
  });
}

interface PlanRow {
  readonly parent: number;
  readonly detail: string;
}

interface Searched {
  readonly name: string;
  readonly search: SearchDefinition;
  readonly table: Table;
}

function isSearched(row: object): row is Searched {
  return "search" in row && "table" in row && "operations" in row && "search" in (row.operations as object);
}

const searched: readonly Searched[] = Object.values(families).flatMap(({ row }): Searched[] => (isSearched(row) ? [row] : []));

requirement("search.large", "every family that can be searched is looked at", () => {
  expect(searched.map(({ name }) => name)).toEqual(expect.arrayContaining(["users", "groups", "entities", "auditLogs"]));
});

/** Each of some searches begins with no index of others. */
async function dropIndexes(): Promise<void> {
  const names = beside.prepare<[], string>("select name from sqlite_master where name like 'sx|_%' escape '|'").pluck().all();
  if (names.length === 0) return;
  // Nobody writes meanwhile.
  await storage?.close();
  for (const name of names) beside.exec(`drop index "${name}"`);
  await reopen();
}

const walked = isLong ? searched : searched.filter(({ name }) => name === "groups" || name === "groupMembers");

test.each(walked)("a search of $name finds its page and its total in indexes", { timeout: 60_000 }, async (one) => {
  const { name, search, table } = one;
  const faults: string[] = [];
  for (const [index, raw] of criteriaOf(name, search).entries()) {
    if (index % 6 === 0) await dropIndexes();
    for (const scope of table.tenancy === "global" ? [globalScope] : [globalScope, tenantScope(idOf(1))]) {
      const criteria = parseCriteria({ ...search, members: ["data.city"] }, { ...raw, numberOfResults: 1 });
      // A name of another record has no index in its order, and neither has a text of any length.
      if (criteria.sort.some(({ column, via }) => via !== undefined || table.columns[column]?.isLong)) continue;
      if (storage !== undefined) await buildIndexes(storage, { scope, table, criteria });
      // A total that no index counts is remembered until the next commit.
      const first = await faultsOf(scope, table, criteria);
      const found = first.length > 0 ? await faultsOf(scope, table, criteria) : [];
      if (found.length > 0) faults.push(`${scope.kind} ${JSON.stringify(raw)}: ${found.join("; ")}`);
    }
  }
  expect(faults).toEqual([]);
});

async function faultsOf(scope: TenantScope, table: Table, criteria: Criteria): Promise<string[]> {
  statements.length = 0;
  const first = await storage?.search(scope, table, criteria);
  if (first?.last !== undefined) await storage?.search(scope, table, { ...criteria, offset: 0, after: first.last });
  return statements.flatMap(({ sql, parameters }) => findFaults(sql, parameters, Number(first?.total) >= 100));
}
