/** Many runs of mixed bodies, and what the host and its guests weigh while they last. */
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { defaultLambdaLimits, type LambdaHost, type LambdaRun, type LambdaRunner } from "latchkey/ports";
import { guestsOf } from "../support/guests.ts";

/** What is used while a tenth of the runs lasts, in MiB. */
export interface Weight {
  /** The heap of the host after a collection. */
  readonly heap: number;
  /** The real memory of all guests together. */
  readonly guests: number;
}

/** What came of the runs. */
export interface LongRun {
  /** Runs that did not end as their body ends. */
  readonly wrong: number;
  /** A weight for each tenth. */
  readonly tenths: readonly Weight[];
}

const mebibyte = 1_048_576;
const pageBytes = 4_096;
const atATime = 50;
const tenants = 2;
/** After so many runs, each tenant's changing lambda has a new version. */
const runsOfVersion = 1_000;

const given = JSON.stringify({ jwt: { sub: "x".repeat(300) }, user: { name: "y".repeat(700) } });
const limits = { ...defaultLambdaLimits, wallClockMilliseconds: 10_000 };
const host: LambdaHost = {
  names: ["host.lookUp"],
  call: async (_name, argumentsJson) => JSON.stringify({ found: argumentsJson, text: "z".repeat(1_000) }),
};

/** Statements, and what a good end of them shows in the outcome. */
const bodies: readonly (readonly [statements: (version: number) => string, shows: (version: number) => string])[] = [
  [() => "jwt.text = 'x'.repeat(1_000);", () => '"kind":"ok"'],
  [() => "throw new Error('no');", () => '"kind":"threw"'],
  [() => "console.log('line', jwt);", () => '"text":"line {'],
  [() => "jwt.list = Array.from({ length: 50 }, (_, i) => ({ i }));", () => '{\\"i\\":49}'],
  [() => "jwt.found = host.lookUp('one').found;", () => '"kind":"ok"'],
  [(version) => `jwt.version = ${version};`, (version) => `\\"version\\":${version}}`],
];

/** Runs mixed bodies of several tenants; before they count, some that bring the guests to what they weigh at work. */
export async function runLong(runner: LambdaRunner, runs: number, runsBefore: number): Promise<LongRun> {
  let wrong = await runMany(runner, 0, runsBefore);
  const tenths: Weight[] = [];
  const step = runs / 100;
  for (let tenth = 0; tenth < 10; tenth++) {
    const weights: Weight[] = [];
    for (let part = 0; part < 10; part++) {
      wrong += await runMany(runner, runsBefore + (10 * tenth + part) * step, step);
      weights.push(weigh());
    }
    tenths.push({ heap: mean(weights.map(({ heap }) => heap)), guests: mean(weights.map(({ guests }) => guests)) });
  }
  return { wrong, tenths };
}

/** How much larger the last tenth is than the first one: 0.1 is a tenth. */
export function growthOf({ tenths }: LongRun): Weight {
  const [first, last] = [tenths[0], tenths.at(-1)];
  if (first === undefined || last === undefined) throw new Error("Nothing was run.");
  return { heap: last.heap / first.heap - 1, guests: last.guests / first.guests - 1 };
}

async function runMany(runner: LambdaRunner, from: number, runs: number): Promise<number> {
  let wrong = 0;
  for (let start = from; start < from + runs; start += atATime) {
    const numbers = Array.from({ length: Math.min(atATime, from + runs - start) }, (_, index) => start + index);
    const ends = await Promise.all(numbers.map((number) => endsWell(runner, number)));
    wrong += ends.filter((isWell) => !isWell).length;
  }
  return wrong;
}

async function endsWell(runner: LambdaRunner, number: number): Promise<boolean> {
  const kind = number % bodies.length;
  const [toStatements, toShown] = bodies[kind] ?? [() => "", () => ""];
  const version = Math.floor(number / runsOfVersion);
  const outcome = await runner.run(toRun(kind, number % tenants, toStatements(version)));
  return JSON.stringify(outcome).includes(toShown(version));
}

function toRun(kind: number, tenant: number, statements: string): LambdaRun {
  const body = `function populate(jwt, user) { ${statements} }`;
  const names = { functionName: "populate", parameters: ["jwt", "user"], changes: ["jwt"] };
  const script = { tenantId: `tenant ${tenant}`, lambdaId: `lambda ${kind}`, version: statements, body, ...names };
  return { script, argumentsJson: given, limits, host };
}

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");
setFlagsFromString("--no-expose-gc");

function weigh(): Weight {
  collect();
  const guests = guestsOf(process.pid).map(({ pid }) => readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]);
  return {
    heap: process.memoryUsage().heapUsed / mebibyte,
    guests: guests.reduce((sum, pages) => sum + (Number(pages) * pageBytes) / mebibyte, 0),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
