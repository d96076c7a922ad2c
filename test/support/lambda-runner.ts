import { isolatedVmRunner } from "latchkey/isolated-vm";
import type { LambdaRunner } from "latchkey/lambda-runner";

let shared: LambdaRunner | undefined;

/**
 * The production runner. All services of a test process share its guests, which end with the process: each service starting its own would
 * take far longer.
 */
export function testRunner(): LambdaRunner {
  shared ??= isolatedVmRunner({ processes: 2 });
  const runner = shared;
  return { run: (wish) => runner.run(wish), readState: () => runner.readState(), close: async () => undefined };
}
