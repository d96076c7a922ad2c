import { assertKnownOptions } from "latchkey";
import type { LambdaRunner } from "latchkey/lambda-runner";
import { LambdaPool } from "../lambda-guest/pool.js";
import { checkInteger, type LambdaPoolOptions, poolOptionNames, toPoolOptions } from "../lambda-guest/pool-options.js";
import { startGuestThread } from "./guest-thread.js";

/** Options of {@link nodeVmRunner}. */
export interface NodeVmRunnerOptions extends LambdaPoolOptions {
  /** The heap of a thread, in place of the heap that a run may have. Default 128. */
  readonly threadMebibytes?: number;
}

/**
 * A runner that is no wall against hostile code, as node:vm is none: for hosts that write their own lambdas and do not want a native
 * module. Scripts run in threads of the host's process; a run that takes too long ends its thread. What threads cannot be prevented from is
 * taking the memory of the whole process with a single huge allocation, or a core with a long built-in function. Nor can every
 * loop be ended: `for (;;) a.push(new Array(1000).fill(0))` goes on past its time, takes a core and ever more memory, is never answered and
 * keeps `close()` waiting.
 * @throws TypeError when an option is wrong.
 */
export function nodeVmRunner(options: NodeVmRunnerOptions = {}): LambdaRunner {
  assertKnownOptions("", options, { ...poolOptionNames, threadMebibytes: true });
  const { threadMebibytes = 128, ...rest } = options;
  const pool = toPoolOptions(rest);
  checkInteger("threadMebibytes", threadMebibytes, 16, 1_048_576);
  // A thread has no deadline of its own, so that there is nothing to wait for.
  const settings = { ...pool, graceMilliseconds: 0, guestMebibytes: Number.POSITIVE_INFINITY };
  return new LambdaPool(settings, (listener) => startGuestThread(threadMebibytes, listener));
}
