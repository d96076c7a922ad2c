import { describe, expect, test } from "vitest";
import { lambdaTypes } from "../../src/availability/lambda-types.js";
import { readChanges } from "../../src/lambdas/run/execute-script.js";

const token = {
  row: lambdaTypes.JWTPopulate,
  mayShorten: true,
  given: { jwt: { exp: 900, iat: 1, sub: "a" }, user: { id: "u" } },
};
const validation = {
  row: lambdaTypes.LoginValidation,
  mayShorten: true,
  given: { result: { errors: { fieldErrors: {}, generalErrors: [] } }, user: { id: "u" } },
};
const requirement = {
  row: lambdaTypes.MFARequirement,
  mayShorten: true,
  given: { result: { required: true, sendSuspiciousLoginEvent: false } },
};

describe("what a lambda left behind", () => {
  test("counts in the arguments that its kind may change", () => {
    const read = readChanges(token, '{"jwt":{"exp":900,"iat":1,"sub":"a","color":"red"},"user":{"id":"other"}}');
    expect(read).toEqual({ kind: "ok", changed: { jwt: { exp: 900, iat: 1, sub: "a", color: "red" } } });
  });

  test.each([
    ["changed", '{"jwt":{"sub":"b","iat":5,"exp":900}}'],
    ["removed", '{"jwt":{}}'],
    ["made of another kind", '{"jwt":{"sub":null,"iat":"1","exp":[]}}'],
  ])("does not count where it is reserved and was %s", (_how, written) => {
    expect(readChanges(token, written)).toEqual({ kind: "ok", changed: { jwt: { exp: 900, iat: 1, sub: "a" } } });
  });

  test("does not count where it is reserved and was not there before", () => {
    const read = readChanges(token, '{"jwt":{"exp":900,"iat":1,"sub":"a","cnf":{"jkt":"x"},"amr":["pwd"]}}');
    expect(read).toEqual({ kind: "ok", changed: { jwt: { exp: 900, iat: 1, sub: "a" } } });
  });

  test.each([
    ["earlier", 400, true, 400],
    ["later", 901, true, 900],
    ["no number", "400", true, 900],
    ["no whole number", 400.5, true, 900],
    ["before all time", -1, true, 900],
    ["earlier in a version that has no such thing", 400, false, 900],
  ])("may make a token end %s: %s", (_how, exp, mayShorten, expected) => {
    const read = readChanges({ ...token, mayShorten }, JSON.stringify({ jwt: { exp, iat: 1, sub: "a" } }));
    expect(read).toEqual({ kind: "ok", changed: { jwt: { exp: expected, iat: 1, sub: "a" } } });
  });

  test.each([
    ['{"jwt":{"__proto__":{"isAdmin":true}}}', "The result is not allowed at jwt.__proto__."],
    ['{"jwt":{"name":"\\u0000"}}', "The result is not allowed at jwt.name."],
    [`{"jwt":{"deep":${"[".repeat(100)}${"]".repeat(100)}}}`, "The result is not allowed at"],
    ["null", "There is no result."],
    ["{}", "The result has no jwt."],
    ['{"jwt":7}', "The result has no jwt."],
    ['{"jwt":[]}', "The result has no jwt."],
  ])("cannot be %s", (written, message) => {
    expect(readChanges(token, written)).toMatchObject({ kind: "threw", message: expect.stringContaining(message) });
  });
});

describe("what a validation left behind", () => {
  test("is its errors and nothing else of the result", () => {
    const errors = {
      fieldErrors: { "user.data.zip": [{ code: "[invalid]user.data.zip", message: "No.", data: 7 }] },
      generalErrors: [],
    };
    const read = readChanges(validation, JSON.stringify({ result: { errors, other: 1 } }));
    expect(read).toEqual({ kind: "ok", changed: { result: { errors } } });
  });

  test.each([
    ["none", {}],
    ["a text", { errors: "no" }],
    ["a list for fields", { errors: { fieldErrors: [], generalErrors: [] } }],
    ["no list", { errors: { fieldErrors: { a: "no" }, generalErrors: [] } }],
    ["an entry without a code", { errors: { fieldErrors: {}, generalErrors: [{ message: "no" }] } }],
    ["an entry without a message", { errors: { fieldErrors: {}, generalErrors: [{ code: "no" }] } }],
    ["too many", { errors: { fieldErrors: {}, generalErrors: Array(1_001).fill({ code: "a", message: "b" }) } }],
    ["too long", { errors: { fieldErrors: {}, generalErrors: [{ code: "a", message: "b".repeat(10_001) }] } }],
  ])("is refused when its errors are %s", (_what, result) => {
    const read = readChanges(validation, JSON.stringify({ result }));
    expect(read).toEqual({ kind: "threw", message: "The value of result.errors is not allowed." });
  });
});

describe("what a requirement left behind", () => {
  test("is its two flags", () => {
    const result = { required: false, sendSuspiciousLoginEvent: true, other: 1 };
    const read = readChanges(requirement, JSON.stringify({ result }));
    expect(read).toEqual({ kind: "ok", changed: { result: { required: false, sendSuspiciousLoginEvent: true } } });
  });

  test.each(["required", "sendSuspiciousLoginEvent"])("is refused when %s is no flag", (name) => {
    const result = { required: true, sendSuspiciousLoginEvent: false, [name]: "yes" };
    const read = readChanges(requirement, JSON.stringify({ result }));
    expect(read).toEqual({ kind: "threw", message: `The value of result.${name} is not allowed.` });
  });
});
