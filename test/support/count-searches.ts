import type { Storage } from "latchkey/ports";

/** Counts the searches of a table, from now on. */
export function countSearches(storage: Storage, tableName: string): () => number {
  const search = storage.search.bind(storage);
  let count = 0;
  const counted: typeof search = (scope, table, criteria) => {
    if (table.name === tableName) count++;
    return search(scope, table, criteria);
  };
  Object.assign(storage, { search: counted });
  return () => count;
}
