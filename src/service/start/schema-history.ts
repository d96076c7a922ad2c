import { tables } from "../../families/index.js";
import type { Table } from "../../ports/storage.js";

/** The changes of a version of the schema. */
export interface SchemaVersion {
  /** The number of the version, from 1. */
  readonly version: number;
  /** Such as `table groups`, `column users.verified`, `index groups (nameFolded)`. */
  readonly changes: readonly string[];
}

/** Returns the versions of the schema in ascending order. Each start, or `latchkey migrate`, migrates a database to the last. */
export function schemaHistory(): readonly SchemaVersion[] {
  const changes = tables.flatMap(changesOf);
  const versions = [...new Set(changes.map(({ version }) => version))].sort((a, b) => a - b);
  return versions.map((version) => ({
    version,
    changes: changes.filter((change) => change.version === version).map(({ change }) => change),
  }));
}

interface SchemaChange {
  readonly version: number;
  readonly change: string;
}

function changesOf(table: Table): readonly SchemaChange[] {
  const { name, since } = table;
  const columns = Object.entries(table.columns).map(([column, at]) => ({
    version: at.since ?? since,
    change: `column ${name}.${column}`,
  }));
  const indexes = table.indexes.map((index) => ({
    version: index.since ?? since,
    change: `index ${name} (${index.columns.join(", ")})`,
  }));
  const keys = table.uniqueKeys.map((key) => ({
    version: key.since ?? since,
    change: `unique key ${name} (${key.columns.join(", ")})`,
  }));
  // Additions in the version of their table are part of it.
  return [
    { version: since, change: `table ${name}` },
    ...[...columns, ...keys, ...indexes].filter(({ version }) => version !== since),
  ];
}
