import { join } from "node:path";
import Database from "better-sqlite3";
import { memoryStorage } from "latchkey/memory";
import { type Criteria, globalScope, type IndexedSearch, type Storage, tenantScope } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { expect, onTestFinished } from "vitest";
import { IndexBuilds } from "../../adapters/kysely/search/index-builds.js";
import { books, idOf, tables, tenants, tenantsToStart, toBook, toRecord } from "../contract/storage/tables.js";
import { expectOk } from "../support/answer.js";
import { hasPostgres, testDatabase } from "../support/postgres.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { callerOfTenant, startWorld } from "../support/world.js";
import { buildIndexes } from "./support.js";

const { newSchema, newStorage, pool } = testDatabase(hasPostgres);
const label = (number: number): string => `n${100 + number}`;

async function fill(storage: Storage): Promise<void> {
  await storage.open(tables);
  await storage.transaction((tx) => tx.insert(globalScope, tenants, tenantsToStart));
  const records = Array.from({ length: 80 }, (_, number) => {
    const json = JSON.stringify({ data: { city: number % 8 < 2 ? "Rome" : "Oslo", size: number }, label: label(number) });
    return toBook(label(number), {}, { json, tenantId: idOf(number % 2 === 0 ? "north" : "south") });
  });
  await storage.transaction((tx) => tx.insert(globalScope, books, records));
}

/** A search of a tenant by a member that it declares, for which indexes are made; answers the total. */
async function totalOf(
  storage: Storage,
  member: string,
  value: string,
  { declared = [member], tenant = "north" }: { declared?: readonly string[]; tenant?: string } = {},
): Promise<number> {
  const criteria: Criteria = {
    filter: { op: "equals", column: member, value },
    ownMembers: declared,
    sort: [{ column: "pages", direction: "asc" }],
    limit: 2,
    offset: 0,
  };
  const scope = tenantScope(idOf(tenant));
  const { total } = await storage.search(scope, books, criteria);
  await buildIndexes(storage, { scope, table: books, criteria });
  // With the index, it is the same.
  expect((await storage.search(scope, books, criteria)).total).toBe(total);
  return total;
}

const ofNorth = `sxt_${idOf("north").replaceAll("-", "")}%`;

/** Each storage, and how the names of its indexes of tenants are read. */
async function open(name: "SQLite" | "Postgres"): Promise<{
  readonly storage: Storage;
  readonly namesLike: (pattern: string) => Promise<readonly string[]>;
}> {
  if (name === "SQLite") {
    const filename = join(makeDirectory(), "a.db");
    const storage = sqliteStorage({ filename, searchIndexFrom: 40, readerThreads: 0 });
    const find = "select name from sqlite_master where type = 'index' and name like ? order by name";
    return {
      storage,
      namesLike: async (pattern) => {
        const database = new Database(filename, { readonly: true });
        const names = database.prepare(find).pluck().all(pattern) as string[];
        database.close();
        return names;
      },
    };
  }
  const schema = newSchema();
  const find =
    "select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_index i on i.indexrelid = c.oid where n.nspname = $1 and c.relname like $2 and i.indisvalid order by 1";
  return {
    storage: newStorage({ schema, searchIndexFrom: 40 }),
    namesLike: async (pattern) => (await pool().query(find, [schema, pattern])).rows.map((row) => String(row.name)),
  };
}

for (const name of hasPostgres ? (["SQLite", "Postgres"] as const) : (["SQLite"] as const)) {
  requirement("search.tenant-data", `${name} makes an index of the records of the tenant that declares a member`, async () => {
    const { namesLike, storage } = await open(name);
    onTestFinished(() => storage.close());
    await fill(storage);
    expect(await totalOf(storage, "data.city", "rome")).toBe(10);
    expect(await namesLike("sxt_%")).toHaveLength(1);
    expect(await namesLike(ofNorth)).toHaveLength(1);
    expect(await totalOf(storage, "data.city", "rome", { tenant: "south" })).toBe(10);
    expect(await namesLike("sxt_%")).toHaveLength(2);
    const progress = (await storage.readIndexProgress?.()) ?? [];
    const [own] = progress.filter(({ name: index }) => index.startsWith("sxt_"));
    expect(own).toMatchObject({ state: "ready", table: expect.stringContaining("books") });
    // No index that others have a part in follows from what a tenant declares.
    expect((await namesLike("sx_%")).filter((index) => index.includes("city"))).toEqual([]);
  });

  requirement("search.data", `${name} makes indexes for members of any length and case`, async () => {
    const { namesLike, storage } = await open(name);
    onTestFinished(() => storage.close());
    await fill(storage);
    const members = ["data.city", "data.City", `data.${"long".repeat(16)}.a`, "data.a.b.c.d.e-f"];
    for (const [index, column] of members.entries()) {
      const criteria: Criteria = { filter: { op: "equals", column, value: "rome" }, sort: [], limit: 1, offset: 0 };
      await buildIndexes(storage, { scope: globalScope, table: books, criteria });
      await storage.search(globalScope, books, criteria);
      expect(await namesLike("sx_%data%")).toHaveLength(index + 1);
    }
    for (const made of await namesLike("sx_%data%")) expect(made).toMatch(/^[\w]{1,63}$/);
  });

  requirement("search.tenant-data", `${name} removes an index that its tenant declares no more`, async () => {
    const { namesLike, storage } = await open(name);
    onTestFinished(() => storage.close());
    await fill(storage);
    await totalOf(storage, "data.city", "rome");
    const before = await namesLike(ofNorth);
    expect(before).toHaveLength(1);
    expect(await totalOf(storage, "data.size", "8")).toBe(1);
    expect(await namesLike(ofNorth)).toEqual([expect.not.stringMatching(before[0] ?? "")]);
    expect(await totalOf(storage, "data.city", "rome")).toBe(10);
  });
}

requirement("search.tenant-data", "a tenant of few records has no index, however large its table is", async () => {
  const filename = join(makeDirectory(), "a.db");
  const storage = sqliteStorage({ filename, searchIndexFrom: 41, readerThreads: 0 });
  onTestFinished(() => storage.close());
  await fill(storage);
  const filter = { op: "equals", column: "data.city", value: "rome" } as const;
  const criteria: Criteria = { filter, ownMembers: ["data.city"], sort: [], limit: 2, offset: 0 };
  const plan = async (tenant: string): Promise<readonly string[]> => {
    const searches = [{ scope: tenantScope(idOf(tenant)), table: books, criteria }];
    return ((await storage.planIndexes?.(searches)) ?? []).flatMap(({ name }) => (name.startsWith("sxt_") ? [name] : []));
  };
  expect([await plan("north"), await plan("south")]).toEqual([[], []]);
  await storage.transaction((tx) => tx.insert(globalScope, books, [toBook("one-more", {}, { tenantId: idOf("north") })]));
  expect([(await plan("north")).length, await plan("south")]).toEqual([1, []]);
});

requirement(
  "search.tenant-data",
  "a plan reads the tenants in pages, and has a search for each member they declare",
  async () => {
    const storage = memoryStorage();
    const find = storage.find.bind(storage);
    const limits: (number | undefined)[] = [];
    const searches: IndexedSearch[] = [];
    const watched: Storage = Object.assign(storage, {
      find: (...call: Parameters<Storage["find"]>) => {
        if (call[1].name === "tenants") limits.push(call[3]?.limit);
        return find(...call);
      },
      planIndexes: async (planned: AsyncIterable<IndexedSearch>) => {
        for await (const search of planned) searches.push(search);
        return [];
      },
    });
    const world = await startWorld(watched);
    const searchConfiguration = { searchableData: { groups: ["kind"], users: ["city", "size"] } };
    for (let number = 0; number < 260; number++)
      await world.identity.tenants.create({ tenant: { name: `T${number}`, searchConfiguration } });
    limits.length = 0;
    await world.identity.planIndexes();
    expect(limits).toEqual([250, 250]);
    const own = searches.flatMap(({ criteria, scope }) =>
      criteria.ownMembers && scope.kind === "tenant" ? [scope.tenantId] : [],
    );
    expect([own.length, new Set(own).size]).toEqual([780, 260]);
  },
);

requirement("search.index-progress", "the status lists indexes with the records that are in them", async () => {
  const filename = join(makeDirectory(), "a.db");
  const world = await startWorld(sqliteStorage({ filename, searchIndexFrom: 20, readerThreads: 0 }));
  const caller = world.caller.inTenant(world.defaultTenantId);
  const searchConfiguration = { searchableData: { groups: ["kind"] } };
  expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { searchConfiguration } }));
  for (let number = 0; number < 25; number++)
    expectOk(await caller.post("/api/group", { group: { name: `G${number}`, data: { kind: "Team" } } }));
  expect(expectOk(await caller.get("/api/group/search?data.kind=team")).at("total")).toBe(25);
  const indexes = async (): Promise<unknown> => expectOk(await world.caller.get("/api/status")).at("storage.indexes");
  expect(await indexes()).toEqual([]);
  for (const planned of await world.identity.planIndexes()) await planned.build();
  const ready = { table: "latchkey_groups", state: "ready", rowsDone: 25, rowsTotal: 25 };
  const own = { ...ready, name: expect.stringMatching(/^sxt_/) };
  const made = (await indexes()) as readonly unknown[];
  expect(made).toContainEqual(own);
  const metrics = (await world.caller.get("/api/prometheus/metrics")).text;
  expect(metrics).toContain(`latchkey_storage_indexes{state="ready"} ${made.length}`);
  expect(await world.identity.planIndexes()).toEqual([]);
  // A narrower key of the tenant sees no status at all.
  expect((await (await callerOfTenant(world, world.defaultTenantId)).get("/api/status")).status).toBe(401);
});

requirement("search.index-progress", "an index that cannot be made is reported, and can be tried again", async () => {
  const builds = new IndexBuilds();
  const failing = builds.track("a", "t", async (report) => {
    report({ rowsTotal: 5 });
    expect(builds.list()).toEqual([{ name: "a", table: "t", state: "building", rowsDone: 0, rowsTotal: 5 }]);
    throw new Error("The disk is full.");
  });
  await expect(failing).rejects.toThrow("The disk is full.");
  expect(builds.list()).toEqual([{ name: "a", table: "t", state: "failed", rowsDone: 0, rowsTotal: 5 }]);
  await builds.track("a", "t", async (report) => report({ rowsTotal: 6 }));
  expect(builds.list()).toEqual([{ name: "a", table: "t", state: "ready", rowsDone: 6, rowsTotal: 6 }]);
});

requirement(
  "search.tenant-data",
  "SQLite counts in the index of a tenant alone, and drops those of tenants that are gone",
  async () => {
    const filename = join(makeDirectory(), "a.db");
    const storage = sqliteStorage({ filename, searchIndexFrom: 1, readerThreads: 0 });
    onTestFinished(() => storage.close());
    await fill(storage);
    const database = new Database(filename, { timeout: 60_000 });
    onTestFinished(() => void database.close());
    const find = "select name, sql from sqlite_master where type = 'index' and name like 'sxt_%'";
    const names = (): readonly string[] => database.prepare(find).pluck().all() as string[];
    const many = Array.from({ length: 32 }, (_, number) =>
      toRecord(`m${number}`, { name: `m${number}` }, { tenantId: idOf(`m${number}`) }),
    );
    await storage.transaction((tx) => tx.insert(globalScope, tenants, many));
    const ofMany = many.map(({ tenantId }, number) => toBook(`b${number}`, {}, { tenantId }));
    await storage.transaction((tx) => tx.insert(globalScope, books, ofMany));
    for (const [number] of many.entries()) {
      await totalOf(storage, "data.city", "rome", { tenant: `m${number}` });
      expect(names()).toHaveLength(number + 1);
    }
    await storage.transaction((tx) => tx.remove(globalScope, tenants, { op: "equals", column: "name", value: "m3" }));
    await totalOf(storage, "data.city", "rome");
    expect(names()).toHaveLength(32);
    const [own = ""] = names().filter((one) => one.startsWith(ofNorth.slice(0, -1)));
    const columns = (database.prepare("select sql from sqlite_master where name = ?").pluck().get(own) as string).replaceAll(
      "\n",
      " ",
    );
    expect(columns).toContain(`where "tenant_id" = '${idOf("north")}'`);
    const member = /(\(case .* end\)) asc/.exec(columns)?.[1]?.replaceAll('"json"', '"t"."json"');
    const text = `select count(*) from latchkey_books as t where t.tenant_id = '${idOf("north")}' and ${member} = 'rome'`;
    const plan = database.prepare(`explain query plan ${text}`).all() as { detail: string }[];
    expect(plan.map(({ detail }) => detail).join()).toContain(`COVERING INDEX ${own}`);
  },
);

if (hasPostgres)
  requirement("search.index-progress", "an index that Postgres cannot make ends no read on the same connection", async () => {
    const schema = newSchema();
    const storage = newStorage({ schema, searchIndexFrom: 40 });
    onTestFinished(() => storage.close());
    await fill(storage);
    // A table has the name that the index would get.
    await pool().query(`create table "${schema}"."sx_latchkey_books_pages_desc_id" (id text)`);
    const criteria: Criteria = { sort: [{ column: "pages", direction: "desc" }], limit: 1, offset: 0 };
    const state = async (): Promise<unknown> => (await storage.readIndexProgress?.())?.[0]?.state;
    const search = async (): Promise<number> => (await storage.search(globalScope, books, criteria)).total;
    const building = buildIndexes(storage, { scope: globalScope, table: books, criteria });
    const totals = Promise.all(Array.from({ length: 5 }, search));
    await expect(building).rejects.toThrow();
    expect(await totals).toEqual([80, 80, 80, 80, 80]);
    expect(await state()).toBe("failed");
    expect(await search()).toBe(80);
  });
