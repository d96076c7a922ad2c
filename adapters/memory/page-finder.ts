import {
  type ColumnValue,
  type Criteria,
  compareSortValues,
  type RecordToStore,
  ResultTooLarge,
  type SearchPage,
  type SizeLimit,
  type SortField,
} from "latchkey/ports";

type Position = NonNullable<Criteria["after"]>;

/** A record with its sort values. */
export type PageEntry = Position & { readonly row: RecordToStore };

/** Finds the page of a search among matching records in any order. */
export class PageFinder {
  readonly #criteria: Criteria;
  readonly #sortValueOf: (field: SortField, row: RecordToStore) => ColumnValue;
  readonly #first: FirstInOrder<PageEntry>;
  #total = 0;

  constructor(criteria: Criteria, sortValueOf: (field: SortField, row: RecordToStore) => ColumnValue) {
    this.#criteria = criteria;
    this.#sortValueOf = sortValueOf;
    const { limit, offset, sort } = criteria;
    this.#first = new FirstInOrder((a, b) => compareSortValues(sort, a, b), limit === 0 ? 0 : offset + limit);
  }

  add(row: RecordToStore): void {
    const { after, sort } = this.#criteria;
    this.#total++;
    const entry = { row, id: row.id, values: sort.map((field) => this.#sortValueOf(field, row)) };
    if (after === undefined || compareSortValues(sort, after, entry) < 0) this.#first.add(entry);
  }

  /** @throws ResultTooLarge */
  toPage(): SearchPage {
    const { offset, sizeLimit } = this.#criteria;
    const page = this.#first.list().slice(offset);
    const last = page.at(-1);
    return {
      records: within(
        sizeLimit,
        page.map(({ row }) => row),
      ),
      total: this.#total,
      ...(last && { last: { values: last.values, id: last.id } }),
    };
  }
}

/** @throws ResultTooLarge */
export function within(limit: SizeLimit | undefined, rows: readonly RecordToStore[]): readonly RecordToStore[] {
  if (limit === undefined || rows.length <= limit.unmeasured) return rows;
  const bytes = rows.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
  if (bytes > limit.maxBytes) throw new ResultTooLarge(limit.maxBytes);
  return rows;
}

/** Collects the first `limit` entries in order, with bounded memory: a page must not cost a sort of everything. */
export class FirstInOrder<T> {
  readonly #compare: (a: T, b: T) => number;
  readonly #limit: number;
  #kept: T[] = [];
  #worst: T | undefined;

  constructor(compare: (a: T, b: T) => number, limit: number) {
    this.#compare = compare;
    this.#limit = limit;
  }

  add(entry: T): void {
    if (this.#limit === 0 || (this.#worst !== undefined && this.#compare(entry, this.#worst) >= 0)) return;
    this.#kept.push(entry);
    if (this.#kept.length < 2 * this.#limit + 100) return;
    this.#kept = this.list();
    this.#worst = this.#kept.at(-1);
  }

  list(): T[] {
    return this.#kept.sort(this.#compare).slice(0, this.#limit);
  }
}
