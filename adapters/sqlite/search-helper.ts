import { IndexBuilder, type IndexBuilderOptions } from "../kysely/search/index-builder.js";
import { IndexBuilds } from "../kysely/search/index-builds.js";
import { PresentObjects } from "../kysely/search/present-objects.js";
import type { CreateSearchIndex } from "../kysely/search/search-statements.js";
import { StoredLists } from "../kysely/search/stored-lists.js";
import { StoredTotals } from "../kysely/search/stored-totals.js";
import type { CompileContext } from "../kysely/sql/compile-filter.js";
import type { SqlConnection, SqlDatabase, SqlRow } from "../kysely/sql/sql-connection.js";
import { idsInList, listTriggers, storeList } from "./search/sqlite-lists.js";
import { countTriggers, defineTotal, triggerNames } from "./search/sqlite-totals.js";
import { SubstringSearch } from "./search/substring-search.js";
import { type SqliteConnection, UnitConnection } from "./sqlite-connection.js";
import type { Transactions } from "./transactions.js";

interface SearchHelperParts {
  readonly reader: SqliteConnection;
  readonly transactions: Transactions;
  readonly longReads: SqlDatabase<unknown>["longReads"];
  readonly isFile: boolean;
  /** The number of records from which a table has search indexes, or `Infinity`. */
  readonly indexFrom: number;
}

/** Creates the search index. The writing thread, if there is one, builds indexes, to keep the event loop free. */
export function createSearchHelper(parts: SearchHelperParts): CreateSearchIndex {
  const { indexFrom, isFile, reader } = parts;
  const { runtime } = parts.transactions;
  const builder = createBuilder(parts);
  const present = new PresentObjects(builder.areThere, () => reader.first("pragma schema_version", [])?.schema_version);
  return (context) => {
    const builds = new IndexBuilds();
    const substrings = new SubstringSearch(context, { ...builder, present, reader, runtime, indexFrom, builds });
    const orders = createOrders(context, parts, { ...builder, builds, present });
    const table = context.sqlTable("searchCounts");
    return {
      orders,
      lists: new StoredLists(context, {
        namesOf: ({ name }) => listTriggers(name),
        present,
        store: (list) =>
          builds.track(listTriggers(list.name)[0], list.table, async (report) => {
            report({ rowsTotal: await builder.count(list.table) });
            await builder.makeOnce(listTriggers(list.name), storeList(list));
          }),
        idsOf: idsInList,
      }),
      counts: new StoredTotals(context, {
        table,
        namesOf: ({ name }) => triggerNames(name),
        countTriggers,
        present,
        keep: (counted) => builder.makeOnce(triggerNames(counted.name), defineTotal(table, counted)),
      }),
      readProgress: async () => builds.list(),
      plan: (scope, searched, filter) => substrings.plan(scope, searched, filter),
      planTexts: async (searched, filter) => substrings.planBuild(searched, filter),
      // A database in memory has one connection, which does not notice its own changes.
      dataVersion: async (connection) =>
        isFile ? Number((await connection.first("pragma data_version", []))?.data_version) : undefined,
    };
  };
}

function createOrders(
  context: CompileContext,
  { indexFrom, longReads, reader }: SearchHelperParts,
  { builds, count, makeOnce, present, write }: Builder & Pick<IndexBuilderOptions, "builds" | "present">,
): IndexBuilder {
  return new IndexBuilder(context, {
    reader,
    indexFrom,
    objectsOf: (table) => reader.column(objectNames, [table]) as readonly string[],
    readAll: longReads && (({ parameters, sql }) => longReads.run(async (beside) => beside.column(sql, parameters))),
    builds,
    present,
    make: async ({ columns, name, table }, report) => {
      report({ rowsTotal: await count(table) });
      await makeOnce([name], [`create index if not exists "${name}" on "${table}" ${columns}`]);
    },
    drop: ({ name }) =>
      write(async (connection) => {
        await connection.run(`drop index if exists "${name}"`, []);
      }),
  });
}

interface Builder {
  readonly write: <T>(work: (connection: SqlConnection) => Promise<T>) => Promise<T>;
  readonly areThere: (names: readonly string[]) => boolean;
  /** Counts the rows of a table. A thread, if there is one, reads a large table. */
  readonly count: (table: string) => Promise<number>;
  /** Runs statements in one transaction, unless all indexes or triggers exist already. */
  readonly makeOnce: (names: readonly string[], statements: readonly string[]) => Promise<void>;
}

function createBuilder({ longReads, reader, transactions }: SearchHelperParts): Builder {
  const write: Builder["write"] = (work) =>
    transactions.run((connection, unit) => work(new UnitConnection(connection, unit)), { isLong: true });
  return {
    write,
    areThere: (names) => countOf(reader.first(countObjects, [JSON.stringify(names)])) === names.length,
    // Outside of a transaction, so that writers do not wait for the count.
    count: (table) => {
      const count = async (connection: SqlConnection): Promise<number> =>
        countOf(await connection.first(`select count(*) as n from "${table}"`, []));
      return longReads === undefined ? count(reader) : longReads.run(count);
    },
    makeOnce: (names, statements) =>
      write(async (connection) => {
        if (countOf(await connection.first(countObjects, [JSON.stringify(names)])) === names.length) return;
        for (const statement of statements) await connection.run(statement, []);
      }),
  };
}

function countOf(row: SqlRow | undefined): number {
  return Number(row?.n ?? 0);
}

const countObjects = "select count(*) as n from sqlite_master where name in (select value from json_each(?))";
const objectNames = "select name from sqlite_master where type in ('index', 'trigger') and tbl_name = ?";
