import { randomUUID } from "node:crypto";
import Database from "better-sqlite3";
import { type HandOrder, type HandUsers, linesOf, toRows } from "./users-by-hand.ts";

/** How many rows a transaction has. */
const together = 20_000;

const schema = `
  drop table if exists registrations;
  drop table if exists users;
  create table users (
    id text primary key, tenant_id text not null, email text not null, username text not null, first_name text not null,
    last_name text not null, full_name text not null, inserted integer not null, json text not null
  ) without rowid;
  create unique index users_email on users (tenant_id, email);
  create unique index users_username on users (tenant_id, username);
  create table registrations (id text primary key, user_id text not null, application_id text not null, json text not null)
    without rowid;
  create unique index registrations_pair on registrations (user_id, application_id)`;

const orderIndexes = ["full_name, email", "inserted", "first_name", "last_name", "email", "username"]
  .map((columns, index) => `create index if not exists users_order_${index} on users (${columns})`)
  .join(";");

export const openHandSqlite = (filename: string): HandUsers => {
  const database = new Database(filename);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  if (database.prepare("select 1 from sqlite_master where name = 'users'").get() === undefined) database.exec(schema);
  const statements = new Map<string, Database.Statement<unknown[], Record<string, unknown>>>();
  const statement = (sql: string): Database.Statement<unknown[], Record<string, unknown>> => {
    const known = statements.get(sql) ?? database.prepare<unknown[], Record<string, unknown>>(sql);
    statements.set(sql, known);
    return known;
  };
  let tenantId: unknown;
  const insertUser = (): Database.Statement => statement("insert into users values (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const orderOf = ({ column, direction }: HandOrder): string =>
    column === "full_name" ? `full_name ${direction}, email ${direction}` : `${column} ${direction}`;
  return {
    async import(pieces) {
      statements.clear();
      database.exec(schema);
      const [user, registration] = [insertUser(), statement("insert into registrations values (?, ?, ?, ?)")];
      const now = Date.now();
      let count = 0;
      database.exec("begin");
      for (const line of linesOf(pieces)) {
        const rows = toRows(line, randomUUID, now);
        user.run(...rows.user);
        registration.run(...rows.registration);
        if (++count % together === 0) database.exec("commit; begin");
      }
      database.exec("commit");
    },
    async makeOrders() {
      database.exec(orderIndexes);
    },
    async create(emails) {
      const user = insertUser();
      database.exec("begin");
      for (const email of emails) user.run(randomUUID(), "", email, email, "", "", "", Date.now(), JSON.stringify({ email }));
      database.exec("rollback");
    },
    async findBy(column, value) {
      tenantId ??= statement("select tenant_id from users limit 1").get()?.tenant_id;
      const found = statement(`select id, json from users where tenant_id = ? and ${column} = ?`).get(tenantId, value);
      if (found === undefined) return undefined;
      const own = statement("select json from registrations where user_id = ?").all(found.id);
      return { ...JSON.parse(String(found.json)), registrations: own.map(({ json }) => JSON.parse(String(json))) };
    },
    async page(order, limit) {
      const rows = statement(`select id, json from users order by ${orderOf(order)} limit ?`).all(limit);
      for (const { json } of rows) JSON.parse(String(json));
      const total = Number(statement("select count(*) as total from users").get()?.total);
      return { ids: rows.map(({ id }) => String(id)), total };
    },
    async export(write) {
      const own = statement("select json from registrations where user_id = ?");
      for (const { id, json } of statement("select id, json from users order by id").iterate()) {
        const registrations = own.all(id).map((row) => row.json);
        write(`${String(json).slice(0, -1)},"registrations":[${registrations.join(",")}]}\n`);
      }
    },
    async close() {
      database.close();
    },
  };
};
