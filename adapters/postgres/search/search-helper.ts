import { IndexBuilder, type MissingIndex } from "../../kysely/search/index-builder.js";
import { IndexBuilds, type ReportRows } from "../../kysely/search/index-builds.js";
import { PresentObjects } from "../../kysely/search/present-objects.js";
import type { CreateSearchIndex } from "../../kysely/search/search-statements.js";
import { StoredLists } from "../../kysely/search/stored-lists.js";
import { StoredTotals } from "../../kysely/search/stored-totals.js";
import type { SqlConnection } from "../../kysely/sql/sql-connection.js";
import type { Connections } from "../connections/connections.js";
import { countTriggers, findObjects, foldTotals, hasObjects, storeTotal, triggerNames } from "./postgres-totals.js";
import { buildIndex, listColumns, listIndex, readProgress, removeIndex } from "./search-indexes.js";

/** What searches of a database on Postgres need. */
export interface SearchHelperParts {
  readonly reader: SqlConnection;
  readonly connections: Connections;
  /** Connections that keep settings and locks from one statement to the next, for work that cannot be in a transaction. */
  readonly sessions: Connections;
  /** From how many records on a table has indexes of its own for searches, or `Infinity`. */
  readonly indexFrom: number;
}

/** Makes what helps searches. Indexes are made while others write, on a connection that is held meanwhile. */
export function createSearchHelper({ connections, indexFrom, reader, sessions }: SearchHelperParts): CreateSearchIndex {
  return (context) => {
    const counts = context.sqlTable("searchCounts");
    const builds = new IndexBuilds();
    const present = new PresentObjects((names, table) => connections.read((client) => hasObjects(client, names, table)));
    const make = (index: MissingIndex, report: ReportRows): Promise<void> =>
      buildIndex(sessions, index, (rowsTotal) => report({ rowsTotal }));
    const orders = new IndexBuilder(context, {
      reader,
      indexFrom,
      objectsOf: (table) => connections.read((client) => findObjects(client, table)),
      present,
      make,
      drop: (index) => removeIndex(sessions, index),
      builds,
    });
    return {
      orders,
      lists: new StoredLists(context, {
        namesOf: (list) => [listIndex(list)],
        present,
        store: (list) => {
          const index = { name: listIndex(list), table: list.table, columns: listColumns(context, list) };
          return builds.track(index.name, index.table, (report) => make(index, report));
        },
      }),
      counts: new StoredTotals(context, {
        table: counts,
        namesOf: ({ name }) => triggerNames(name),
        countTriggers,
        present,
        keep: (counted) => storeTotal(sessions, counts, counted),
        fold: (name) => foldTotals(connections, counts, name),
      }),
      readProgress: () => readProgress(connections, builds.list()),
    };
  };
}
