import { IndexBuilder, type MissingIndex } from "../../kysely/search/index-builder.js";
import { IndexBuilds, type ReportRows } from "../../kysely/search/index-builds.js";
import { PresentObjects } from "../../kysely/search/present-objects.js";
import type { CreateSearchIndex } from "../../kysely/search/search-statements.js";
import { StoredLists } from "../../kysely/search/stored-lists.js";
import { StoredTotals } from "../../kysely/search/stored-totals.js";
import type { SqlConnection } from "../../kysely/sql/sql-connection.js";
import type { Connections } from "../connections/connections.js";
import { countTriggers, findObjects, foldTotals, guardName, hasObjects, storeTotal, triggerNames } from "./postgres-totals.js";
import { buildIndex, listColumns, listIndex, readProgress, removeIndex } from "./search-indexes.js";

/** The parts for searches of a Postgres database. */
export interface SearchHelperParts {
  readonly reader: SqlConnection;
  readonly connections: Connections;
  /** Connections that keep settings and locks between statements, for work that cannot run in a transaction. */
  readonly sessions: Connections;
  /** The number of records from which a table has search indexes, or `Infinity`. */
  readonly indexFrom: number;
}

/** Creates the search index. Indexes are built while others write, on a connection held meanwhile. */
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
        guardOf: ({ name }) => guardName(name),
        countTriggers,
        present,
        keep: (counted) => storeTotal(sessions, counts, counted),
        fold: (name) => foldTotals(connections, counts, name),
      }),
      readProgress: () => readProgress(connections, builds.list()),
    };
  };
}
