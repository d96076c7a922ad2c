/** Goals 9 to 11: runs of a lambda by our runner, in child processes, against runs in this process by hand. */

import { defaultLambdaLimits, type LambdaRun } from "latchkey/ports";
import { isolatedVmRunner } from "latchkey/runners";
import { argumentsJson, body, changes, checkChanged, functionName, parameters } from "../harness/lambda-fixture.ts";
import {
  createContextPerCall,
  createFrozen,
  createFrozenAsync,
  createQuickjs,
  type InProcess,
} from "../yardsticks/lambda-in-process.ts";

export interface LambdaJob {
  readonly base: "frozen" | "frozenAsync" | "context" | "quickjs";
  /** How many of our runs are under way at a time. */
  readonly inFlight: number;
  readonly seconds: number;
}

const runner = isolatedVmRunner();
const script = { tenantId: "tenant", lambdaId: "lambda", version: "1", body, functionName, parameters, changes };
const given: LambdaRun = { script, argumentsJson, limits: defaultLambdaLimits };

const bases: Readonly<Record<LambdaJob["base"], () => InProcess | Promise<InProcess>>> = {
  frozen: createFrozen,
  frozenAsync: createFrozenAsync,
  context: createContextPerCall,
  quickjs: createQuickjs,
};
const open = new Map<LambdaJob["base"], InProcess>();

const openBase = async (name: LambdaJob["base"]): Promise<InProcess> => {
  const base = open.get(name) ?? (await bases[name]());
  if (!open.has(name)) checkChanged(await base.run());
  open.set(name, base);
  return base;
};

const runOurs = async (): Promise<void> => {
  const outcome = await runner.run(given);
  if (outcome.kind !== "ok") throw new Error(`our runner answered ${outcome.kind}: ${outcome.message}`);
};

const timeOurs = async ({ inFlight, seconds }: LambdaJob): Promise<number> => {
  const end = performance.now() + seconds * 1_000;
  let runs = 0;
  const lane = async (): Promise<void> => {
    for (; performance.now() < end; runs++) await runOurs();
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: inFlight }, lane));
  return (runs * 1_000) / (performance.now() - start);
};

const timeBase = async ({ base, seconds }: LambdaJob): Promise<number> => {
  const { run } = await openBase(base);
  const isAsync = base === "frozenAsync";
  const start = performance.now();
  const end = start + seconds * 1_000;
  let runs = 0;
  for (; performance.now() < end; runs++) isAsync ? await run() : run();
  return (runs * 1_000) / (performance.now() - start);
};

const first = await runner.run(given);
if (first.kind !== "ok") throw new Error(`our runner answered ${first.kind}: ${first.message}`);
checkChanged(first.changedJson);

process.on("message", async (job: LambdaJob) => {
  const half = { ...job, seconds: job.seconds / 2 };
  const ours = await timeOurs(half);
  process.send?.({ ours, base: await timeBase(half) });
});
