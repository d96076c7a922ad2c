import type { LambdaRun } from "latchkey/ports";
import { expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { makeFieldFor, makeFormOf, makeOneField, validate } from "../support/forms.js";
import { testRunner } from "../support/lambda-runner.js";
import { missingRunner } from "../support/lambda-runs.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage } from "../support/world.js";

const lambdas = { runner: testRunner() };
const wrong = "[invalid]user.data.x";

function validatorOf(expression: string, field: object = {}): object {
  return { ...field, validator: { enabled: true, expression } };
}

forEachStorage((start) => {
  requirement(
    "form-use.validator",
    "a validator must match the whole value, and needs no runner for most expressions",
    async () => {
      const world = await start();
      const rows: readonly (readonly [expression: string, right: readonly string[], wrong: readonly string[]])[] = [
        ["[0-9]{5}", ["12345"], ["1234", "123456", " 12345", "x12345x"]],
        ["^(?:red|green)$", ["red", "green"], ["reddish", "red|green"]],
        ["[\\w.+\\-]+\\@[a-z]+(?:\\.[a-z]+)+", ["ann.lee+x@mail.example.com"], ["ann@", "ann@mail", "a b@mail.com"]],
        ["\\p{Lu}\\p{L}*", ["Änne"], ["änne", "Ann3"]],
        [".{2,4}", ["😀😀", "abcd"], ["😀", "abcde"]],
      ];
      for (const [expression, right, others] of rows) {
        const post = await makeOneField(world, validatorOf(expression));
        for (const text of right) expect(expectOk(await post(text)).at("user.data.x")).toBe(text);
        for (const text of others) expectRefusal(await post(text), 400, wrong);
        expectOk(await post(""));
      }
    },
  );

  requirement("form-use.validator", "it is about the text of a number, and off when it is not enabled", async () => {
    const world = await start();
    const number = await makeOneField(world, validatorOf("\\d\\.\\d\\d", { type: "number", control: "number" }));
    expect(expectOk(await number(" 1.50 ")).at("user.data.x")).toBe(1.5);
    expectRefusal(await number("1.5"), 400, wrong);
    const off = await makeOneField(world, { validator: { enabled: false, expression: "a" } });
    expectOk(await off("b"));
  });

  requirement("form-use.validator", "look-arounds and back-references are run by the engine of lambdas", async () => {
    const world = await start({ lambdas });
    const twice = await makeOneField(world, validatorOf("(\\w+)-\\1"));
    expectOk(await twice("ab-ab"));
    expectRefusal(await twice("ab-ba"), 400, wrong);
    const strong = await makeOneField(world, validatorOf("(?=.*\\d)(?=.*[a-z]).{4,}"));
    expectOk(await strong("abc1"));
    expectRefusal(await strong("abcd"), 400, wrong);
  });

  requirement("form-use.validator", "without a runner those are refused, and it is said why", async () => {
    const world = await start({ lambdas: { runner: missingRunner() } });
    const post = await makeOneField(world, validatorOf("(\\w+)-\\1"));
    const refused = await post("ab-ab");
    expectRefusal(refused, 400, "[LambdaFailed]");
    expect(refused.textAt("generalErrors.0.message")).toMatch(/\[user\.data\.x\].*runner/);
    expectOk(await post(""));
  });

  requirement("form-use.validator-hostile", "what backtracks without end is answered, and the process goes on", async () => {
    const world = await start();
    const text = `${"a".repeat(5_000)}!`;
    for (const expression of ["(a+)+", "(a|a)*b", "(?:a|aa)+", "(.*a){11}b", "(?:(?:a*)*)*"]) {
      const post = await makeOneField(world, validatorOf(expression));
      expectRefusal(await post(text), 400, wrong);
      expectOk(await post("aaaaaaaaaaab").then((answer) => (answer.status === 400 ? post("") : answer)));
    }
    const long = await makeOneField(world, validatorOf("a*"));
    expectOk(await long("a".repeat(10_000)));
    expectRefusal(await long("a".repeat(10_001)), 400, wrong);
  });

  requirement("form-use.validator-hostile", "a form with many of them lets others have their turn", async () => {
    const world = await start();
    const keys = Array.from({ length: 20 }, (_one, index) => `user.data.field${index}`);
    const formId = await makeFormOf(world, await Promise.all(keys.map((key) => makeFieldFor(world, key, validatorOf("(a|b)+")))));
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    expectOk(await validate(world, formId, { submission: Object.fromEntries(keys.map((key) => [key, "ab".repeat(1_000)])) }));
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(keys.length);
  });

  requirement("form-use.validator-hostile", "the clock of the engine ends what only it can run", async () => {
    const runs: LambdaRun[] = [];
    const { run, ...rest } = testRunner({ keepsLimits: true });
    const watch = (requested: LambdaRun): ReturnType<typeof run> => {
      runs.push(requested);
      return run(requested);
    };
    const world = await start({ lambdas: { runner: { ...rest, run: watch } } });
    const post = await makeOneField(world, validatorOf("(?!b)(a+)+\\1"));
    expectRefusal(await post(`${"a".repeat(40)}!`), 400, wrong);
    expect(runs.map(({ limits }) => limits.wallClockMilliseconds)).toEqual([100]);
    // The text is an argument: it cannot become a part of the script.
    expectRefusal(await post('"); throw new Error("x"); //'), 400, wrong);
    expect(new Set(runs.map(({ script }) => script.body)).size).toBe(1);
  });

  requirement("form-use.validator-hostile", "a small expression with many states is left to the engine as well", async () => {
    const expression = "(?:(?:a{0,9}){9}){99}";
    const without = await makeOneField(await start({ lambdas: { runner: missingRunner() } }), validatorOf(expression));
    expectRefusal(await without("aaa"), 400, "[LambdaFailed]");
    const post = await makeOneField(await start({ lambdas }), validatorOf(expression));
    expectOk(await post("aaa"));
  });
});
