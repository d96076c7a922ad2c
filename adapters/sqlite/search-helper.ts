import { IndexBuilder } from "../kysely/search/index-builder.js";
import { IndexBuilds } from "../kysely/search/index-builds.js";
import { PresentObjects } from "../kysely/search/present-objects.js";
import type { CreateSearchIndex } from "../kysely/search/search-statements.js";
import { StoredLists } from "../kysely/search/stored-lists.js";
import { StoredTotals } from "../kysely/search/stored-totals.js";
import type { CompileContext } from "../kysely/sql/compile-filter.js";
import type { SqlConnection, SqlDatabase, SqlRow } from "../kysely/sql/sql-connection.js";
import { idsInList, listTrigger, storeList } from "./search/sqlite-lists.js";
import { defineTotal, triggerName } from "./search/sqlite-totals.js";
import { SubstringSearch } from "./search/substring-search.js";
import { type SqliteConnection, UnitConnection } from "./sqlite-connection.js";
import type { Transactions } from "./transactions.js";

/** What searches of a database on SQLite need. */
interface SearchHelperParts {
  readonly reader: SqliteConnection;
  readonly transactions: Transactions;
  readonly longReads: SqlDatabase<unknown>["longReads"];
  readonly isFile: boolean;
  /** How long a connection may still see an earlier state, in milliseconds. */
  readonly staleMilliseconds: number;
  /** From how many records on a table has indexes of its own for searches, or `Infinity`. */
  readonly indexFrom: number;
}

/** Makes what helps searches. Indexes are made by the thread that writes, where there is one, so that nothing holds up the event loop. */
export function createSearchHelper(parts: SearchHelperParts): CreateSearchIndex {
  const { indexFrom, isFile, reader, staleMilliseconds } = parts;
  const { runtime } = parts.transactions;
  const builder = createBuilder(parts);
  const present = new PresentObjects(builder.isThere, runtime, staleMilliseconds);
  return (context) => {
    const builds = new IndexBuilds();
    const substrings = new SubstringSearch(context, { ...builder, reader, runtime, indexFrom, builds });
    const orders = createOrders(context, parts, builder, builds);
    const table = context.sqlTable("searchCounts");
    return {
      orders,
      lists: new StoredLists(context, {
        isLarge: (one) => orders.isLarge(one),
        nameOf: ({ name }) => listTrigger(name),
        present,
        store: (list) =>
          builds.track(listTrigger(list.name), list.table, async (report) => {
            report({ rowsTotal: await builder.count(list.table) });
            await builder.makeOnce(listTrigger(list.name), storeList(list));
          }),
        idsOf: idsInList,
      }),
      counts: new StoredTotals(context, {
        table,
        isLarge: (one) => orders.isLarge(one),
        nameOf: ({ name }) => triggerName(name),
        present,
        keep: (counted) => builder.makeOnce(triggerName(counted.name), defineTotal(table, counted)),
      }),
      readProgress: async () => builds.list(),
      plan: (scope, searched, filter) => substrings.plan(scope, searched, filter),
      planTexts: async (searched, filter) => substrings.planBuild(searched, filter),
      // A database in memory has one connection, which gets no notice of its own changes.
      dataVersion: async (connection) =>
        isFile ? Number((await connection.first("pragma data_version", []))?.data_version) : undefined,
    };
  };
}

function createOrders(
  context: CompileContext,
  { indexFrom, reader, transactions }: SearchHelperParts,
  builder: Builder,
  builds: IndexBuilds,
): IndexBuilder {
  return new IndexBuilder(context, {
    reader,
    indexFrom,
    present: new PresentObjects(builder.isThere, transactions.runtime),
    indexesOf: (table) => reader.column(indexNames, [table]) as readonly string[],
    make: async ({ columns, name, table }, report) => {
      report({ rowsTotal: await builder.count(table) });
      await builder.makeOnce(name, [`create index "${name}" on "${table}" ${columns}`]);
    },
    drop: ({ name }) =>
      builder.write(async (connection) => {
        await connection.run(`drop index if exists "${name}"`, []);
      }),
    builds,
  });
}

interface Builder {
  readonly write: <T>(work: (connection: SqlConnection) => Promise<T>) => Promise<T>;
  readonly isThere: (name: string) => boolean;
  /** How many rows a table has. A large one is read in a thread, where there is one. */
  readonly count: (table: string) => Promise<number>;
  /** Runs statements in one transaction, unless another process was first and there is the index or trigger. */
  readonly makeOnce: (name: string, statements: readonly string[]) => Promise<void>;
}

function createBuilder({ longReads, reader, transactions }: SearchHelperParts): Builder {
  const write: Builder["write"] = (work) =>
    transactions.run((connection, unit) => work(new UnitConnection(connection, unit)), { isLong: true });
  return {
    write,
    isThere: (name) => reader.first(findObject, [name]) !== undefined,
    // Outside of a transaction, so that nobody waits to write while it counts.
    count: (table) => {
      const count = async (connection: SqlConnection): Promise<number> =>
        countOf(await connection.first(`select count(*) as n from "${table}"`, []));
      return longReads === undefined ? count(reader) : longReads.run(count);
    },
    makeOnce: (name, statements) =>
      write(async (connection) => {
        if ((await connection.first(findObject, [name])) !== undefined) return;
        for (const statement of statements) await connection.run(statement, []);
      }),
  };
}

function countOf(row: SqlRow | undefined): number {
  return Number(row?.n ?? 0);
}

const findObject = "select 1 as found from sqlite_master where type in ('index', 'trigger') and name = ?";
const indexNames = "select name from sqlite_master where type = 'index' and tbl_name = ?";
