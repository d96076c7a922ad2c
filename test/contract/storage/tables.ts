import { type ColumnValue, type RecordToStore, type Table, type TenantScope, tenantScope } from "latchkey/ports";

/** A tenant's own tenant is itself. Storages that enforce references point every `tenantId` at this table. */
export const tenants: Table = {
  name: "tenants",
  tenancy: "tenant",
  since: 1,
  columns: { name: { type: "text" } },
  uniqueKeys: [{ name: "name", columns: ["name"] }],
  indexes: [],
};

export const shelves: Table = {
  name: "shelves",
  tenancy: "tenant",
  since: 1,
  columns: { name: { type: "text", isNullable: true } },
  uniqueKeys: [],
  indexes: [],
};

/** Every kind of column; keys over one, two and nullable columns. */
export const books: Table = {
  name: "books",
  tenancy: "tenant",
  since: 1,
  columns: {
    shelfId: { type: "id", isNullable: true, references: { table: "shelves", onRemove: "cascade" } },
    title: { type: "text" },
    subtitle: { type: "text", isNullable: true },
    pages: { type: "integer", isNullable: true },
    isLent: { type: "boolean" },
    isbn: { type: "text", isNullable: true },
    series: { type: "text", isNullable: true },
    volume: { type: "integer", isNullable: true },
  },
  uniqueKeys: [
    { name: "title", columns: ["tenantId", "title"] },
    { name: "isbn", columns: ["isbn"] },
    { name: "volume", columns: ["series", "volume"] },
  ],
  indexes: [
    { columns: ["subtitle"] },
    { columns: ["pages", "id"] },
    { columns: ["title"], whenLarge: true },
    { columns: ["title", "subtitle"], kind: "substring" },
  ],
};

/** Its name has two words, as the names of some columns have. */
export const bookTags: Table = {
  name: "bookTags",
  tenancy: "tenant",
  since: 1,
  columns: { bookId: { type: "id", references: { table: "books", onRemove: "cascade" } }, tag: { type: "text" } },
  uniqueKeys: [{ name: "tag", columns: ["bookId", "tag"] }],
  indexes: [{ columns: ["tag"] }],
};

export const notes: Table = {
  name: "notes",
  tenancy: "optional",
  since: 1,
  columns: { text: { type: "text" } },
  uniqueKeys: [{ name: "text", columns: ["tenantId", "text"] }],
  indexes: [],
};

export const settings: Table = {
  name: "settings",
  tenancy: "global",
  since: 1,
  columns: { key: { type: "text" } },
  uniqueKeys: [{ name: "key", columns: ["key"] }],
  indexes: [],
};

/** A table that records are added to, and taken from. */
export const entries: Table = {
  name: "entries",
  tenancy: "global",
  since: 1,
  columns: { leasedUntil: { type: "integer", isNullable: true }, text: { type: "text" } },
  uniqueKeys: [],
  indexes: [],
  isLog: true,
};

/** All tables of the suite. */
export const tables: readonly Table[] = [tenants, shelves, books, bookTags, notes, settings, entries];

/** The id of the record that the tests call by this label (up to six ASCII characters). Labels of one length order as their ids do. */
export function idOf(label: string): string {
  const hexadecimal = Array.from(label, (character) => character.charCodeAt(0).toString(16)).join("");
  return `00000000-0000-4000-8000-${hexadecimal.padStart(12, "0")}`;
}

/** What a test says about a record beside its label. */
export type RecordDetails = Partial<RecordToStore>;

/** A record of any table. Its JSON holds its label. */
export function toRecord(
  label: string,
  columns: Readonly<Record<string, ColumnValue>>,
  details: RecordDetails = {},
): RecordToStore {
  return {
    id: idOf(label),
    tenantId: idOf("north"),
    version: 1,
    json: JSON.stringify({ label }),
    hidden: null,
    insertInstant: 1_700_000_000_000,
    lastUpdateInstant: 1_700_000_000_000,
    columns,
    ...details,
  };
}

/** A book of tenant north whose title is its label, unless the test says otherwise. */
export function toBook(
  label: string,
  columns: Readonly<Record<string, ColumnValue>> = {},
  details?: RecordDetails,
): RecordToStore {
  const absent = { shelfId: null, subtitle: null, pages: null, isLent: false, isbn: null, series: null, volume: null };
  return toRecord(label, { ...absent, title: label, ...columns }, details);
}

/** A record of the log. */
export function toEntry(label: string): RecordToStore {
  return toRecord(label, { leasedUntil: null, text: label }, { tenantId: null });
}

/** The scopes of the two tenants. */
export const north: TenantScope = tenantScope(idOf("north"));
export const south: TenantScope = tenantScope(idOf("south"));

export const tenantsToStart: readonly RecordToStore[] = ["north", "south"].map((label) =>
  toRecord(label, { name: label }, { tenantId: idOf(label) }),
);
