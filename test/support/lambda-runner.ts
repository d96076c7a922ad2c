import type { LambdaRun, LambdaRunner } from "latchkey/ports";
import { isolatedVmRunner } from "latchkey/runners";

let shared: LambdaRunner | undefined;

// The product's limits may be too short for a busy machine.
const patientMilliseconds = 20_000;

/**
 * The production runner. All services of a test process share its guests, which end with the process: starting them for each
 * service would take far longer. Any run may take 20 s; pass `keepsLimits` in tests of the limits.
 */
export function testRunner({ keepsLimits = false }: { readonly keepsLimits?: boolean } = {}): LambdaRunner {
  shared ??= isolatedVmRunner({ processes: 2 });
  const runner = shared;
  const limited = (run: LambdaRun): LambdaRun =>
    keepsLimits ? run : { ...run, limits: { ...run.limits, wallClockMilliseconds: patientMilliseconds } };
  return { run: (run) => runner.run(limited(run)), readState: () => runner.readState(), close: async () => undefined };
}
