import { runWithRollback } from "../shared/async.js";
import { manyItems } from "../shared/in-steps.js";
import type { OperationCall, WriteCall } from "./operation.js";

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
