import type { LambdaRunner } from "latchkey/ports";
import { isolatedVmRunner } from "latchkey/runners";
import { afterAll, expect, test } from "vitest";
import { hostOf, jwtAfter, runStatements, toRun } from "../contract/lambda-runner/kit.js";
import { guestsOf } from "../support/guests.js";
import { requirement } from "../support/requirement.js";

const runner: LambdaRunner = isolatedVmRunner();

afterAll(() => runner.close());

/** What isolated-vm cannot end by itself, and what may become of it. */
const bombs: Readonly<Record<string, readonly [statements: string, kinds: RegExp]>> = {
  "a native search": ["[].includes.call({ length: 2 ** 53 - 1 }, 1);", /^timedOut$/],
  "a native fill": ["Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 1);", /^timedOut$|^outOfMemory$/],
  "a map without end": ["const m = new Map(); for (let i = 0; ; i++) m.set(i, { i });", /^outOfMemory$|^timedOut$|^crashed$/],
  "arrays that are dropped": ["for (;;) new Array(1000).fill(0);", /^timedOut$|^outOfMemory$/],
  "arrays that are kept": ["const a = []; for (;;) a.push(new Array(1000).fill(0));", /^outOfMemory$|^timedOut$|^crashed$/],
  "one huge array": ["new Array(5e7).fill(0);", /^outOfMemory$|^timedOut$|^crashed$/],
  "a huge split": ["'x'.repeat(2 ** 28).split('');", /^outOfMemory$|^timedOut$|^crashed$/],
  "keys without end": ["const o = {}; for (let i = 0; ; i++) o['k' + i] = i;", /^outOfMemory$|^timedOut$|^crashed$/],
};

test.each(Object.entries(bombs))("%s is ended, and others are answered", async (_, [statements, kinds]) => {
  const limits = { wallClockMilliseconds: 500 };
  const [bomb, ...neighbours] = await Promise.all([
    runStatements(runner, statements, { limits }),
    ...Array.from({ length: 5 }, (__, number) => jwtAfter(runner, `jwt.number = ${number};`)),
  ]);
  expect(bomb?.kind).toMatch(kinds);
  expect(neighbours).toEqual(Array.from({ length: 5 }, (__, number) => ({ sub: "someone", number })));
});

requirement("runner.kills", "a run that was killed says so, and its guest is counted and replaced", async () => {
  const { killed } = runner.readState();
  const outcome = await runStatements(runner, "[].includes.call({ length: 2 ** 53 - 1 }, 1);", {
    limits: { wallClockMilliseconds: 100 },
  });
  expect(outcome).toEqual({ kind: "timedOut", message: "It took too long.", console: [], wasKilled: true });
  expect(runner.readState().killed).toBe(killed + 1);
  expect(await jwtAfter(runner, "jwt.a = 1;")).toMatchObject({ a: 1 });
});

requirement("runner.once", "the calls behind a run that was killed are run again elsewhere, once", async () => {
  const calls: number[] = [];
  const host = hostOf({ "host.count": (number) => void calls.push(Number(number)) });
  const body = `function populate(jwt) {
    if (jwt.number === 11) [].includes.call({ length: 2 ** 53 - 1 }, 1);
    host.count(jwt.number);
  }`;
  const run = (number: number) =>
    runner.run(toRun(body, { given: { jwt: { number } }, host, limits: number === 11 ? { wallClockMilliseconds: 300 } : {} }));
  for (const number of [100, 101]) await run(number);
  const outcomes = await Promise.all(Array.from({ length: 40 }, (_, number) => run(number)));
  expect(outcomes.flatMap(({ kind }, number) => (kind === "ok" ? [] : [number]))).toEqual([11]);
  const expected = [...Array.from({ length: 40 }, (_, number) => number).filter((number) => number !== 11), 100, 101];
  expect(calls.toSorted((a, b) => a - b)).toEqual(expected);
});

requirement("runner.kills", "the calls before a run that hangs are answered, whether or not their answers had left", async () => {
  const body = `function populate(jwt) {
    if (jwt.number === 25) [].includes.call({ length: 2 ** 53 - 1 }, 1);
    jwt.a = 1;
  }`;
  const run = (number: number) =>
    runner.run(toRun(body, { given: { jwt: { number } }, limits: { wallClockMilliseconds: 1_500 } }));
  // Runs that are known to be short travel together, and so do their answers.
  for (let number = 100; number < 120; number++) await run(number);
  for (let round = 0; round < 3; round++) {
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, number) => run(number)));
    expect(outcomes.flatMap(({ kind }, number) => (kind === "ok" ? [] : [`${number} ${kind}`]))).toEqual(["25 timedOut"]);
  }
});

test("a guest that somebody else kills takes nobody with it but the run that it was at", async () => {
  const gate = Promise.withResolvers<void>();
  const host = hostOf({ "host.wait": () => gate.promise });
  const waiting = runStatements(runner, "host.wait();", { host, limits: { hostCallMilliseconds: 60_000 } });
  await jwtAfter(runner, "jwt.a = 1;");
  for (const { pid } of guestsOf(process.pid)) process.kill(pid, "SIGKILL");
  expect(await waiting).toMatchObject({ kind: "crashed", wasKilled: true });
  gate.resolve();
  expect(await jwtAfter(runner, "jwt.a = 1;")).toMatchObject({ a: 1 });
});
