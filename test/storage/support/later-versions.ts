import type { Storage, Table } from "latchkey/ports";
import { keep } from "../../contract/storage/kit.js";
import { books, tables, tenants, tenantsToStart, toBook } from "../../contract/storage/tables.js";

/** The books of version 2: a column, and an index on it, that came later. */
export const booksLater: Table = {
  ...books,
  columns: { ...books.columns, ratingSum: { type: "integer", isNullable: true, since: 2 } },
  indexes: [...books.indexes, { columns: ["ratingSum", "id"], since: 2 }],
};

/** A table of version 2, which points to one of version 1. */
export const bookReviews: Table = {
  name: "bookReviews",
  tenancy: "tenant",
  since: 2,
  columns: { bookId: { type: "id", references: { table: "books", onRemove: "cascade" } }, text: { type: "text" } },
  uniqueKeys: [{ name: "text", columns: ["bookId", "text"] }],
  indexes: [{ columns: ["text"] }],
};

/** A table of version 4: version 3 changed something else, or nothing. */
export const readers: Table = {
  ...bookReviews,
  name: "readers",
  since: 4,
  columns: { text: { type: "text" } },
  uniqueKeys: [],
  indexes: [],
};

const withLater = (...later: Table[]): Table[] => [
  ...tables.map((table) => (table.name === "books" ? booksLater : table)),
  ...later,
];
export const versionTwo: readonly Table[] = withLater(bookReviews);
export const versionFour: readonly Table[] = withLater(bookReviews, readers);

/** Opens a storage with the tables of a version for some work, and closes it. */
export async function openFor<T>(
  storage: Storage,
  version: readonly Table[],
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  try {
    await storage.open(version);
    return await work(storage);
  } finally {
    await storage.close();
  }
}

/** Keeps what the tests find again in later versions: two books. */
export async function keepTwoBooks(storage: Storage): Promise<void> {
  await keep(storage, tenants, tenantsToStart);
  await keep(storage, books, [toBook("a", { pages: 5, isLent: true }, { version: 3, hidden: "{}" }), toBook("b")]);
}
