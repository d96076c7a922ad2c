import type { Filter, RecordToStore, Table } from "latchkey/storage";
import { TextBlob } from "./text-blob.js";

/** From how many records on a table's texts are put together for searching; fewer are looked through as they are. */
const indexFrom = 2_000;

/**
 * Finds records by texts inside of their columns. Made with the first search that has use for it, and anew when much has changed since;
 * what little has changed is looked at besides.
 */
export class TextIndex {
  readonly #rows: ReadonlyMap<string, RecordToStore | null>;
  readonly #blobs = new Map<string, TextBlob>();
  readonly #changed = new Set<string>();

  constructor(rows: ReadonlyMap<string, RecordToStore | null>) {
    this.#rows = rows;
  }

  /** Called with the id of each record that is added, removed or changed. */
  note(id: string): void {
    if (this.#blobs.size > 0) this.#changed.add(id);
  }

  /** The ids of all records whose column may hold `part`. */
  *idsWith(column: string, part: string): Iterable<string> {
    if (this.#changed.size > this.#rows.size / 20) this.#forget();
    const blob = this.#blobOf(column);
    yield* this.#changed;
    for (const id of blob.idsWith(part)) if (!this.#changed.has(id)) yield id;
  }

  #forget(): void {
    this.#blobs.clear();
    this.#changed.clear();
  }

  #blobOf(column: string): TextBlob {
    let blob = this.#blobs.get(column);
    if (blob === undefined) {
      blob = new TextBlob(this.#textsOf(column));
      this.#blobs.set(column, blob);
    }
    return blob;
  }

  *#textsOf(column: string): Iterable<readonly [string, string]> {
    for (const [id, row] of this.#rows) {
      const text = row?.columns[column];
      if (typeof text === "string") yield [id, text];
    }
  }
}

/** The column and the longest text that a test looks for in it, where an index of texts may find that sooner. */
export function textOf(table: Table, size: number, test: Filter): { readonly column: string; readonly part: string } | undefined {
  if (size < indexFrom || test.op !== "matches" || !hasTexts(table, test.column)) return undefined;
  const [part = ""] = test.pattern.toSorted((a, b) => b.length - a.length);
  // Half of a character is no text that could be looked for.
  return part === "" || !part.isWellFormed() ? undefined : { column: test.column, part };
}

function hasTexts(table: Table, column: string): boolean {
  return table.indexes.some(({ columns, kind }) => kind === "substring" && columns.includes(column));
}
