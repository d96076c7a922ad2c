import { expect } from "vitest";
import type { RunnerContractTest } from "./contract-test.js";
import { changedOf, jwtAfter, runStatements, toRun } from "./kit.js";

/** Ways to leave something behind: what writes it, and what would see it. */
const channels: Readonly<Record<string, readonly [write: string, read: string]>> = {
  "a property of the global object": ["globalThis.left = 1;", "jwt.seen = globalThis.left;"],
  "a built-in prototype": ["Array.prototype.left = 1;", "jwt.seen = [].left;"],
  "a built-in function": ["JSON.stringify = () => '{}';", "jwt.seen = JSON.stringify({ a: 1 }) === '{}' || undefined;"],
  "the last match of an expression": ["/(left)/.test('left');", "jwt.seen = RegExp.$1 || undefined;"],
  "a hook of errors": [
    "Error.prepareStackTrace = () => 'left';",
    "const { stack } = new Error(); jwt.seen = stack === 'left' ? stack : undefined;",
  ],
};

const counting = "let runs = 0;\nfunction populate(jwt) { runs++; jwt.runs = runs; }";

export const isolationTests: readonly RunnerContractTest[] = [
  ...Object.entries(channels).map(
    ([name, [write, read]]) =>
      ({
        name: `lets nothing of a run reach the next by ${name}`,
        run: async (runner) => {
          for (let round = 0; round < 3; round++) {
            await runStatements(runner, `try { ${write} } catch {}`);
            expect(await jwtAfter(runner, read)).toEqual({ sub: "someone" });
          }
        },
      }) satisfies RunnerContractTest,
  ),
  {
    name: "starts every run with the variables of its script as they are written",
    run: async (runner) => {
      for (let round = 0; round < 3; round++)
        expect(changedOf(await runner.run(toRun(counting)))).toEqual({ jwt: { sub: "someone", runs: 1 } });
    },
  },
  {
    name: "keeps scripts of one name apart by tenant",
    run: async (runner) => {
      for (const tenantId of ["north", "south", undefined, "north"]) {
        const body = `function populate(jwt) { jwt.tenant = "${tenantId}"; }`;
        expect(changedOf(await runner.run(toRun(body, { tenantId, version: "1" })))).toEqual({
          jwt: { sub: "someone", tenant: `${tenantId}` },
        });
      }
    },
  },
  {
    name: "runs a changed script at once",
    run: async (runner) => {
      for (let version = 1; version <= 5; version++) {
        const run = toRun(`function populate(jwt) { jwt.version = ${version}; }`, { lambdaId: "changed", version: `${version}` });
        const outcomes = await Promise.all(Array.from({ length: 10 }, () => runner.run(run)));
        for (const outcome of outcomes) expect(changedOf(outcome)).toEqual({ jwt: { sub: "someone", version } });
      }
    },
  },
  {
    name: "shows a script nothing of Node",
    run: async (runner) => {
      const statements =
        "jwt.types = [typeof process, typeof require, typeof module, typeof setTimeout, typeof Buffer, typeof SharedArrayBuffer];";
      expect(await jwtAfter(runner, statements)).toEqual({ sub: "someone", types: Array.from({ length: 6 }, () => "undefined") });
    },
  },
];
