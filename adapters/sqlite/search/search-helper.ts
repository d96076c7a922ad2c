import { IndexBuilder } from "../../kysely/search/index-builder.js";
import type { CreateSearchIndex } from "../../kysely/search/search-statements.js";
import { StoredTotals, type TotalDefinition } from "../../kysely/search/stored-totals.js";
import type { SqlConnection } from "../../kysely/sql-connection.js";
import { type SqliteConnection, UnitConnection } from "../sqlite-connection.js";
import type { Transactions } from "../transactions.js";
import { defineTotal, triggerName } from "./sqlite-totals.js";
import { SubstringSearch } from "./substring-search.js";

/** What searches of a database on SQLite need. */
interface SearchHelperParts {
  readonly reader: SqliteConnection;
  readonly transactions: Transactions;
  readonly isFile: boolean;
  /** From how many records on a table has indexes of its own for searches, or `Infinity`. */
  readonly indexFrom: number;
}

/** Makes what helps searches. Indexes are made by the thread that writes, where there is one, so that nothing holds up the event loop. */
export function createSearchHelper({ indexFrom, isFile, reader, transactions }: SearchHelperParts): CreateSearchIndex {
  const build = <T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> =>
    transactions.run((connection, unit) => work(new UnitConnection(connection, unit)), { isLong: true });
  const make = async (statement: string): Promise<void> => {
    await build(async (connection) => connection.run(statement, []));
  };
  return (context) => {
    const substrings = new SubstringSearch(context, { reader, write: build, indexFrom });
    const orders = new IndexBuilder(context, {
      reader,
      indexFrom,
      indexesOf: (table) => reader.column(indexNames, [table]) as readonly string[],
      make: ({ columns, name, table }) => make(`create index if not exists "${name}" on "${table}" ${columns}`),
    });
    const table = context.sqlTable("searchCounts");
    const isKept = ({ name }: TotalDefinition): boolean => reader.first(findTrigger, [triggerName(name)]) !== undefined;
    const keep = (counted: TotalDefinition): Promise<void> =>
      build(async (connection) => {
        // Another process may have been first.
        if ((await connection.first(findTrigger, [triggerName(counted.name)])) !== undefined) return;
        for (const statement of defineTotal(table, counted)) await connection.run(statement, []);
      });
    return {
      orders,
      counts: new StoredTotals(context, { table, countFrom: indexFrom, isKept, keep }),
      plan: (scope, table, filter) => substrings.plan(scope, table, filter),
      // A database in memory has one connection, which gets no notice of its own changes.
      dataVersion: async (connection) =>
        isFile ? Number((await connection.first("pragma data_version", []))?.data_version) : undefined,
    };
  };
}

const findTrigger = "select 1 as found from sqlite_master where type = 'trigger' and name = ?";
const indexNames = "select name from sqlite_master where type = 'index' and tbl_name = ?";
