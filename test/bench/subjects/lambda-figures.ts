/** Goals 12 to 14: what a kill, a new child and an idle lambda cost, and what hostile bodies do to this process. */
import { readdirSync, readFileSync } from "node:fs";
import { build } from "esbuild";
import { defaultLambdaLimits, type LambdaOutcome, type LambdaRunner } from "latchkey/ports";
import { isolatedVmRunner } from "latchkey/runners";
import { fromBench } from "../harness/paths.ts";

export interface FigureJob {
  readonly figure: "kill" | "respawn" | "memory" | "growth";
}

const nativeLoop = "function populate() { Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1); }";
const harmless = "function populate(jwt) { jwt.a = 1; }";

const limits = { ...defaultLambdaLimits, wallClockMilliseconds: 200 };
let versions = 0;

const run = (runner: LambdaRunner, body: string, lambdaId = "lambda"): Promise<LambdaOutcome> =>
  runner.run({
    script: {
      tenantId: "t",
      lambdaId,
      version: String(++versions),
      body,
      functionName: "populate",
      parameters: ["jwt"],
      changes: ["jwt"],
    },
    argumentsJson: '{"jwt":{}}',
    limits,
  });

const assertKind = (outcome: LambdaOutcome, ...kinds: readonly LambdaOutcome["kind"][]): void => {
  if (!kinds.includes(outcome.kind)) throw new Error(`a run ended ${outcome.kind}`);
};

/** How long past its time a run that only a kill ends is answered, in milliseconds. */
const measureKill = async (runner: LambdaRunner): Promise<number> => {
  assertKind(await run(runner, harmless), "ok");
  const start = performance.now();
  assertKind(await run(runner, nativeLoop), "timedOut");
  return performance.now() - start - limits.wallClockMilliseconds;
};

/** How long a run takes that comes right after a kill, in milliseconds. */
const measureRespawn = async (runner: LambdaRunner): Promise<number> => {
  assertKind(await run(runner, nativeLoop), "timedOut");
  const start = performance.now();
  assertKind(await run(runner, harmless), "ok");
  return performance.now() - start;
};

const childrenOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );

const residentBytes = (pid: number): number => Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4_096;

/** What a thousand lambdas that were run once hold, in MiB for each. */
const measureMemory = async (): Promise<number> => {
  const lambdas = 1_000;
  const runner = isolatedVmRunner({ processes: 1 });
  for (let index = 0; index < 20; index++) assertKind(await run(runner, harmless, `warm ${index}`), "ok");
  const weigh = (): number => childrenOf(process.pid).reduce((sum, pid) => sum + residentBytes(pid), 0);
  const before = weigh();
  for (let index = 0; index < lambdas; index++) assertKind(await run(runner, `${harmless} // ${index}`, `lambda ${index}`), "ok");
  const grown = weigh() - before;
  await runner.close();
  return Math.max(0, grown) / 1_048_576 / lambdas;
};

interface HostileBody {
  readonly body: string;
  readonly kinds: readonly LambdaOutcome["kind"][];
}

// The list of the tests, which are not written for Node's own loader.
const readHostileBodies = async (): Promise<readonly HostileBody[]> => {
  const entryPoints = [fromBench("../support/hostile-lambdas.ts")];
  const { outputFiles } = await build({ entryPoints, bundle: true, format: "esm", write: false, packages: "external" });
  const source = Buffer.from(outputFiles[0]?.contents ?? "").toString("base64");
  return (await import(`data:text/javascript;base64,${source}`)).hostileLambdas;
};

/** How much this process grows while every hostile body is run, in MiB. */
const measureGrowth = async (runner: LambdaRunner): Promise<number> => {
  const bodies = await readHostileBodies();
  for (let index = 0; index < 1_000; index++) await run(runner, harmless);
  const before = process.memoryUsage.rss();
  let highest = before;
  for (const { body, kinds } of bodies) {
    assertKind(await run(runner, body), ...kinds);
    highest = Math.max(highest, process.memoryUsage.rss());
  }
  return (highest - before) / 1_048_576;
};

const runner = isolatedVmRunner();
const figures: Readonly<Record<FigureJob["figure"], () => Promise<number>>> = {
  kill: () => measureKill(runner),
  respawn: () => measureRespawn(runner),
  memory: measureMemory,
  growth: () => measureGrowth(runner),
};

process.on("message", async ({ figure }: FigureJob) => process.send?.({ value: await figures[figure]() }));
