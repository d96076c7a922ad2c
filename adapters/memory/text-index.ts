import type { Filter, RecordToStore, Table } from "latchkey/ports";

/** The smallest table with a text index; smaller tables are scanned. */
const indexFrom = 2_000;

/**
 * Finds records by substrings of their columns. Built at the first search that needs it, and rebuilt after many changes; the few
 * changed records in between always count as candidates.
 */
export class TextIndex {
  readonly #rows: ReadonlyMap<string, RecordToStore | null>;
  readonly #blobs = new Map<string, TextBlob>();
  readonly #changed = new Set<string>();

  constructor(rows: ReadonlyMap<string, RecordToStore | null>) {
    this.#rows = rows;
  }

  /** Called with the id of each added, removed or changed record. */
  note(id: string): void {
    if (this.#blobs.size > 0) this.#changed.add(id);
  }

  /** The ids of all records that may have `part` in the column. */
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

/** The column and the longest substring of a test that a text index can speed up. */
export function textOf(table: Table, size: number, test: Filter): { readonly column: string; readonly part: string } | undefined {
  if (size < indexFrom || test.op !== "matches" || !hasTexts(table, test.column)) return undefined;
  const [part = ""] = test.pattern.toSorted((a, b) => b.length - a.length);
  // The buffer is UTF-8, so half a surrogate pair cannot be found in it.
  return part === "" || !part.isWellFormed() ? undefined : { column: test.column, part };
}

function hasTexts(table: Table, column: string): boolean {
  return table.indexes.some(({ columns, kind }) => kind === "substring" && columns.includes(column));
}

/** The texts of one column in one buffer, so that a scan of them all is one search in contiguous memory. */
export class TextBlob {
  readonly #bytes: Buffer;
  readonly #ids: readonly string[];
  /** The offset of each text. */
  readonly #starts: Uint32Array;

  constructor(entries: Iterable<readonly [id: string, text: string]>) {
    const ids: string[] = [];
    const texts: string[] = [];
    for (const [id, text] of entries) {
      ids.push(id);
      texts.push(text);
    }
    this.#ids = ids;
    this.#starts = new Uint32Array(texts.length);
    let start = 0;
    texts.forEach((text, index) => {
      this.#starts[index] = start;
      start += Buffer.byteLength(text) + separator.length;
    });
    this.#bytes = Buffer.from(texts.join(separator));
  }

  /** The ids of all texts that contain `part`, and perhaps of some others: a match may extend into the next text. */
  *idsWith(part: string): Iterable<string> {
    const bytes = Buffer.from(part);
    for (let found = this.#bytes.indexOf(bytes); found >= 0; ) {
      const index = this.#indexAt(found);
      yield this.#ids[index] as string;
      const next = this.#starts[index + 1];
      found = next === undefined ? -1 : this.#bytes.indexOf(bytes, next);
    }
  }

  #indexAt(position: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] as number) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const separator = "\0";
