import { manyItems } from "../shared/async/in-steps.js";
import type { OperationCall, WriteCall } from "./operation.js";

/** Called with the number of records about to change. It throws when so many should run as a long transaction instead. */
export type RecordCount = (count: number) => void;

class TurnedOutLong extends Error {
  constructor() {
    super("The work turned out to be long.");
  }
}

/** Does what may change very many records, which is known beforehand or found out on the way: what was done until then is undone. */
export async function runBulkWrite<T>(
  call: OperationCall,
  work: (write: WriteCall, noteCount: RecordCount) => Promise<T>,
  isKnownLong = false,
): Promise<T> {
  if (!isKnownLong)
    try {
      return await call.write((write) => work(write, assertShort));
    } catch (error) {
      if (!(error instanceof TurnedOutLong)) throw error;
    }
  return call.write((write) => work(write, () => undefined), { isLong: true });
}

function assertShort(count: number): void {
  if (count > manyItems) throw new TurnedOutLong();
}
