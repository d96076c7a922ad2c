import { globalScope, type RecordToStore, type Storage, type Table } from "latchkey/ports";
import { tables } from "../../../src/families/index.js";

/** The newest schema version that anything came with. */
export const newestVersion: number = Math.max(
  ...tables.flatMap(({ columns, indexes, since }) => [
    since,
    ...Object.values(columns).map((column) => column.since ?? 1),
    ...indexes.map((index) => index.since ?? 1),
  ]),
);

/** The tables as a release knew them whose newest schema version was this one. */
export function tablesAt(version: number): readonly Table[] {
  const isThere = ({ since = 0 }: { readonly since?: number }): boolean => since <= version;
  return tables.filter(isThere).map((table) => ({
    ...table,
    columns: Object.fromEntries(Object.entries(table.columns).filter(([, column]) => isThere(column))),
    indexes: table.indexes.filter(isThere),
  }));
}

/** The id of the record of a table that a writer with this number keeps. */
export const idFrom = (writer: number, table: Table): string =>
  `${String(writer).padStart(8, "0")}-0000-4000-8000-${String(tables.findIndex(({ name }) => name === table.name)).padStart(12, "0")}`;

/** A record of a table as whoever knows it so would write it: of values that are its own, and ids of what the same writer keeps. */
export function toRecordOf(table: Table, known: readonly Table[], writer: number, version = 1): RecordToStore {
  const idIn = (name: string): string => {
    const other = known.find((one) => one.name === name);
    if (other === undefined) throw new Error(`There is no table ${name}.`);
    return idFrom(writer, other);
  };
  const id = idFrom(writer, table);
  const values = { id, text: `text ${writer}`, integer: writer, boolean: true } as const;
  const columns = Object.entries(table.columns).map(([name, { references, type }]) => [
    name,
    // Links named any UUID before providers were records, and are not checked.
    references === undefined || (references.isEnforced === false && !known.some((one) => one.name === references.table))
      ? values[type]
      : idIn(references.table),
  ]);
  const tenantId = table.tenancy === "global" ? null : idIn("tenants");
  const instants = { insertInstant: writer, lastUpdateInstant: version };
  return { id, tenantId, version, ...instants, json: `{"writer":${writer}}`, hidden: null, columns: Object.fromEntries(columns) };
}

/** Keeps one record in each table that is known, in one transaction. */
export function keepOneOfEach(storage: Storage, known: readonly Table[], writer: number): Promise<void> {
  return storage.transaction(async (tx) => {
    for (const table of known) await tx.insert(globalScope, table, [toRecordOf(table, known, writer)]);
  });
}

/** Changes the records that a writer kept, by what is known of them. */
export function changeOneOfEach(storage: Storage, known: readonly Table[], writer: number): Promise<void> {
  return storage.transaction(async (tx) => {
    for (const table of known.filter(({ isLog }) => isLog !== true))
      await tx.update(globalScope, table, toRecordOf(table, known, writer, 2));
  });
}

/** The writers whose records a table holds, and the versions of these. */
export async function readWriters(
  storage: Storage,
  table: Table,
): Promise<readonly (readonly [writer: number, version: number])[]> {
  const found = await storage.find(globalScope, table, undefined);
  const numbered = found.flatMap(({ json, version }) => {
    const { writer } = JSON.parse(json) as { readonly writer?: number };
    return writer === undefined ? [] : [[writer, version] as const];
  });
  return numbered.sort(([one], [other]) => one - other);
}
