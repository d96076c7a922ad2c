import { join } from "node:path";
import Database from "better-sqlite3";
import { type RecordToStore, type Storage, tenantScope } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { expect } from "vitest";
import { groupMembersTable } from "../../src/records/group-members/family.js";
import { hasPostgres, testDatabase } from "../support/postgres.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { startWorld, uuid, type World } from "../support/world.js";

const { newSchema, newStorage, pool } = testDatabase(hasPostgres);
const groupId = uuid(999);
const users = Array.from({ length: 30 }, (_, index) => ({ id: uuid(index + 1), username: `user${index}` }));

/** A storage, one more on the same database, and how many triggers keep totals of members. */
interface Place {
  readonly open: () => Storage;
  readonly triggers: () => Promise<number>;
}

function onSqlite(): Place {
  const filename = join(makeDirectory(), "a.db");
  const open = (): Storage => sqliteStorage({ filename, searchIndexFrom: 20, readerThreads: 0 });
  const find = "select count(*) from sqlite_master where type = 'trigger' and name like 'sc_latchkey_group_members_group_id%'";
  const triggers = async (): Promise<number> => {
    const database = new Database(filename, { readonly: true });
    const count = Number(database.prepare(find).pluck().get());
    database.close();
    return count;
  };
  return { open, triggers };
}

function onPostgres(): Place {
  const schema = newSchema();
  const find =
    "select count(*) as n from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace where t.tgname like 'sc_%group_members_group_id%' and n.nspname = $1";
  return {
    open: () => newStorage({ schema, searchIndexFrom: 20 }),
    triggers: async () => Number((await pool().query(find, [schema])).rows[0]?.n),
  };
}

async function totalOf({ identity }: World): Promise<number> {
  const search = { queryString: `memberships.groupId:${groupId}`, numberOfResults: 100 };
  const { total, users: found } = await identity.users.search({ search });
  expect(found).toHaveLength(total);
  return total;
}

for (const [name, place] of [["SQLite", onSqlite], ...(hasPostgres ? [["Postgres", onPostgres] as const] : [])] as const) {
  requirement("search.stored-totals", `${name} keeps the number of the users of a group, and of no strays`, async () => {
    const { open, triggers } = place();
    const world = await startWorld(open());
    const { identity } = world;
    await identity.groups.create({ groupId, group: { name: "Staff" } });
    await identity.bulkUsers.import({ users });
    await identity.groupMembers.add({ members: { [groupId]: users.map(({ id }) => ({ userId: id })) } });
    expect(await totalOf(world)).toBe(30);
    expect(await triggers()).toBe(0);
    for (const planned of await identity.planIndexes()) await planned.build();
    expect(await triggers()).toBe(name === "Postgres" ? 4 : 3);
    expect(await totalOf(world)).toBe(30);
    await identity.groupMembers.remove({ groupId, userId: uuid(1) });
    await identity.users.remove({ userId: uuid(2), hardDelete: true });
    expect(await totalOf(world)).toBe(28);
    await identity.close();
    // A host that had a directory of its own left a member who is nobody here.
    const later = open();
    const again = await startWorld(later);
    const member: RecordToStore = {
      id: uuid(5_000),
      tenantId: world.defaultTenantId,
      version: 1,
      json: JSON.stringify({ id: uuid(5_000), groupId, userId: uuid(6_000) }),
      hidden: null,
      insertInstant: 1,
      lastUpdateInstant: 1,
      columns: { groupId, userId: uuid(6_000) },
    };
    await later.transaction((tx) => tx.insert(tenantScope(world.defaultTenantId), groupMembersTable, [member]));
    for (let time = 0; time < 3; time++) expect(await totalOf(again)).toBe(28);
    await again.identity.close();
  });
}
