import {
  type Filter,
  type FindOptions,
  ResultTooLarge,
  type StorageReader,
  type StoredRecord,
  type Table,
  type TenantScope,
} from "../ports/storage.js";
import { bothFilters } from "../search/parse-criteria.js";
import type { NumberedEntry } from "./numbered-log.js";

/** The most records per page, unless they are large. */
const maxPage = 500;
/** The approximate size of a page, in bytes. */
export const pageBytes: number = 4 * 1_024 * 1_024;
const partBytes = 65_536;

interface RecordsToExport {
  readonly scope: TenantScope;
  readonly table: Table;
  readonly filter: Filter | undefined;
}

/** The start of a page: after an id, or by a filter. */
type PageStart = Pick<FindOptions, "after" | "sort"> & { readonly filter: Filter | undefined };

/** Records in the order of their ids, in pages of bounded memory. */
export function pagesOf(reader: StorageReader, records: RecordsToExport): AsyncGenerator<readonly StoredRecord[]> {
  const { filter } = records;
  return pagesFrom(reader, records, (last) => ({ filter, ...(last && { after: last.id }) }));
}

/** Entries of a log in the order of their creation, in pages of bounded memory. */
export function pagesOfEntries(reader: StorageReader, records: RecordsToExport): AsyncGenerator<readonly StoredRecord[]> {
  const sort = [
    { column: "insertInstant", direction: "asc" },
    { column: "number", direction: "asc" },
  ] as const;
  return pagesFrom(reader, records, (last) => ({
    filter: last === undefined ? records.filter : bothFilters(records.filter, madeAfter(JSON.parse(last.json))),
    sort,
  }));
}

// An index serves only the first comparison.
function madeAfter({ id, insertInstant }: NumberedEntry): Filter {
  const isLater = { op: "compare", column: "insertInstant", comparison: ">", value: insertInstant } as const;
  const isNext = { op: "compare", column: "number", comparison: ">", value: id } as const;
  return {
    op: "and",
    filters: [
      { ...isLater, comparison: ">=" },
      { op: "or", filters: [isLater, isNext] },
    ],
  };
}

async function* pagesFrom(
  reader: StorageReader,
  { scope, table }: RecordsToExport,
  startAfter: (last?: StoredRecord) => PageStart,
): AsyncGenerator<readonly StoredRecord[]> {
  const sizeLimit = { maxBytes: pageBytes, unmeasured: 1 };
  for (let start = startAfter(), limit = maxPage; ; )
    try {
      const { filter, ...from } = start;
      const records = await reader.find(scope, table, filter, { ...from, limit, sizeLimit });
      const last = records.at(-1);
      if (last === undefined) return;
      start = startAfter(last);
      limit = Math.min(2 * limit, maxPage);
      yield records;
    } catch (error) {
      if (!(error instanceof ResultTooLarge) || limit === 1) throw error;
      limit = Math.ceil(limit / 8);
    }
}

/** A line for each item, in parts. */
export function* toParts<Item>(items: readonly Item[], toLine: (item: Item) => string): Generator<Uint8Array> {
  let lines: string[] = [];
  let length = 0;
  for (const item of items) {
    const line = toLine(item);
    lines.push(line);
    length += line.length;
    if (length < partBytes) continue;
    yield toPart(lines);
    [lines, length] = [[], 0];
  }
  if (lines.length > 0) yield toPart(lines);
}

function toPart(lines: readonly string[]): Uint8Array {
  return Buffer.from(`${lines.join("\n")}\n`);
}

/** The items of a generator, with one item prefetched. */
export async function* prepareNext<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  const ask = (): Promise<IteratorResult<Item>> => {
    const asked = items.next();
    // The caller that awaits `next` reports it.
    asked.catch(() => undefined);
    return asked;
  };
  let next = ask();
  try {
    for (let item = await next; item.done !== true; item = await next) {
      next = ask();
      yield item.value;
    }
  } finally {
    await next.catch(() => undefined);
    await items.return(undefined);
  }
}
