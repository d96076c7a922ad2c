/**
 * Goal 15: a page and the exact total of a case-insensitive substring search over 1,000,000 groups of all tenants, through the
 * in-process API, against the two statements that one would write by hand: LIKE over a lower-cased, indexed name.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import { createIdentityService, globalScope, type Table } from "latchkey";
import { sqliteStorage } from "latchkey/sqlite";
import { apiKey } from "../harness/fixtures.ts";
import { settings } from "../harness/subject.ts";

export interface SearchJob {
  readonly pattern: string;
  readonly seconds: number;
}

/** Searches per second. */
export interface SearchReport {
  readonly ours: number;
  readonly base: number;
}

const rows = 1_000_000;
const chunk = 10_000;
const pageSize = 25;

/** Half of the names hold `cat`, a thousand hold `lynx`, ten hold `zebra`. */
const nameOf = (index: number): string => {
  if (index % 100_000 === 7) return `Zebra ${index}`;
  if (index % 1_000 === 3) return `Lynx ${index}`;
  return `${index % 2 === 0 ? "Cat" : "Dog"} ${index}`;
};

const idOf = (index: number): string => `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`;

const storage = sqliteStorage({ filename: join(settings.directory, "search.db") });
const secret = "a-benchmark-secret-of-at-least-32-characters";
const identity = await createIdentityService({ storage, secret, apiKey });
const { group: template } = await identity.groups.create({ group: { name: "Template", data: {} } });
const { tenantId } = template;

// Through the storage and not the API: a million creates with their events would take minutes.
const groupsTable: Table = {
  name: "groups",
  tenancy: "tenant",
  since: 1,
  columns: { nameFolded: { type: "text" } },
  uniqueKeys: [{ name: "name", columns: ["tenantId", "nameFolded"] }],
  indexes: [],
};
const toRecord = (index: number) => {
  const name = nameOf(index);
  const instants = { insertInstant: index, lastUpdateInstant: index };
  const json = JSON.stringify({ data: {}, id: idOf(index), ...instants, name, roles: {}, tenantId });
  return { id: idOf(index), tenantId, version: 1, ...instants, json, hidden: null, columns: { nameFolded: name.toLowerCase() } };
};
for (let start = 0; start < rows; start += chunk)
  await storage.transaction((tx) =>
    tx.insert(
      globalScope,
      groupsTable,
      Array.from({ length: chunk }, (_, offset) => toRecord(start + offset)),
    ),
  );

const database = new Database(join(settings.directory, "by-hand.db"));
database.pragma("journal_mode = WAL");
database.exec("create table groups (id text primary key, name_l text not null, json text not null) without rowid");
const insert = database.prepare("insert into groups values (?, ?, ?)");
database.transaction(() => {
  for (let index = 0; index < rows; index++) {
    const { id, json, columns } = toRecord(index);
    insert.run(id, columns.nameFolded, json);
  }
})();
database.exec("create index by_name on groups (name_l)");
const page = database.prepare<[string], { json: string }>(
  `select json from groups where name_l like ? order by name_l, id limit ${pageSize}`,
);
const count = database.prepare<[string], { total: number }>("select count(*) as total from groups where name_l like ?");

const work = {
  ours: async (pattern: string): Promise<number> => {
    const { total } = await identity.groups.search({ search: { name: pattern, numberOfResults: pageSize } });
    return total;
  },
  base: async (pattern: string): Promise<number> => {
    const groups = page.all(`%${pattern}%`).map(({ json }) => JSON.parse(json));
    const total = Number(count.get(`%${pattern}%`)?.total);
    return groups.length > 0 ? total : 0;
  },
} as const;

const run = async ({ pattern, seconds }: SearchJob): Promise<SearchReport> => {
  const [ours, base] = [await work.ours(pattern), await work.base(pattern)];
  if (ours !== base || ours === 0) throw new Error(`${pattern}: ${ours} against ${base}`);
  const spent = { ours: 0, base: 0 };
  let turns = 0;
  for (; spent.ours + spent.base < seconds * 1_000; turns++)
    for (const side of turns % 2 === 0 ? (["ours", "base"] as const) : (["base", "ours"] as const)) {
      const start = performance.now();
      await work[side](pattern);
      spent[side] += performance.now() - start;
    }
  return { ours: (turns * 1_000) / spent.ours, base: (turns * 1_000) / spent.base };
};

process.on("message", async (job: SearchJob) => process.send?.(await run(job)));
