import type { ColumnValue, Filter, StoredRecord, Table, TenantScope } from "../ports/storage.js";
import { runWithRollback } from "../shared/async.js";
import { chunkSize, inChunks, manyItems } from "../shared/in-steps.js";
import type { OperationCall, WriteCall } from "./operation.js";

/** What reads in steps. */
type ReadingCall = Pick<OperationCall, "reader" | "service">;

/** Where to look for records, and for which values. */
interface LongList {
  readonly table: Table;
  readonly column: string;
  readonly values: readonly ColumnValue[];
  /** What the records must have besides. */
  readonly equals?: Readonly<Record<string, ColumnValue>>;
}

/** The records that hold one of many values, no two of them the same, in ascending order of id within each step. */
export async function findInChunks(call: ReadingCall, scope: TenantScope, list: LongList): Promise<StoredRecord[]> {
  const { table, column, equals = {} } = list;
  const others = Object.entries(equals).map(([name, value]) => ({ op: "equals", column: name, value }) as const);
  const found: StoredRecord[] = [];
  await inChunks(call.service.runtime, list.values, async (values) => {
    const filters = [...others, { op: "in", column, values } as const];
    for (const record of await call.reader.find(scope, table, { op: "and", filters })) found.push(record);
  });
  return found;
}

/** Tests for one of many values, each of them for a bounded number. */
export function listFilters(column: string, values: readonly ColumnValue[]): Filter[] {
  const filters: Filter[] = [];
  for (let start = 0; start < values.length; start += chunkSize)
    filters.push({ op: "in", column, values: values.slice(start, start + chunkSize) });
  return filters;
}

/** How many records a page of a long reading has. Larger than a step, since a storage may look through all records for each page. */
const pageSize = 2_000;

/** Records to be read page by page. No two of those that pass the filter hold the same text in `column`. */
interface PagedRead {
  readonly table: Table;
  readonly filter: Filter;
  readonly column: string;
  readonly keyOf: (record: StoredRecord) => string;
}

/** All records that pass a filter, in pages in ascending order of the column. What is read already may be removed meanwhile. */
export async function* pagesOf(
  call: ReadingCall,
  scope: TenantScope,
  { table, filter, column, keyOf }: PagedRead,
): AsyncGenerator<readonly StoredRecord[]> {
  const options = { limit: pageSize, sort: [{ column, direction: "asc" }] } as const;
  for (let wanted = filter; ; await call.service.runtime.timers.nextTurn()) {
    const page = await call.reader.find(scope, table, wanted, options);
    yield page;
    const last = page.at(-1);
    if (page.length < pageSize || last === undefined) return;
    wanted = { op: "and", filters: [filter, { op: "compare", column, comparison: ">", value: keyOf(last) }] };
  }
}

/** Called with the number of records about to change. It throws when so many should run as a long transaction instead. */
export type RecordCount = (count: number) => void;

const turnedOutLong = Symbol("turned out long");

/** Does what may change very many records, which is known beforehand or found out on the way: what was done until then is undone. */
export async function runBulkWrite<T>(
  call: OperationCall,
  work: (write: WriteCall, noteCount: RecordCount) => Promise<T>,
  isKnownLong = false,
): Promise<T> {
  if (!isKnownLong) {
    const result = await runWithRollback<T, typeof turnedOutLong>((rollBack) =>
      call.write((write) =>
        work(write, (count) => {
          if (count > manyItems) rollBack(turnedOutLong);
        }),
      ),
    );
    if (result !== turnedOutLong) return result;
  }
  return call.write((write) => work(write, () => undefined), { isLong: true });
}
