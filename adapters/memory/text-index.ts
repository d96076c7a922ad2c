import type { Filter, RecordToStore, Table } from "latchkey/ports";

/** From how many records on a table's texts are put together for searching; fewer are looked through as they are. */
const indexFrom = 2_000;

/**
 * Finds records by texts inside of their columns. Made with the first search that has use for it, and again when much has changed since;
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

/** The texts of one column one after the other: looking through them all is one search in one piece of memory. */
export class TextBlob {
  readonly #bytes: Buffer;
  readonly #ids: readonly string[];
  /** Where each text begins. */
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

  /** The ids of all texts that hold `part`, and perhaps of some that do not: what is found may reach into the next text. */
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
