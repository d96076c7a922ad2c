import { expect } from "vitest";
import type { RunnerContractTest } from "./contract-test.js";
import { changedOf, jwtAfter, runStatements, toRun } from "./kit.js";

const endless: Readonly<Record<string, string>> = {
  "an endless loop": "for (;;);",
  "a loop that catches everything": "for (;;) try { throw 1 } catch {}",
  "an expression that backtracks without end": "/^(a+)+$/.test('a'.repeat(40) + '!');",
  "microtasks without end": "const again = () => { Promise.resolve().then(again); }; again();",
  "a getter of the result that never returns": "Object.defineProperty(jwt, 'x', { enumerable: true, get() { for (;;); } });",
};

/** Those that threads contain as well; the tests of the processes have worse ones. */
const bombs: Readonly<Record<string, string>> = {
  objects: "const a = []; for (;;) a.push({ a: 1, b: [2] });",
  strings: "const a = []; for (let i = 0; ; i++) a.push('x'.repeat(1000) + i + JSON.stringify(a.length));",
};

export const limitTests: readonly RunnerContractTest[] = [
  ...Object.entries(endless).map(
    ([name, statements]) =>
      ({
        name: `ends ${name}`,
        run: async (runner) => {
          const outcome = await runStatements(runner, statements, { limits: { wallClockMilliseconds: 200 } });
          expect(outcome).toMatchObject({ kind: "timedOut", console: expect.any(Array) });
          expect(await jwtAfter(runner, "jwt.a = 1;")).toEqual({ sub: "someone", a: 1 });
        },
      }) satisfies RunnerContractTest,
  ),
  ...Object.entries(bombs).map(
    ([name, statements]) =>
      ({
        name: `ends a run that fills its memory with ${name}`,
        run: async (runner) => {
          const outcome = await runStatements(runner, statements, { limits: { wallClockMilliseconds: 20_000 } });
          expect(outcome).toMatchObject({ kind: "outOfMemory" });
          expect(await jwtAfter(runner, "jwt.a = 1;")).toEqual({ sub: "someone", a: 1 });
        },
      }) satisfies RunnerContractTest,
  ),
  {
    name: "gives a run the memory that it may have",
    run: async (runner) => {
      const statements =
        "const kept = []; for (let i = 0; i < 200; i++) kept.push('x'.repeat(50_000) + i); jwt.kept = kept.length;";
      expect(await jwtAfter(runner, statements)).toEqual({ sub: "someone", kept: 200 });
    },
  },
  {
    name: "runs no body that is too large, counted in bytes",
    run: async (runner) => {
      const body = "function populate() {} // é";
      const bytes = Buffer.byteLength(body);
      expect(await runner.run(toRun(body, { limits: { bodyBytes: bytes - 1 } }))).toMatchObject({
        kind: "tooLarge",
        console: [],
      });
      expect(changedOf(await runner.run(toRun(body, { limits: { bodyBytes: bytes } })))).toEqual({ jwt: { sub: "someone" } });
    },
  },
  {
    name: "answers no result that is too large, and goes on",
    run: async (runner) => {
      const outcome = await runStatements(runner, "jwt.x = 'x'.repeat(2_000);", { limits: { resultBytes: 1_000 } });
      expect(outcome).toMatchObject({ kind: "tooLarge" });
      expect(await jwtAfter(runner, "jwt.x = 'x'.repeat(900);", { limits: { resultBytes: 1_000 } })).toMatchObject({
        sub: "someone",
      });
    },
  },
  {
    name: "takes arguments and results of a megabyte",
    run: async (runner) => {
      const text = "x".repeat(1_000_000);
      expect(await jwtAfter(runner, "jwt.y = 1;", { given: { jwt: { text } } })).toEqual({ text, y: 1 });
    },
  },
  {
    name: "cuts the console where there is too much of it",
    run: async (runner) => {
      const outcome = await runStatements(runner, "for (let i = 0; i < 10_000; i++) console.log('line ' + i);", {
        limits: { consoleBytes: 1_000 },
      });
      const text = outcome.console.map((line) => line.text).join("\n");
      expect(outcome).toMatchObject({ kind: "ok" });
      expect(text.startsWith("line 0\nline 1\n")).toBe(true);
      expect(text.length).toBeLessThan(2_000);
    },
  },
];
