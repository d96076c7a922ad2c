import type { IndexProgress } from "latchkey/ports";
import type { MissingIndex } from "../../kysely/search/index-builder.js";
import type { ListDefinition } from "../../kysely/search/stored-lists.js";
import type { CompileContext } from "../../kysely/sql/compile-filter.js";
import { compile, ref } from "../../kysely/sql/fragment.js";
import { trimName } from "../../kysely/sql/table-sql.js";
import type { Connections } from "../connections/connections.js";
import { listSql } from "../connections/json-members.js";
import type { PgClientLike } from "../connections/pg-types.js";
import { findObjects, quote, runLong } from "./postgres-totals.js";
import { withTableLock } from "./table-lock.js";

/** The name of the index of a list's items. */
export function listIndex({ name }: ListDefinition): string {
  return trimName(`sl_${name}`, 63);
}

/** The columns of the index of a list's items. */
export function listColumns({ profile }: CompileContext, { member }: ListDefinition): string {
  return `using gin (${compile(profile.compiler, listSql(ref("json"), member)).sql})`;
}

/** Builds an index while others write; replaces an unfinished one of another process. */
export function buildIndex(
  connections: Connections,
  { columns, name, table }: MissingIndex,
  noteTotal: (rows: number) => void,
): Promise<void> {
  const index = quoteIndex({ name, table });
  return changeIndexes(connections, table, async (client) => {
    if ((await findObjects(client, table)).includes(name)) return;
    noteTotal(await estimateRows(client, table));
    await runLong(client, `drop index concurrently if exists ${index}`);
    await runLong(client, `create index concurrently "${name}" on ${quote(table)} ${columns}`);
    await runLong(client, `analyze ${quote(table)}`);
  });
}

/** Drops an index while others write. */
export function removeIndex(connections: Connections, index: Pick<MissingIndex, "name" | "table">): Promise<void> {
  const text = `drop index concurrently if exists ${quoteIndex(index)}`;
  return changeIndexes(connections, index.table, (client) => runLong(client, text));
}

// Changes of indexes take as long as they need: neither may be part of a transaction, where settings end by themselves.
function changeIndexes(connections: Connections, table: string, work: (client: PgClientLike) => Promise<void>): Promise<void> {
  return withTableLock(connections, table, async (client, discard) => {
    try {
      await client.query({ text: "set statement_timeout to 0; set lock_timeout to '60s'" });
      await work(client);
    } finally {
      // With a single connection, others read on it meanwhile: it is discarded only if unusable.
      await client.query({ text: "reset statement_timeout; reset lock_timeout" }).catch(discard);
    }
  });
}

function quoteIndex({ name, table }: Pick<MissingIndex, "name" | "table">): string {
  return quote([...table.split(".").slice(0, -1), name].join("."));
}

async function estimateRows(client: PgClientLike, table: string): Promise<number> {
  const text = "select greatest(reltuples, 0) as n from pg_class where oid = to_regclass($1)";
  return Math.round(Number((await client.query({ text, values: [quote(table)] })).rows[0]?.n ?? 0));
}

/** The progress of indexes, as far as the database reports it. */
export async function readProgress(connections: Connections, known: readonly IndexProgress[]): Promise<readonly IndexProgress[]> {
  if (!known.some(({ state }) => state === "building")) return known;
  const done =
    "case when tuples_total > 0 then tuples_done::real / tuples_total else blocks_done::real / nullif(blocks_total, 0) end";
  const text = `select c.relname as name, ${done} as part from pg_stat_progress_create_index p join pg_class c on c.oid = p.index_relid`;
  const { rows } = await connections.read((client) => client.query({ text }));
  const parts = new Map(rows.map(({ name, part }) => [String(name), Math.min(1, Number(part ?? 0))]));
  return known.map((one) => {
    const part = one.state === "building" ? parts.get(one.name) : undefined;
    return part === undefined ? one : { ...one, rowsDone: Math.floor(part * one.rowsTotal) };
  });
}
