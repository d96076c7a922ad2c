import type { ColumnValue, Filter, StoredRecord, Table, TenantScope } from "../ports/storage.js";
import { runWithRollback } from "../shared/async.js";
import { chunkSize, inChunks, manyItems } from "../shared/in-steps.js";
import type { OperationCall, WriteCall } from "./operation.js";

type ReadingCall = Pick<OperationCall, "reader" | "service">;

interface LongList {
  readonly table: Table;
  readonly column: string;
  readonly values: readonly ColumnValue[];
  readonly equals?: Readonly<Record<string, ColumnValue>>;
}

/** The records that hold one of many distinct values, in ascending order of id within each chunk. */
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

/** Filters that match one of many values, each with a bounded number of values. */
export function listFilters(column: string, values: readonly ColumnValue[]): Filter[] {
  const filters: Filter[] = [];
  for (let start = 0; start < values.length; start += chunkSize)
    filters.push({ op: "in", column, values: values.slice(start, start + chunkSize) });
  return filters;
}

/** Records per page. Larger than a chunk, since a storage may scan all records for each page. */
const pageSize = 2_000;

/** Options of a paged read. The text in `column` is unique among the records that pass the filter. */
interface PagedRead {
  readonly table: Table;
  readonly filter: Filter;
  readonly column: string;
  readonly keyOf: (record: StoredRecord) => string;
}

/** All records that pass a filter, in pages in ascending order of the column. The caller may remove records that it has read. */
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

/** Called with the number of records about to change. Throws when the number requires a long transaction instead. */
export type RecordCount = (count: number) => void;

const turnedOutLong = Symbol("turned out long");

/** Runs work that may change very many records. When too many turn up in a short transaction, repeats it as a long one. */
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
