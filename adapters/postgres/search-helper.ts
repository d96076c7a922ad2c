import type { CompileContext } from "../kysely/compile-filter.js";
import { compile, ref } from "../kysely/fragment.js";
import { IndexBuilder, type MissingIndex } from "../kysely/search/index-builder.js";
import type { CreateSearchIndex } from "../kysely/search/search-statements.js";
import { type ListDefinition, StoredLists } from "../kysely/search/stored-lists.js";
import { StoredTotals, type TotalDefinition } from "../kysely/search/stored-totals.js";
import type { SqlConnection } from "../kysely/sql-connection.js";
import { trimName } from "../kysely/table-sql.js";
import type { Connections } from "./connections.js";
import { listSql } from "./json-members.js";
import type { PgClientLike } from "./pg-types.js";
import { defineTotal, foldTotal, quote, triggerName } from "./postgres-totals.js";

/** What searches of a database on Postgres need. */
export interface SearchHelperParts {
  readonly reader: SqlConnection;
  readonly connections: Connections;
  /** From how many records on a table has indexes of its own for searches, or `Infinity`. */
  readonly indexFrom: number;
}

/** Makes what helps searches. Indexes are made while others write, on a connection that is held meanwhile. */
export function createSearchHelper({ connections, indexFrom, reader }: SearchHelperParts): CreateSearchIndex {
  return (context) => {
    const counts = context.sqlTable("searchCounts");
    const indexesOf = (table: string): Promise<readonly string[]> => connections.read((client) => findIndexes(client, table));
    const orders = new IndexBuilder(context, {
      reader,
      indexFrom,
      indexesOf,
      make: (index) => buildIndex(connections, index),
    });
    return {
      orders,
      lists: new StoredLists(context, {
        isLarge: (table) => orders.isLarge(table),
        isStored: async (list) => (await indexesOf(list.table)).includes(listIndex(list)),
        store: (list) =>
          buildIndex(connections, { name: listIndex(list), table: list.table, columns: listColumns(context, list) }),
        staleMilliseconds: 0,
      }),
      counts: new StoredTotals(context, {
        table: counts,
        countFrom: indexFrom,
        isKept: (counted) => connections.read((client) => isKept(client, counted)),
        keep: (counted) => keep(connections, counts, counted),
        fold: (name) => foldOnce(connections, counts, name),
      }),
    };
  };
}

function listIndex({ name }: ListDefinition): string {
  return trimName(`sl_${name}`, 63);
}

function listColumns({ profile }: CompileContext, { member }: ListDefinition): string {
  return `using gin (${compile(profile.compiler, listSql(ref("json"), member)).sql})`;
}

// One that a process was ended while making is of no use.
async function findIndexes(client: PgClientLike, table: string): Promise<readonly string[]> {
  const text =
    "select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = to_regclass($1) and i.indisvalid";
  const { rows } = await client.query({ text, values: [quote(table)] });
  return rows.map(({ name }) => String(name));
}

// What another process is making is left to it, and what one has left behind unfinished is made again.
function buildIndex(connections: Connections, { columns, name, table }: MissingIndex): Promise<void> {
  const index = quote([...table.split(".").slice(0, -1), name].join("."));
  return connections.hold(async (client, discard) => {
    const lock = { text: "select pg_try_advisory_lock(hashtextextended($1, 0))::text as held", values: [index] };
    const [row] = (await client.query(lock)).rows;
    if (row?.held !== "true") return;
    try {
      await client.query({ text: "set statement_timeout to 0; set lock_timeout to '60s'" });
      if (!(await findIndexes(client, table)).includes(name)) {
        await run(client, `drop index concurrently if exists ${index}`);
        await run(client, `create index concurrently "${name}" on ${quote(table)} ${columns}`);
        await run(client, `analyze ${quote(table)}`);
      }
      await client.query({ text: "reset statement_timeout; reset lock_timeout" });
      await client.query({ text: "select pg_advisory_unlock(hashtextextended($1, 0))", values: [index] });
    } catch (error) {
      // The lock ends with the connection.
      discard();
      throw error;
    }
  });
}

async function isKept(client: PgClientLike, { name, table }: TotalDefinition): Promise<boolean> {
  const text = "select 1 from pg_trigger where tgrelid = to_regclass($1) and tgname = $2";
  return (await client.query({ text, values: [quote(table), triggerName(name)] })).rows.length > 0;
}

// Nobody writes to the table while it is counted: what is written later has the triggers.
function keep(connections: Connections, counts: string, counted: TotalDefinition): Promise<void> {
  return inTransaction(connections, counts, async (client) => {
    if (await isKept(client, counted)) return;
    for (const text of defineTotal(counts, counted)) await run(client, text);
  });
}

function foldOnce(connections: Connections, counts: string, name: string): Promise<void> {
  return inTransaction(connections, counts, (client) => run(client, foldTotal(counts, name)));
}

function inTransaction(connections: Connections, counts: string, work: (client: PgClientLike) => Promise<void>): Promise<void> {
  return connections.hold(async (client, discard) => {
    try {
      await client.query({ text: "begin isolation level read committed" });
      await client.query({ text: "set local statement_timeout to 0; set local lock_timeout to '10s'" });
      await client.query({ text: "select pg_advisory_xact_lock(hashtextextended($1, 0))", values: [counts] });
      await work(client);
      await client.query({ text: "commit" });
    } catch (error) {
      await client.query({ text: "rollback" }).catch(discard);
      throw error;
    }
  });
}

// An index on a large table takes its time.
const oneDay = 86_400_000;

async function run(client: PgClientLike, text: string): Promise<void> {
  await client.query({ text, query_timeout: oneDay });
}
