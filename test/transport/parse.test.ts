import { IdentityError } from "latchkey";
import { describe, expect, test } from "vitest";
import { checkBody, findJsonError, parseJson } from "../../src/http/transport/read-body.js";
import { parseQuery } from "../../src/http/transport/read-parameters.js";
import { cases, fc } from "../support/properties.js";

/** What `act` refuses with; anything but an IdentityError fails the test. */
function refusal(act: () => unknown): IdentityError {
  try {
    act();
  } catch (error) {
    if (error instanceof IdentityError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("parseJson", () => {
  test("parses any JSON, of repeated names the last", () => {
    const isParsed = (text: string): void => expect(parseJson(text)).toEqual(JSON.parse(text));
    fc.assert(fc.property(fc.json(), (text) => void isParsed(text)));
    expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 });
  });

  test.each([
    ["{", 1, 2],
    ["", 1, 1],
    ['{"a":1,}', 1, 8],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ["[1,\n2", 2, 2],
    ['{"a": nope}', 1, 7],
    ['"\u0001"', 1, 2],
    ["1 2", 1, 3],
    ["[1,]", 1, 4],
    ["[1,\n2,\n]", 3, 1],
    ["{'a':1}", 1, 2],
    ["{\"a\":'b'}", 1, 6],
    ['{"a":NaN}', 1, 6],
    ['{"a":01}', 1, 6],
    ['{"a":1.}', 1, 6],
    ['{"a":"\\x"}', 1, 7],
    ['{"a":"b\nc"}', 1, 8],
    ['{"a" 1}', 1, 6],
    ['{"a":[1}', 1, 8],
    ['{"a":1]', 1, 7],
    ["{}}", 1, 3],
    ["// comment", 1, 1],
    ["\ufeff{}", 1, 1],
    ['{"a":"b', 1, 8],
    ['{"a":{"b":[', 1, 12],
    ['{"text":"position 99", nope}', 1, 24],
  ])("names line and column of what is wrong with %j", (text, line, column) => {
    const error = refusal(() => parseJson(text));
    expect([error.status, error.code]).toEqual([400, "[invalidJSON]"]);
    expect(error.message).toBe(`The body is not valid JSON: line ${line}, column ${column}.`);
  });

  test("finds the position of each error of the engine, and at once", () => {
    const isPlaced = (text: string): void => {
      fc.pre(!isJson(text));
      const position = findJsonError(text);
      expect(position).toBeGreaterThanOrEqual(0);
      expect(position).toBeLessThanOrEqual(text.length);
      // What stands before the place could still have become JSON: nothing in it is wrong by itself.
      expect(findJsonError(text.slice(0, position))).toBe(position);
    };
    const damaged = fc.tuple(fc.json(), fc.nat(), fc.constantFrom(..."{}[],:\"'x0-\n\\")).map(([text, at, char]) => {
      const position = at % (text.length + 1);
      return text.slice(0, position) + char + text.slice(position + (at % 2));
    });
    fc.assert(
      fc.property(fc.oneof(damaged, fc.string()), (text) => void isPlaced(text)),
      cases(2_000),
    );
    for (const long of ["[".repeat(500_000), `"${"x".repeat(1_000_000)}`, `"${"\\n".repeat(500_000)}`, " ".repeat(1_000_000)])
      expect(findJsonError(long)).toBe(long.length);
  });

  test("repeats nothing of the text, for any content", () => {
    const error = refusal(() => parseJson('{"password": hunter2-position 99}'));
    expect(error.message).not.toContain("hunter2");
  });
});

describe("parseQuery", () => {
  test("reads parameters, the last of each name, without a prototype", () => {
    const query = parseQuery("name=a%20b+c&startRow=1&startRow=2&empty=&flag&%C3%A9=%C3%A9&__proto__=x");
    expect({ ...query, ["__proto__"]: undefined }).toMatchObject({ name: "a b c", startRow: "2", empty: "", flag: "", é: "é" });
    expect(Object.getPrototypeOf(query)).toBeNull();
    expect(Object.keys(query)).toContain("__proto__");
    expect(Object.getPrototypeOf(parseQuery(""))).toBeNull();
  });

  test("joins repeated lists", () => {
    expect(parseQuery("ids=a&ids=b&ids=c").ids).toBe("a,b,c");
  });

  test("survives bad percent-encoding", () => {
    expect(parseQuery("name=%zz").name).toBe("%zz");
  });

  test.each([
    ["name=%00", "[invalid]name"],
    ["%00=1", "[invalid]query"],
  ])("refuses texts that no storage keeps (%s)", (query, code) => {
    expect(refusal(() => parseQuery(query)).code).toBe(code);
  });

  test("refuses more parameters than anybody means", () => {
    const many = (count: number): string => Array.from({ length: count }, (_, index) => `p${index}=1`).join("&");
    expect(Object.keys(parseQuery(many(1_000)))).toHaveLength(1_000);
    expect(refusal(() => parseQuery(many(1_001))).code).toBe("[tooMany]query");
  });
});

describe("checkBody", () => {
  const nest = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));

  test("lets ordinary JSON pass", () => {
    expect(() => checkBody({ a: [{ b: "😀", c: null, d: 1.5, e: true }], constructor: { prototype: 1 } })).not.toThrow();
    expect(() => checkBody(nest(64))).not.toThrow();
  });

  test.each<[unknown, string]>([
    [JSON.parse('{"group":{"data":{"__proto__":{"admin":true}}}}'), "[invalid]group.data.__proto__"],
    [{ group: { name: "a\u0000b" } }, "[invalid]group.name"],
    [{ group: { name: "\ud800" } }, "[invalid]group.name"],
    [{ group: { data: { "\udc00": 1 } } }, "[invalid]group.data"],
    [nest(65), "[invalidJSON]"],
    [nest(5_000), "[invalidJSON]"],
  ])("refuses what some storage could not keep (%#)", (value, code) => {
    const error = refusal(() => checkBody(value));
    expect([error.status, error.code.startsWith(code)]).toEqual([400, true]);
  });
});
