/** Postgres by hand: Fastify, API key by sha256 and Map; a named statement by primary key, row → object → JSON; BEGIN, INSERT, COMMIT. */
import { randomUUID } from "node:crypto";
import fastify from "fastify";
import pg from "pg";
import { apiKey, type Group, makeGroup, tenantId } from "../harness/fixtures.ts";
import { announceReady, settings } from "../harness/subject.ts";
import { type GroupRow, toRow } from "./groups-table.ts";
import { createKeyCheck } from "./key-check.ts";

const pool = new pg.Pool({ connectionString: settings.postgresUrl, max: 10 });
const schema = "bench_by_hand";
await pool.query(`drop schema if exists ${schema} cascade; create schema ${schema}`);
await pool.query(`create table ${schema}.groups (
  id uuid primary key, "tenantId" uuid not null, name text not null, data text not null, roles text not null,
  "insertInstant" bigint not null, "lastUpdateInstant" bigint not null, unique ("tenantId", name))`);
const find = { name: "find", text: `select * from ${schema}.groups where id = $1` };
const insert = { name: "insert", text: `insert into ${schema}.groups values ($1, $2, $3, $4, $5, $6, $7)` };
const toValues = (row: GroupRow): unknown[] => [
  row.id,
  row.tenantId,
  row.name,
  row.data,
  row.roles,
  row.insertInstant,
  row.lastUpdateInstant,
];

const ids: string[] = [];
const seeding = await pool.connect();
await seeding.query("begin");
for (let index = 0; index < settings.groups; index++) {
  const row = toRow(makeGroup(index));
  ids.push(row.id);
  await seeding.query({ ...insert, values: toValues(row) });
}
await seeding.query("commit");
seeding.release();
await pool.query(`analyze ${schema}.groups`);

const isKnownKey = createKeyCheck(apiKey);
const app = fastify();

app.get<{ Params: { id: string } }>("/api/group/:id", async (request, reply) => {
  if (!isKnownKey(request.headers.authorization)) return reply.code(401).send();
  const [row] = (await pool.query<GroupRow>({ ...find, values: [request.params.id] })).rows;
  if (row === undefined) return reply.code(404).send();
  const instants = { insertInstant: Number(row.insertInstant), lastUpdateInstant: Number(row.lastUpdateInstant) };
  return { group: { ...row, ...instants, data: JSON.parse(row.data), roles: JSON.parse(row.roles) } };
});

app.post<{ Body: { group: Pick<Group, "name" | "data"> } }>("/api/group", async (request, reply) => {
  if (!isKnownKey(request.headers.authorization)) return reply.code(401).send();
  const { name, data } = request.body.group;
  const now = Date.now();
  const group: Group = { data, id: randomUUID(), insertInstant: now, lastUpdateInstant: now, name, roles: {}, tenantId };
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query({ ...insert, values: toValues(toRow(group)) });
    await client.query("commit");
  } finally {
    client.release();
  }
  return { group };
});

const address = await app.listen({ port: 0, host: "127.0.0.1" });
announceReady({ port: Number(new URL(address).port), ids, credential: apiKey });
