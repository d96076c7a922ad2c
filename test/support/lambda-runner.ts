import { isolatedVmRunner } from "latchkey/isolated-vm";
import type { LambdaRunner } from "latchkey/lambda-runner";
import { afterAll } from "vitest";

let shared: LambdaRunner | undefined;

/**
 * The production runner. All services of a test file share its processes, and it closes with the file: each of them starting its own would
 * take far longer.
 */
export function testRunner(): LambdaRunner {
  shared ??= isolatedVmRunner({ processes: 2 });
  const runner = shared;
  return { run: (wish) => runner.run(wish), readState: () => runner.readState(), close: async () => undefined };
}

afterAll(async () => {
  await shared?.close();
  shared = undefined;
});
