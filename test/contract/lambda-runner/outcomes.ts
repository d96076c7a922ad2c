import { expect } from "vitest";
import type { RunnerContractTest } from "./contract-test.js";
import { changedOf, jwtAfter, runStatements, toRun } from "./kit.js";

export const outcomeTests: readonly RunnerContractTest[] = [
  {
    name: "answers the arguments that a script changed",
    run: async (runner) => {
      expect(await jwtAfter(runner, "jwt.roles = ['admin']; delete jwt.sub; jwt.name = user.name;")).toEqual({
        roles: ["admin"],
        name: "Ada",
      });
    },
  },
  {
    name: "answers only the arguments whose changes count",
    run: async (runner) => {
      const outcome = await runStatements(runner, "jwt.a = 1; user.name = 'Eve';", { changes: ["user"] });
      expect(changedOf(outcome)).toEqual({ user: { name: "Eve" } });
    },
  },
  {
    name: "gives an absent argument as undefined",
    run: async (runner) => {
      expect(await jwtAfter(runner, "jwt.types = [typeof jwt, typeof user, typeof context];", { given: { jwt: {} } })).toEqual({
        types: ["object", "undefined", "undefined"],
      });
    },
  },
  {
    name: "gives arguments by their place, under whatever names the script has for them",
    run: async (runner) => {
      const outcome = await runner.run(toRun("function populate(a, b) { a.got = b.name; }"));
      expect(changedOf(outcome)).toEqual({ jwt: { sub: "someone", got: "Ada" } });
    },
  },
  {
    name: "keeps text as it is",
    run: async (runner) => {
      const text = "é\u2028\u{1f511}\n\u0000 end";
      expect(await jwtAfter(runner, "jwt.copy = jwt.text;", { given: { jwt: { text } } })).toEqual({ text, copy: text });
    },
  },
  {
    name: "takes the function as a declaration and as an arrow",
    run: async (runner) => {
      for (const body of [
        "function populate(jwt) { jwt.a = 1 }",
        "const populate = (jwt) => { jwt.a = 1 };",
        "let populate; populate = function (jwt) { jwt.a = 1 }",
      ])
        expect(changedOf(await runner.run(toRun(body)))).toEqual({ jwt: { sub: "someone", a: 1 } });
    },
  },
  {
    name: "collects the lines of the console",
    run: async (runner) => {
      const outcome = await runStatements(
        runner,
        "console.log('one'); console.warn('two'); console.error('three'); console.debug('four');",
      );
      expect(outcome.console).toEqual([
        { level: "info", text: "one" },
        { level: "warn", text: "two" },
        { level: "error", text: "three" },
        { level: "debug", text: "four" },
      ]);
    },
  },
  {
    name: "keeps the lines of a run that throws",
    run: async (runner) => {
      const outcome = await runStatements(runner, "console.log('before'); throw new Error('no');");
      expect(outcome).toMatchObject({ kind: "threw", console: [{ level: "info", text: "before" }] });
    },
  },
  {
    name: "says where a syntax error is",
    run: async (runner) => {
      const outcome = await runner.run(toRun("function populate(jwt) {\n  jwt.a = ;\n}"));
      expect(outcome).toMatchObject({ kind: "syntax", message: expect.stringMatching(/unexpected token/i), line: 2, column: 11 });
    },
  },
  {
    name: "says where something is that strict mode does not have",
    run: async (runner) => {
      const outcome = await runner.run(toRun("function populate(jwt) {\n  with (jwt) { sub = 1; }\n}"));
      expect(outcome).toMatchObject({ kind: "syntax", line: 2, column: 3 });
    },
  },
  {
    name: "takes no body that closes the function which it is put into",
    run: async (runner) => {
      const outcome = await runner.run(toRun("}); globalThis.out = 1; (function () {"));
      expect(outcome).toMatchObject({ kind: "syntax", line: 1, column: 1 });
    },
  },
  {
    name: "misses a function that is not there, or is none",
    run: async (runner) => {
      for (const body of ["function other() {}", "const populate = 7;", ""])
        expect(await runner.run(toRun(body))).toMatchObject({
          kind: "missingFunction",
          message: expect.stringContaining("populate"),
        });
    },
  },
  {
    name: "says what was thrown, and where",
    run: async (runner) => {
      const outcome = await runner.run(
        toRun("function populate(jwt) {\n  check(jwt);\n}\nfunction check() {\n  throw new Error('not today');\n}"),
      );
      expect(outcome).toMatchObject({ kind: "threw", message: expect.stringContaining("not today"), line: 5 });
      const missing = await runner.run(toRun("function populate(jwt) {\n  jwt.a.b.c = 1;\n}"));
      expect(missing).toMatchObject({ kind: "threw", message: expect.stringContaining("undefined"), line: 2 });
    },
  },
  {
    name: "tells of endless recursion as of something thrown, and goes on",
    run: async (runner) => {
      const outcome = await runStatements(runner, "(function again() { again(); })();");
      expect(outcome).toMatchObject({ kind: "threw", message: expect.stringMatching(/call stack/i) });
      expect(await jwtAfter(runner, "jwt.a = 1;")).toEqual({ sub: "someone", a: 1 });
    },
  },
  {
    name: "answers a run that leaves a rejected promise, and goes on",
    run: async (runner) => {
      for (let round = 0; round < 3; round++)
        expect(await jwtAfter(runner, "Promise.reject(new Error('later')); jwt.a = 1;")).toEqual({ sub: "someone", a: 1 });
    },
  },
  {
    name: "tells of a result that JSON cannot write as of something thrown",
    run: async (runner) => {
      expect(await runStatements(runner, "jwt.self = jwt;")).toMatchObject({ kind: "threw" });
      expect(await runStatements(runner, "jwt.big = 1n;")).toMatchObject({ kind: "threw" });
    },
  },
];
