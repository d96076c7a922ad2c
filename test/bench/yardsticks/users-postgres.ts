import { randomUUID } from "node:crypto";
import pg from "pg";
import { type HandOrder, type HandRows, type HandUsers, linesOf, toRows } from "./users-by-hand.ts";

/** How many rows a transaction has. */
const together = 2_000;

const schema = `
  drop schema if exists bench_users_by_hand cascade;
  create schema bench_users_by_hand;
  create table bench_users_by_hand.users (
    id uuid primary key, tenant_id uuid not null, email text not null, username text not null, first_name text not null,
    last_name text not null, full_name text not null, inserted bigint not null, json text not null,
    unique (tenant_id, email), unique (tenant_id, username)
  );
  create table bench_users_by_hand.registrations (
    id uuid primary key, user_id uuid not null, application_id uuid not null, json text not null, unique (user_id, application_id)
  )`;

const orderIndexes = ["full_name, email", "inserted", "first_name", "last_name", "email", "username"]
  .map((columns) => `create index on bench_users_by_hand.users (${columns})`)
  .concat("vacuum analyze bench_users_by_hand.users", "vacuum analyze bench_users_by_hand.registrations");

const insertUsers = `insert into bench_users_by_hand.users select * from unnest(
  $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[])`;
const insertRegistrations = `insert into bench_users_by_hand.registrations
  select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[])`;

const toColumns = (rows: readonly (readonly unknown[])[]): unknown[][] =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));

export const openHandPostgres = async (connectionString: string): Promise<HandUsers> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows: found } = await client.query("select to_regclass('bench_users_by_hand.users') as users");
  if (found[0].users === null) await client.query(schema);
  await client.query("set search_path to bench_users_by_hand");
  let tenantId: unknown;
  const store = async (rows: readonly HandRows[]): Promise<void> => {
    await client.query("begin");
    await client.query({ name: "users", text: insertUsers, values: toColumns(rows.map(({ user }) => user)) });
    const registrations = toColumns(rows.map(({ registration }) => registration));
    await client.query({ name: "registrations", text: insertRegistrations, values: registrations });
    await client.query("commit");
  };
  const orderOf = ({ column, direction }: HandOrder): string =>
    column === "full_name" ? `full_name ${direction}, email ${direction}` : `${column} ${direction}`;
  return {
    async import(pieces) {
      await client.query(schema);
      const now = Date.now();
      let rows: HandRows[] = [];
      for (const line of linesOf(pieces)) {
        rows.push(toRows(line, randomUUID, now));
        if (rows.length < together) continue;
        await store(rows);
        rows = [];
      }
      if (rows.length > 0) await store(rows);
    },
    async makeOrders() {
      for (const text of orderIndexes) await client.query(text);
    },
    async create(emails) {
      const text = "insert into users values ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
      await client.query("begin");
      for (const email of emails) {
        const values = [randomUUID(), randomUUID(), email, email, "", "", "", Date.now(), JSON.stringify({ email })];
        await client.query({ name: "create", text, values });
      }
      await client.query("rollback");
    },
    async findBy(column, value) {
      tenantId ??= (await client.query("select tenant_id from users limit 1")).rows[0]?.tenant_id;
      const text = `select id, json from users where tenant_id = $1 and ${column} = $2`;
      const [found] = (await client.query({ name: `by ${column}`, text, values: [tenantId, value] })).rows;
      if (found === undefined) return undefined;
      const ownText = "select json from registrations where user_id = $1";
      const own = await client.query({ name: "registrations of one", text: ownText, values: [found.id] });
      return { ...JSON.parse(found.json), registrations: own.rows.map(({ json }) => JSON.parse(json)) };
    },
    async page(order, limit) {
      const name = `page ${order.column} ${order.direction}`;
      const text = `select id, json from users order by ${orderOf(order)} limit $1`;
      const { rows } = await client.query({ name, text, values: [limit] });
      for (const { json } of rows) JSON.parse(json);
      const total = (await client.query({ name: "count", text: "select count(*) as total from users" })).rows[0];
      return { ids: rows.map(({ id }) => id), total: Number(total.total) };
    },
    async export(write) {
      await client.query("begin isolation level repeatable read read only");
      await client.query("declare users no scroll cursor for select id, json from users order by id");
      for (;;) {
        const { rows } = await client.query({ name: "next", text: `fetch ${together} from users` });
        if (rows.length === 0) break;
        const text = "select user_id, json from registrations where user_id = any($1)";
        const own = await client.query({ name: "own", text, values: [rows.map(({ id }) => id)] });
        const byUser = Map.groupBy(own.rows, ({ user_id }) => user_id);
        for (const { id, json } of rows) {
          const registrations = (byUser.get(id) ?? []).map((row) => row.json);
          write(`${json.slice(0, -1)},"registrations":[${registrations.join(",")}]}\n`);
        }
      }
      await client.query("commit");
    },
    close: () => client.end(),
  };
};
