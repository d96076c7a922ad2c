import { join } from "node:path";
import Database from "better-sqlite3";
import { type Group, makeGroup } from "../harness/fixtures.ts";
import { settings } from "../harness/subject.ts";

/** A group as SQLite keeps it: `data` and `roles` are JSON text. */
export interface GroupRow extends Omit<Group, "data" | "roles"> {
  readonly data: string;
  readonly roles: string;
}

const createTable = `
  create table groups (
    id text primary key, tenantId text not null, name text not null, data text not null, roles text not null,
    insertInstant integer not null, lastUpdateInstant integer not null, unique (tenantId, name)
  ) without rowid`;

export const insertGroup = `
  insert into groups (id, tenantId, name, data, roles, insertInstant, lastUpdateInstant)
  values (:id, :tenantId, :name, :data, :roles, :insertInstant, :lastUpdateInstant)`;

export const toRow = (group: Group): GroupRow => ({
  ...group,
  data: JSON.stringify(group.data),
  roles: JSON.stringify(group.roles),
});

/** A fresh database in the subject's directory, in WAL mode, with `settings.groups` groups. */
export const openGroups = (synchronous: string): { database: Database.Database; ids: string[] } => {
  const database = new Database(join(settings.directory, "groups.db"));
  database.pragma("journal_mode = WAL");
  database.pragma(`synchronous = ${synchronous}`);
  database.exec(createTable);
  const insert = database.prepare(insertGroup);
  const rows = Array.from({ length: settings.groups }, (_, index) => toRow(makeGroup(index)));
  database.transaction(() => rows.forEach((row) => void insert.run(row)))();
  database.pragma("wal_checkpoint(TRUNCATE)");
  return { database, ids: rows.map((row) => row.id) };
};
