import { expect } from "vitest";
import type { RunnerContractTest } from "./contract-test.js";
import { changedOf, hostOf, jwtAfter, runStatements, toRun } from "./kit.js";

export const sideBySideTests: readonly RunnerContractTest[] = [
  {
    name: "gives each of many runs side by side its own outcome",
    run: async (runner) => {
      const run = (number: number) =>
        runner.run(toRun("function populate(jwt) { jwt.double = jwt.number * 2; }", { given: { jwt: { number } } }));
      const outcomes = await Promise.all(Array.from({ length: 200 }, (_, number) => run(number)));
      expect(outcomes.map(changedOf)).toEqual(
        Array.from({ length: 200 }, (_, number) => ({ jwt: { number, double: number * 2 } })),
      );
    },
  },
  {
    name: "answers the neighbours of a run that takes too long, each once",
    run: async (runner) => {
      const calls: unknown[] = [];
      const host = hostOf({ "host.count": (number) => void calls.push(number) });
      const body = "function populate(jwt) { if (jwt.number % 20 === 7) for (;;); host.count(jwt.number); jwt.done = true; }";
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, number) =>
          runner.run(
            toRun(body, { given: { jwt: { number } }, limits: number % 20 === 7 ? { wallClockMilliseconds: 300 } : {}, host }),
          ),
        ),
      );
      expect(outcomes.flatMap(({ kind }, number) => (kind === "ok" ? [] : [[number, kind]]))).toEqual([
        [7, "timedOut"],
        [27, "timedOut"],
      ]);
      const expected = Array.from({ length: 40 }, (_, number) => number).filter((number) => number % 20 !== 7);
      expect(calls.toSorted((a, b) => Number(a) - Number(b))).toEqual(expected);
    },
  },
  {
    name: "answers the neighbours of a run that eats memory",
    run: async (runner) => {
      const bomb = runStatements(runner, "const a = []; for (;;) a.push({ a: 1, b: [2] });", {
        limits: { wallClockMilliseconds: 20_000 },
      });
      const quick = await Promise.all(Array.from({ length: 30 }, (_, number) => jwtAfter(runner, `jwt.number = ${number};`)));
      expect(quick).toEqual(Array.from({ length: 30 }, (_, number) => ({ sub: "someone", number })));
      expect(await bomb).toMatchObject({ kind: "outOfMemory" });
    },
  },
  {
    name: "answers other scripts of a tenant, and other tenants, while a script of it never ends",
    run: async (_, factory) => {
      const runner = factory();
      const parts = { tenantId: "loops", limits: { wallClockMilliseconds: 60_000 } };
      const loops = Array.from({ length: 6 }, () => runStatements(runner, "for (;;);", parts));
      for (const tenantId of ["loops", "other", "loops", "another"])
        expect(await jwtAfter(runner, "jwt.a = 1;", { tenantId })).toEqual({ sub: "someone", a: 1 });
      await runner.close();
      for (const loop of loops) expect(await loop).toMatchObject({ kind: "refused" });
    },
  },
];
