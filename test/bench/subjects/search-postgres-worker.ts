/**
 * Goal 17: searches of 1,000,000 groups on Postgres, with an index of trigrams and without, through the in-process API, against ILIKE over
 * an indexed name. The tables stay in a schema of their own, `bench_search`, for the next run.
 */
import { createIdentityService } from "latchkey";
import { postgresStorage } from "latchkey/postgres";
import pg from "pg";
import { apiKey } from "../harness/fixtures.ts";
import { pageSize, rows, toRecord } from "../harness/search-data.ts";
import { answerRaces, type SearchRace } from "../harness/search-races.ts";
import { settings } from "../harness/subject.ts";

const schema = "bench_search";
const connectionString = settings.postgresUrl;
if (connectionString === undefined) throw new Error("TEST_POSTGRES_URL must name a database");
const pool = new pg.Pool({ connectionString, max: 1, statement_timeout: 0 });
// The races say themselves when there is an index.
const storage = postgresStorage({
  connectionString,
  schema,
  statementTimeoutMs: 300_000,
  searchIndexFrom: Number.POSITIVE_INFINITY,
});
const identity = await createIdentityService({ storage, secret: "a-benchmark-secret-of-at-least-32-characters", apiKey });

const one = async (text: string, values: readonly unknown[] = []): Promise<Readonly<Record<string, unknown>> | undefined> =>
  (await pool.query(text, [...values])).rows[0];

const indexName = "tx_latchkey_groups_name_folded";
const definition = `create index if not exists ${indexName} on ${schema}.latchkey_groups using gin (name_folded gin_trgm_ops)`;

const setIndexed = async (isIndexed: boolean): Promise<void> => {
  await pool.query(isIndexed ? definition : `drop index if exists ${schema}.${indexName}`);
};

const chunk = 10_000;

/** Many at a time, and the index afterwards: a million inserts that wait for each other would take minutes. */
const fillGroups = async (tenantId: string): Promise<void> => {
  const columns = "id, tenant_id, version, insert_instant, last_update_instant, json, name_folded";
  const text = `insert into ${schema}.latchkey_groups (${columns})
    select id, $1, 1, 0, 0, json, name from unnest($2::text[], $3::text[], $4::text[]) as given (id, json, name)`;
  await setIndexed(false);
  for (let start = 0; start < rows; start += chunk) {
    const records = Array.from({ length: chunk }, (_, offset) => toRecord(start + offset, tenantId));
    const names = records.map(({ columns }) => columns.nameFolded);
    await pool.query(text, [tenantId, records.map(({ id }) => id), records.map(({ json }) => json), names]);
  }
  await pool.query(
    `create table ${schema}.by_hand as select id, json::jsonb->>'name' as name, json from ${schema}.latchkey_groups`,
  );
  await pool.query(`alter table ${schema}.by_hand add primary key (id)`);
  await pool.query(`create index on ${schema}.by_hand (name)`);
  await pool.query(`vacuum analyze ${schema}.latchkey_groups`);
  await pool.query(`vacuum analyze ${schema}.by_hand`);
};

if ((await one("select to_regclass($1) as found", [`${schema}.by_hand`]))?.found === null) {
  const { group } = await identity.groups.create({ group: { name: "Template", data: {} } });
  await fillGroups(String(group.tenantId));
}

const search = async (pattern: string): Promise<string> => {
  const { groups, total } = await identity.groups.search({ search: { name: pattern, numberOfResults: pageSize } });
  return `${groups.length} of ${total}`;
};

const searchByHand = async (pattern: string): Promise<string> => {
  const table = `${schema}.by_hand where name ilike $1`;
  const page = await pool.query({
    name: "page",
    text: `select json from ${table} order by name, id limit ${pageSize}`,
    values: [`%${pattern}%`],
  });
  const groups = page.rows.map(({ json }) => JSON.parse(json));
  const count = await pool.query({ name: "count", text: `select count(*) as total from ${table}`, values: [`%${pattern}%`] });
  return `${groups.length} of ${count.rows[0].total}`;
};

const toRace = async (name: string): Promise<SearchRace> => {
  const [kind, pattern = ""] = name.split(" ");
  await setIndexed(kind === "indexed");
  return { ours: () => search(pattern), base: () => searchByHand(pattern) };
};

answerRaces(toRace);
