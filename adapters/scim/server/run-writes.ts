import { IdentityError, type InProcessApi } from "latchkey";
import type { ScimCall } from "./call.js";
import { toScimError } from "./responses.js";

/** One operation of the API. */
export type Write = (api: InProcessApi) => Promise<unknown>;

/**
 * Runs operations, several in one transaction, and returns the last result. Converts their errors to SCIM errors, with the
 * attributes in `paths`.
 */
export async function runWrites(call: ScimCall, writes: readonly Write[], paths: ReadonlyMap<string, string>): Promise<unknown> {
  const [first, ...others] = writes;
  if (first === undefined) return undefined;
  try {
    return await (others.length === 0 ? first(call.api) : call.host.transaction(call.principal, (tx) => inTurn(writes, tx)));
  } catch (error) {
    throw isConflict(error) ? error : (toScimError(error, paths) ?? error);
  }
}

async function inTurn(writes: readonly Write[], api: InProcessApi): Promise<unknown> {
  let last: unknown;
  for (const write of writes) last = await write(api);
  return last;
}

const maxAttempts = 30;

/**
 * Retries work while another change of the record causes a conflict, at most 30 times. Of many concurrent changes, one succeeds
 * each time.
 */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || attempt === maxAttempts) throw error;
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof IdentityError && error.status === 412;
}
