import type { Table } from "latchkey";
import { books, tables } from "../../contract/storage/tables.js";

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
