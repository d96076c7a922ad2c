import { randomUUID } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import { settings } from "../harness/subject.ts";

/** A membership by hand. */
export interface HandMember {
  readonly id: string;
  readonly userId: string;
}

/** Members of groups by hand: three trees, prepared statements, one transaction for each call (test/bench/README.md). */
export interface HandMembers {
  insert(groupId: string, members: readonly HandMember[]): void;
  /** Deletes what there is, and inserts what is wanted. */
  replace(groupId: string, members: readonly HandMember[]): void;
  /**
   * Compares what is wanted with what there is, gives all the same instant where anything differs, and answers all as JSON: what a PUT must do
   * at least (docs/reference/groups.md#members), without checking anything.
   */
  replaceByDifference(groupId: string, userIds: readonly string[]): string;
  remove(groupId: string): void;
  /** Gives a group a role. */
  addRole(groupId: string, role: string): void;
  /** The names of the roles that a user has by all groups, in one join. */
  rolesOf(userId: string): readonly string[];
}

/** Opens a database with the tables. */
export const openHandMembers = (): HandMembers => {
  const database = new Database(join(settings.directory, "by-hand.db"));
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.exec(`
    create table members (
      id text primary key, groupId text not null, userId text not null, insertInstant integer not null, json text not null
    ) without rowid;
    create unique index members_pair on members (groupId, userId);
    create index members_user on members (userId);
    create table roles (groupId text not null, role text not null, primary key (groupId, role)) without rowid`);
  const insertOne = database.prepare("insert into members (id, groupId, userId, insertInstant, json) values (?, ?, ?, ?, ?)");
  const readAll = database.prepare<[string], { id: string; userId: string; insertInstant: number; json: string }>(
    "select id, userId, insertInstant, json from members where groupId = ? order by userId",
  );
  const moveOne = database.prepare("update members set insertInstant = ?, json = ? where id = ?");
  const removeOne = database.prepare("delete from members where id = ?");
  const removeAll = database.prepare("delete from members where groupId = ?");
  const insertRole = database.prepare("insert into roles (groupId, role) values (?, ?)");
  const findRoles = database.prepare<[string], string>(
    "select distinct role from members join roles using (groupId) where userId = ? order by role",
  );
  const insertAll = (groupId: string, members: readonly HandMember[]): void => {
    const insertInstant = Date.now();
    for (const { id, userId } of members) {
      const json = JSON.stringify({ data: {}, groupId, id, insertInstant, userId });
      insertOne.run(id, groupId, userId, insertInstant, json);
    }
  };
  const replaceByDifference = (groupId: string, userIds: readonly string[]): string => {
    const wanted = new Set(userIds);
    const now = Date.now();
    const members = readAll.all(groupId).map((row) => ({ ...row, member: JSON.parse(row.json) }));
    const known = new Set(members.map(({ userId }) => userId));
    const added = userIds.filter((userId) => !known.has(userId)).sort();
    const kept = members.filter(({ userId }) => wanted.has(userId));
    const isSame = added.length === 0 && kept.length === members.length;
    if (!isSame) {
      for (const { id, userId } of members) if (!wanted.has(userId)) removeOne.run(id);
      for (const { id, member } of kept) {
        member.insertInstant = now;
        moveOne.run(now, JSON.stringify(member), id);
      }
      insertAll(
        groupId,
        added.map((userId) => ({ id: randomUUID(), userId })),
      );
    }
    return JSON.stringify({ members: { [groupId]: kept.map(({ member }) => member) } });
  };
  return {
    insert: database.transaction(insertAll),
    replaceByDifference: database.transaction(replaceByDifference),
    replace: database.transaction((groupId: string, members: readonly HandMember[]) => {
      removeAll.run(groupId);
      insertAll(groupId, members);
    }),
    remove: (groupId) => void removeAll.run(groupId),
    addRole: (groupId, role) => void insertRole.run(groupId, role),
    rolesOf: (userId) => findRoles.pluck().all(userId),
  };
};
