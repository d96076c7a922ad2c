import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { testRunner } from "../support/lambda-runner.js";
import { messageAt, postLambda } from "../support/lambdas.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type World } from "../support/world.js";

async function expectTaken(world: World, bodies: readonly string[]): Promise<void> {
  for (const body of bodies) expect(expectOk(await postLambda(world, "JWTPopulate", { body })).at("lambda.body")).toBe(body);
}

/** Expects each body to be refused with a message that ends with these words. */
async function expectRefused(world: World, bodies: Readonly<Record<string, string>>): Promise<void> {
  for (const [body, end] of Object.entries(bodies)) {
    const answer = await postLambda(world, "JWTPopulate", { body });
    expectRefusal(answer, 400, "[invalid]lambda.body");
    const message = messageAt(answer, "lambda.body");
    expect({ body, message: message.slice(-end.length) }).toEqual({ body, message: end });
    expect(message).toMatch(/ at line \d+, column \d+\.$/);
  }
}

const declared = "There is no function populate(jwt, user, registration, context) ";

forEachStorage((start) => {
  describe("the body of a lambda", () => {
    requirement("lambda.function", "declares its function at the top, or sets a variable to one", async () => {
      await expectTaken(await start(), [
        "function populate(jwt, user, registration, context) { jwt.name = user.fullName; }",
        "// A comment\n'use strict';\nfunction helper() {}\nfunction populate() { helper(); }",
        "const populate = (jwt) => { jwt.a = 1; };",
        "let populate = function named(jwt) {};",
        "var unrelated = 1, populate = jwt => jwt.a = 1",
        "var populate; function populate() {}",
        "\ufefffunction populate() {}",
        "function populate() {}\n<!-- an old comment\n--> another",
        `function populate() { return \`\${\`\${1}\`}\` + /[/]\\/(?<year>\\d{4})/u.exec("")?.groups.year ?? 1_000n ** 2n; }`,
        "class A { #x = 1; static { A.y = 1; } has(o) { return #x in o; } }\nfunction populate() { return new A(); }",
      ]);
    });

    requirement("lambda.function", "is refused where no such function is at the top", async () => {
      await expectRefused(await start(), {
        "function reconcile() {}\n": `${declared}at line 2, column 1.`,
        "// populate() {}": `${declared}at line 1, column 17.`,
        "'function populate() {}'": `${declared}at line 1, column 25.`,
        "{ function populate() {} }": `${declared}at line 1, column 27.`,
        "(function populate() {})": `${declared}at line 1, column 25.`,
        "populate = function () {}": `${declared}at line 1, column 26.`,
        "function Populate() {}": `${declared}at line 1, column 23.`,
        "const { populate } = { populate() {} };": `${declared}at line 1, column 40.`,
        "class populate {}": `${declared}at line 1, column 18.`,
        "\n  var populate;": `${declared}at line 2, column 3.`,
        "\n\nlet a,\n  populate = 7;": `${declared}at line 3, column 1.`,
        "function* populate() {}": `${declared}at line 1, column 1.`,
        "const populate = async function* () {}": `${declared}at line 1, column 1.`,
        "const populate = new Function('jwt', '')": `${declared}at line 1, column 1.`,
      });
    });

    requirement("lambda.not-async", "is refused with an async function, since nothing waits for it", async () => {
      const late = "The function populate must not be async ";
      await expectRefused(await start(), {
        "async function populate() {}": `${late}at line 1, column 1.`,
        "\n const populate = async () => {}": `${late}at line 2, column 2.`,
        "let populate = async function () {};": `${late}at line 1, column 1.`,
        "var populate = async (jwt) => {}; function populate() {}": `${late}at line 1, column 1.`,
      });
      await expectTaken(await start(), ["async function later() {}\nfunction populate() { later(); }"]);
    });

    requirement("lambda.strict", "is strict code, as which it is run", async () => {
      await expectRefused(await start(), {
        "with (a) {}": "'with' in strict mode at line 1, column 1.",
        "function populate() {\n  return 010; }": "Invalid number at line 2, column 10.",
        "function populate(jwt, jwt) {}": "Argument name clash at line 1, column 24.",
        "function populate() { delete jwt; }": "Deleting local variable in strict mode at line 1, column 23.",
        "function populate() { arguments = 1; }": "Assigning to arguments in strict mode at line 1, column 23.",
        "var let = 1; function populate() {}": " at line 1, column 5.",
        "if (1) function populate() {}": "Unexpected token at line 1, column 8.",
        "#!/usr/bin/env node\nfunction populate() {}": "Unexpected character '!' at line 1, column 2.",
      });
    });

    requirement("lambda.syntax", "is refused with the place of a syntax error", async () => {
      await expectRefused(await start(), {
        "function populate(jwt) {\n  jwt.a = ;\n}": "Unexpected token at line 2, column 11.",
        "function populate(": "Unexpected token at line 1, column 19.",
        "function populate() {}\r\n}": "Unexpected token at line 2, column 1.",
        "function populate() {}\u2028\u2029 }": "Unexpected token at line 3, column 2.",
        "const a = 1;\nconst a = 2;": "Identifier 'a' has already been declared at line 2, column 7.",
        "function populate() { var s = 'open; }": "Unterminated string constant at line 1, column 31.",
        "return 1": "'return' outside of function at line 1, column 1.",
        "await 1": "Unexpected token at line 1, column 7.",
        "export function populate() {}": "at line 1, column 1.",
        "import fs from 'node:fs'": "at line 1, column 1.",
        "/a(/": "Unterminated group at line 1, column 2.",
        "/a/gg": "Duplicate regular expression flag at line 1, column 2.",
        "'use strict'; with (a) {}": "'with' in strict mode at line 1, column 15.",
        "interface A {}": "The keyword 'interface' is reserved at line 1, column 1.",
        "<a/>": "Unexpected token at line 1, column 1.",
      });
    });

    requirement("lambda.syntax", "is quoted in a refusal by a few words at most", async () => {
      const answer = await postLambda(await start(), "JWTPopulate", { body: `/(${"x🙂".repeat(10_000)}/` });
      expectRefusal(answer, 400, "[invalid]lambda.body");
      expect(answer.text.length).toBeLessThan(1_000);
    });

    requirement("lambda.not-run", "is not run when it is saved", async () => {
      const world = await start();
      const traces = ["globalThis.trace = 1", "process.exit(1)", "while (true) {}", "throw new Error()", "require('node:fs')"];
      await expectTaken(
        world,
        traces.map((trace) => `${trace};\nfunction populate() {}\n${trace}`),
      );
      expect("trace" in globalThis).toBe(false);
    });

    requirement("lambda.body-size", "has at most as many bytes as the host says", async () => {
      const world = await start({ lambdas: { runner: testRunner(), limits: { bodyBytes: 30 } } });
      const least = "function populate() {} //";
      expectOk(await postLambda(world, "JWTPopulate", { body: least.padEnd(30, "x") }));
      const answer = await postLambda(world, "JWTPopulate", { body: least.padEnd(31, "x") });
      expectRefusal(answer, 400, "[tooLong]lambda.body");
      const wide = await start({ lambdas: { runner: testRunner(), limits: { bodyBytes: 300_000 } } });
      expectOk(await postLambda(wide, "JWTPopulate", { body: least.padEnd(300_000, "x") }));
    });

    requirement("lambda.body-size", "has at most 200,000 bytes of UTF-8 where the host says nothing", async () => {
      const world = await start();
      const least = "function populate() {} //";
      const room = 200_000 - least.length;
      for (const [body, isTaken] of [
        [least + "x".repeat(room), true],
        [least + "x".repeat(room + 1), false],
        [least + "ü".repeat(room / 2), true],
        [least + "ü".repeat(room / 2 + 1), false],
      ] as const) {
        const answer = await postLambda(world, "JWTPopulate", { body });
        if (isTaken) expectOk(answer);
        else expectRefusal(answer, 400, "[tooLong]lambda.body");
      }
    });
  });
});
