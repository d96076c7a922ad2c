import { expect, test } from "vitest";
import type { LambdaOutcome } from "../../src/ports/lambda-runner.js";
import { changedBy, failureOf, forEachEngine } from "../support/realm.js";

forEachEngine((makeRealm, engine) => {
  const inRealm = (body: string, call?: Parameters<ReturnType<typeof makeRealm>["run"]>[1]): LambdaOutcome => {
    const realm = makeRealm();
    try {
      return realm.run(body, call);
    } finally {
      realm.close();
    }
  };

  test(`a failure in ${engine} is placed in the body`, () => {
    const cases: [body: string, at: string][] = [
      ["function populate(jwt) { throw new Error('x') }", "1:32"],
      ["\n\nfunction populate(jwt) {\n  jwt.a.b.c;\n}", "4:9"],
      ["function helper(user) {\n  return user.name.first;\n}\nfunction populate(jwt) { helper(jwt); }", "2:20"],
      ["function populate(jwt) {\n  const inner = () => {\n    return [1].map((n) => n.no.no);\n  };\n  inner();\n}", "3:32"],
      ["const populate = (jwt) => jwt();", "1:27"],
      ["function populate() {}\nthrow new RangeError('top');", "2:7"],
      ["function populate(jwt) {\n  JSON.parse('{');\n}", "2:8"],
      ["function populate(jwt) {\n  (0, eval)('null.x');\n}", "2:12"],
      ["function populate(jwt) {\n  [3, 1].sort(() => { throw new Error() });\n}", "2:29"],
      ["class Special extends Error {}\nfunction populate() {\n  throw new Special('x');\n}", "3:9"],
      [
        "function populate(jwt) {\n  Object.defineProperty(jwt, 'a', { enumerable: true, get() { throw new Error('x'); } });\n}",
        "2:69",
      ],
    ];
    for (const [body, at] of cases)
      expect({ body, ...(failureOf(inRealm(body)) as object) }).toMatchObject({ body, kind: "threw", at });
  });

  test(`an overflow of the stack in ${engine} has a place too`, () => {
    const failure = failureOf(inRealm("function populate(jwt) {\n  populate(jwt);\n}"));
    expect(failure).toMatchObject({
      kind: "threw",
      message: "Maximum call stack size exceeded",
      at: expect.stringMatching(/^[12]:\d+$/),
    });
  });

  test(`whatever is thrown in ${engine} has a message`, () => {
    const cases: [thrown: string, message: string][] = [
      ["new Error('boom')", "boom"],
      ["new TypeError('')", "TypeError"],
      ["'text'", "text"],
      ["null", "null"],
      ["undefined", "undefined"],
      ["Symbol('s')", "Symbol(s)"],
      ["12n", "12n"],
      ["() => 1", "[Function (anonymous)]"],
      ["{ code: 7, message: 'from an object' }", "from an object"],
      ["{ code: 7 }", "{ code: 7 }"],
      ["{ toString() { throw new Error('no'); }, get message() { throw 1; } }", "Something was thrown that cannot be shown."],
      ["new Proxy({}, { get() { throw 1; }, getPrototypeOf() { throw 1; } })", "Something was thrown that cannot be shown."],
      ["Object.assign(new Error(), { message: 7, stack: 7 })", "Error { message: 7 }"],
    ];
    for (const [thrown, message] of cases) {
      const failure = failureOf(inRealm(`function populate() { throw ${thrown}; }`));
      expect({ thrown, ...(failure as object) }).toMatchObject({ thrown, kind: "threw", message });
    }
  });

  test(`a message in ${engine} is cut to 2,000 characters, and no half of one is left`, () => {
    const { message } = inRealm("function populate() { throw new Error('x'.repeat(1e7)); }") as { message: string };
    expect(message).toBe(`${"x".repeat(1_999)}…`);
    expect(inRealm("function populate() { throw new Error('ab\\ud800c' + '😀'.repeat(999)); }")).toMatchObject({
      message: expect.stringMatching(/^ab\ufffdc(😀)+\ufffd…$/),
    });
  });

  test(`what JSON cannot write fails in ${engine}`, () => {
    const cases: [statement: string, message: RegExp][] = [
      ["jwt.self = jwt", /circular/],
      ["jwt.big = 1n", /BigInt/],
      ["jwt.toJSON = () => { throw new Error('own') }", /^own$/],
      ["let deep = []; for (let i = 0; i < 1e5; i++) deep = [deep]; jwt.deep = deep", /call stack/],
    ];
    for (const [statement, message] of cases)
      expect(failureOf(inRealm(`function populate(jwt) { ${statement}; }`))).toMatchObject({
        kind: "threw",
        message: expect.stringMatching(message),
      });
    expect(changedBy(inRealm("function populate(jwt) { jwt.toJSON = () => undefined; }"))).toEqual({});
  });
});
