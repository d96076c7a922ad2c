/**
 * Goals 15, 16 and 18 on SQLite: a page and the exact total of a case-insensitive substring search over 1,000,000 groups of all tenants,
 * through the in-process API, against the two statements that one would write by hand: LIKE over a lower-cased, indexed name.
 */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { createIdentityService } from "latchkey";
import { sqliteStorage } from "latchkey/sqlite";
import { apiKey } from "../harness/fixtures.ts";
import { fill, pageSize, patterns, rows, toRecord } from "../harness/search-data.ts";
import { answerRaces, type SearchRace } from "../harness/search-races.ts";
import { settings } from "../harness/subject.ts";

const files = {
  ours: join(settings.directory, "search.db"),
  base: join(settings.directory, "by-hand.db"),
  plain: join(settings.directory, "no-index.db"),
};
const done = join(settings.directory, "filled.db");
const isFresh = !existsSync(done);
if (isFresh) for (const file of Object.values(files)) for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });

const storage = sqliteStorage({ filename: files.ours });
const secret = "a-benchmark-secret-of-at-least-32-characters";
const identity = await createIdentityService({ storage, secret, apiKey });
const found = (await identity.groups.search({ search: { numberOfResults: 1 } })).groups;
const [template] = found.length > 0 ? found : [(await identity.groups.create({ group: { name: "Template", data: {} } })).group];
const tenantId = String(template?.tenantId);
const byHand = new Database(files.base);
byHand.pragma("journal_mode = WAL");

const fillByHand = (): void => {
  byHand.exec("create table groups (id text primary key, name_l text not null, json text not null)");
  const insert = byHand.prepare("insert into groups values (?, ?, ?)");
  byHand.transaction(() => {
    for (let index = 0; index < rows; index++) {
      const { id, json, columns } = toRecord(index, tenantId);
      insert.run(id, columns.nameFolded, json);
    }
    // So that both sides hold the same number.
    insert.run(template?.id, "template", JSON.stringify(template));
  })();
  byHand.exec("create index by_name on groups (name_l)");
};

// Another connection: what it changes makes ours count again.
const beside = new Database(files.ours);
beside.exec("create table if not exists touched (number integer)");
const touchRow = beside.prepare("insert into touched values (1)");

/** Changes the database. A transaction of ours may be open in this thread, and a connection that waits for it would block it. */
const touch = async (): Promise<void> => {
  beside.pragma("busy_timeout = 0");
  for (;;) {
    try {
      touchRow.run();
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== "SQLITE_BUSY") throw error;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
};

const untilIndexed = async (): Promise<void> => {
  for (const planned of await identity.planIndexes()) await planned.build();
  const isThere = "select count(*) from sqlite_master where name = 'latchkey_groups_substring_build'";
  const isBuilt = "select is_built from latchkey_groups_substring_build";
  // What an earlier run created is taken out of the index again; between searches that wait for nothing there would be no time for it.
  const isBehind = "select count(*) > 200 from latchkey_groups_substring_changes";
  const isDone = (): boolean => beside.prepare(isBuilt).pluck().get() === 1 && beside.prepare(isBehind).pluck().get() === 0;
  for (;;) {
    await identity.groups.search({ search: { name: patterns.thousand } });
    if (beside.prepare(isThere).pluck().get() === 1 && isDone()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

if (isFresh) {
  await fill(storage, tenantId);
  fillByHand();
  writeFileSync(done, "");
}
// What an earlier run created: both sides hold the same.
beside.exec("delete from latchkey_groups where name_folded like 'created %'");
await untilIndexed();

/** What is kept beside the table so that its names are found. */
const tellSizes = (): void => {
  const sizes = "select name, sum(pgsize) as bytes from dbstat where name like '%latchkey_groups%' group by name";
  const all = beside.prepare<[], { name: string; bytes: number }>(sizes).all();
  const toMiB = (isCounted: (name: string) => boolean): string =>
    (all.filter(({ name }) => isCounted(name)).reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20).toFixed(0);
  const isAdded = (name: string): boolean =>
    name.includes("latchkey_groups_substring") || name === "ix_latchkey_groups_name_folded";
  console.log(
    `index    ${rows.toLocaleString("en")} groups: ${toMiB(isAdded)} MiB for searches, of those ${toMiB((name) => name.includes("_substrings"))} MiB ` +
      `trigrams; the table and its other indexes have ${toMiB((name) => !isAdded(name))} MiB`,
  );
};
tellSizes();

const search = (criteria: Readonly<Record<string, unknown>>) =>
  identity.groups.search({ search: { numberOfResults: pageSize, ...criteria } });
const toAnswer = (ids: readonly unknown[], total?: unknown): string => `${ids.length} ${ids.at(-1)} of ${total}`;

const page = byHand.prepare<[string], { id: string; json: string }>(
  `select id, json from groups where name_l like ? order by name_l, id limit ${pageSize}`,
);
const count = byHand.prepare<[string], { total: number }>("select count(*) as total from groups where name_l like ?");
const farStart = 900_000;
const farPage = byHand.prepare<[], { id: string; json: string }>(
  `select id, json from groups order by name_l, id limit ${pageSize} offset ${farStart}`,
);

const countAll = byHand.prepare<[], { total: number }>("select count(*) as total from groups");

const ofPattern = (pattern: string): SearchRace => ({
  before: touch,
  ours: async () => {
    const { groups, total } = await search({ name: pattern });
    return toAnswer(
      groups.map(({ id }) => id),
      total,
    );
  },
  base: async () => {
    const groups = page.all(`%${pattern}%`).map(({ json }) => JSON.parse(json));
    return toAnswer(
      groups.map(({ id }) => id),
      count.get(`%${pattern}%`)?.total,
    );
  },
});

let nextResults: string | undefined;

/** The second page right behind the first one, against a first one after somebody changed something. */
const nextPage: SearchRace = {
  isComparable: false,
  before: async (side) => {
    if (side === "base") await touch();
    else ({ nextResults } = await search({ name: patterns.half }));
  },
  ours: async () => String((await search({ name: patterns.half, nextResults })).groups.length),
  base: async () => String((await search({ name: patterns.half })).groups.length),
};

const farRace: SearchRace = {
  before: touch,
  ours: async () => {
    const { groups, total } = await search({ startRow: farStart });
    return toAnswer(
      groups.map(({ id }) => id),
      total,
    );
  },
  base: async () => {
    const groups = farPage.all().map(({ json }) => JSON.parse(json));
    return toAnswer(
      groups.map(({ id }) => id),
      countAll.get()?.total,
    );
  },
};

/** A page near the end of all groups, against the one behind the first: each from its token, as whoever walks them all does. */
const toWalk = async (): Promise<SearchRace> => {
  const tokens: string[] = [];
  for (let seen = 0; seen < rows - 20_000; seen += 10_000) {
    const token = tokens.at(-1);
    tokens.push(
      String((await search({ numberOfResults: 10_000, ...(token !== undefined && { nextResults: token }) })).nextResults),
    );
  }
  const pageBehind = async (token: string | undefined) => String((await search({ nextResults: token })).groups.length);
  return { isComparable: false, ours: () => pageBehind(tokens.at(-1)), base: () => pageBehind(tokens[0]) };
};

/** A service on as many groups that never makes an index. */
const startPlain = async (): Promise<typeof identity> => {
  const plainStorage = sqliteStorage({ filename: files.plain, searchIndexFrom: Number.POSITIVE_INFINITY });
  const plain = await createIdentityService({ storage: plainStorage, secret, apiKey });
  const { total } = await plain.groups.search({ search: { numberOfResults: 0 } });
  const { tenants } = await plain.tenants.list();
  if (total < rows) await fill(plainStorage, String(tenants[0]?.id));
  return plain;
};

let created = 0;

/** New groups, so many at a time, where their names are put into the index, against where there is none. */
const toCreates = async (together: number): Promise<SearchRace> => {
  const plain = await startPlain();
  const run = String(process.pid) + Date.now().toString(36);
  const create = async (service: typeof identity): Promise<string> => {
    const groups = Array.from({ length: together }, () => ({ group: { name: `Created ${run} in number ${++created}` } }));
    return String((await Promise.all(groups.map((group) => service.groups.create(group)))).length);
  };
  return { ours: () => create(identity), base: () => create(plain) };
};

const named: Readonly<Record<string, () => SearchRace | Promise<SearchRace>>> = {
  next: () => nextPage,
  far: () => farRace,
  walk: toWalk,
  "create 1": () => toCreates(1),
  "create 100": () => toCreates(100),
};

answerRaces((name) => (named[name] ?? (() => ofPattern(name)))());
