import type { LambdaRun, LambdaRunner } from "latchkey/ports";
import { isolatedVmRunner } from "latchkey/runners";

let shared: LambdaRunner | undefined;

// A busy machine may take longer than the limits that protect the product.
const patientMilliseconds = 20_000;

/**
 * The production runner. All services of a test process share its guests, which end with the process: each service starting its own would
 * take far longer. A run may take 20 s, whatever its limit: pass `keepsLimits` to test runs that exceed it.
 */
export function testRunner({ keepsLimits = false }: { readonly keepsLimits?: boolean } = {}): LambdaRunner {
  shared ??= isolatedVmRunner({ processes: 2 });
  const runner = shared;
  const limited = (run: LambdaRun): LambdaRun =>
    keepsLimits ? run : { ...run, limits: { ...run.limits, wallClockMilliseconds: patientMilliseconds } };
  return { run: (run) => runner.run(limited(run)), readState: () => runner.readState(), close: async () => undefined };
}
