import { expect, test } from "vitest";
import type { ConsoleLine, LambdaOutcome } from "../../src/ports/lambda-runner.js";
import { changedBy, forEachEngine, linesOf } from "../support/realm.js";

/** What is given to the console, as source, and the line that it makes. */
const lines: readonly (readonly [given: string, line: string])[] = [
  // Several values
  ["", ""],
  ["'a', 'b', 1, true, null, undefined", "a b 1 true null undefined"],
  ["1, 'two', { three: 3 }", "1 two { three: 3 }"],
  ["'%s'", "%s"],
  ["'100%%'", "100%%"],
  ["'%% %s', 1", "% 1"],
  // Placeholders
  ["'%s is %d', 'Ada', 36", "Ada is 36"],
  ["'%s and %s', 'one'", "one and %s"],
  ["'%s', 'one', 'two', { a: 1 }", "one two { a: 1 }"],
  ["'%s %s %s %s', 12n, Symbol('s'), -0, null", "12n Symbol(s) -0 null"],
  ["'%s', { a: { b: 1 } }", "{ a: { b: 1 } }"],
  ["'%s', [1, 'a']", '[ 1, "a" ]'],
  ["'%s', new (class Money { toString() { return '5 EUR'; } })()", "5 EUR"],
  ["'%s', new (class Loud { toString() { throw 1; } })()", "Loud {}"],
  ["'%d %d %d %d', '42', 1.5, 12n, 'x'", "42 1.5 12n NaN"],
  ["'%d %d', Symbol('s'), { valueOf() { throw 1; } }", "NaN NaN"],
  ["'%i %i %f %f', 42.9, '7px', '1.5x', 'x'", "42 7 1.5 NaN"],
  ["'%j %j', { a: [1] }, undefined", '{"a":[1]} undefined'],
  ["'%j', (() => { const a = {}; a.a = a; return a; })()", "[Circular]"],
  ["'%j', 1n", "[no JSON]"],
  ["'%o|%O', [1], { a: 'x' }", '[ 1 ]|{ a: "x" }'],
  ["'%cred%c', 'color: red', ''", "red"],
  ["'%x %', 1", "%x % 1"],
  ["'%', 1", "% 1"],
  // Values
  ["{}", "{}"],
  ["[]", "[]"],
  ["{ a: 'x', 'b-c': 2, [Symbol('d')]: 3, 4: 5 }", '{ "4": 5, a: "x", "b-c": 2, [Symbol(d)]: 3 }'],
  ["Object.create(null)", "[Object: null prototype] {}"],
  ["[1, , 3]", "[ 1, <empty>, 3 ]"],
  ["new Map([['a', { b: 1 }]]), new Map()", 'Map(1) { "a" => { b: 1 } } Map(0) {}'],
  ["new Set([1, 'a']), new Set()", 'Set(2) { 1, "a" } Set(0) {}'],
  ["new (class extends Map {})([[1, 2]])", "Map(1) { 1 => 2 }"],
  ["new Error('boom'), Object.assign(new TypeError('no'), { code: 7 })", "Error: boom TypeError: no { code: 7 }"],
  ["[new Error('boom')]", "[ Error: boom ]"],
  ["new Date(0), new Date(NaN)", "1970-01-01T00:00:00.000Z Invalid Date"],
  ["/a+/gi", "/a+/gi"],
  [
    "() => {}, function named() {}, class Point {}, class {}",
    "[Function (anonymous)] [Function: named] [class Point] [class (anonymous)]",
  ],
  ["Object.assign(() => {}, { a: 1 })", "[Function (anonymous)] { a: 1 }"],
  ["new (class Point { x = 1; #y = 2; get z() { return 3; } })()", "Point { x: 1 }"],
  [
    "{ get a() { throw 1; }, set b(value) {}, get c() { return 1; }, set c(value) {} }",
    "{ a: [Getter], b: [Setter], c: [Getter/Setter] }",
  ],
  ["new Uint8Array([1, 2]), new ArrayBuffer(8)", "Uint8Array(2) [ 1, 2 ] ArrayBuffer {}"],
  ["Promise.resolve(1), new WeakMap(), (function* () {})()", "Promise {} WeakMap {} {}"],
  [
    "[undefined, null, -0, 0, 1e21, 'a\\n\"b', 7n, Symbol.iterator]",
    '[ undefined, null, -0, 0, 1e+21, "a\\n\\"b", 7n, Symbol(Symbol.iterator) ]',
  ],
  ["(() => { const a = { b: {} }; a.b.a = a; return a; })()", "{ b: { a: [Circular] } }"],
  ["(() => { const a = []; a.push(a); return a; })()", "[ [Circular] ]"],
  ["(() => { const one = {}; return [one, one]; })()", "[ {}, {} ]"],
  ["{ a: { b: { c: { d: { e: 1 } } } } }", "{ a: { b: { c: { d: { e: 1 } } } } }"],
  ["{ a: { b: { c: { d: { e: { f: 1 } } } } } }", "{ a: { b: { c: { d: { e: [Object] } } } } }"],
  ["[[[[[[1]]]]]]", "[ [ [ [ [ [Array] ] ] ] ] ]"],
  ["Array.from({ length: 102 }, () => 0)", `[ ${"0, ".repeat(100)}… 2 more ]`],
  ["new Array(1e9)", `[ ${"<empty>, ".repeat(100)}… 999999900 more ]`],
  ["new Proxy({ a: 1 }, { ownKeys() { throw 1; } }), 'after'", "[cannot be shown] after"],
  ["{ toJSON() { throw 1; } }", "{ toJSON: [Function: toJSON] }"],
  ["JSON.parse('{\"__proto__\":1}')", "{ __proto__: 1 }"],
  ["'a\\ud800b'", "a\ufffdb"],
];

forEachEngine((makeRealm, engine) => {
  const inRealm = (body: string, consoleBytes = 65_536): LambdaOutcome => {
    const realm = makeRealm();
    try {
      return realm.run(body, { request: { consoleBytes } });
    } finally {
      realm.close();
    }
  };
  const cutOff: ConsoleLine = { level: "warn", text: "The limit of the console is reached: the rest is cut off." };

  test(`the console of ${engine} writes values as a reader expects`, () => {
    const realm = makeRealm();
    const written = lines.map(([given]) => [given, linesOf(realm.run(`function populate() { console.log(${given}); }`))[0]]);
    expect(written).toEqual(lines);
    realm.close();
  });

  test(`the console of ${engine} has five levels`, () => {
    const outcome = inRealm(
      "function populate() { for (const level of ['log', 'info', 'warn', 'error', 'debug']) console[level](level, 1); }",
    );
    expect(outcome.console).toEqual([
      { level: "info", text: "log 1" },
      { level: "info", text: "info 1" },
      { level: "warn", text: "warn 1" },
      { level: "error", text: "error 1" },
      { level: "debug", text: "debug 1" },
    ]);
  });

  test(`functions of the console work alone in ${engine}, and lines stand beside a failure`, () => {
    const outcome = inRealm("const { log } = console; function populate() { ['a'].forEach(log); throw new Error('x'); }");
    expect(outcome).toMatchObject({ kind: "threw", message: "x", console: [{ level: "info", text: 'a 0 [ "a" ]' }] });
  });

  test(`what goes over the limit in ${engine} is cut off, with one line that says so`, () => {
    const cases: [statements: string, bytes: number, expected: string[]][] = [
      ["console.log('abc'); console.log('def'); console.log('ghi')", 8, ["abc", "def", cutOff.text]],
      ["console.log('abc'); console.log('defghi'); console.log('j')", 8, ["abc", "defg", cutOff.text]],
      ["console.log('abc'); console.log('defg')", 8, ["abc", "defg"]],
      ["console.log('€€€')", 8, ["€€", cutOff.text]],
      ["console.log('a😀😀')", 8, ["a😀", cutOff.text]],
      ["console.log('ab'); console.log('😀')", 5, ["ab", cutOff.text]],
      ["console.log('a')", 0, [cutOff.text]],
    ];
    for (const [statements, bytes, expected] of cases)
      expect([statements, linesOf(inRealm(`function populate() { ${statements} }`, bytes))]).toEqual([statements, expected]);
  });

  test(`a flood costs little in ${engine}, whatever it consists of`, () => {
    const floods = [
      "for (let i = 0; i < 1e6; i++) console.log('')",
      "for (let i = 0; i < 1e6; i++) console.log('line', i)",
      "console.log('x'.repeat(1e7))",
      "console.log('%s', 'x'.repeat(1e7))",
      "console.log(['x'.repeat(1e7)])",
      "console.log({ ['x'.repeat(1e6)]: 1 })",
      "const wide = (depth) => (depth === 0 ? 1 : Array.from({ length: 40 }, () => 1).fill(wide(depth - 1))); console.log(wide(4))",
      "console.log(...Array.from({ length: 1e4 }, () => 'word'))",
      "console.log('%s'.repeat(1e4), ...Array.from({ length: 1e4 }, () => 'word'))",
      "console.log(new Error('x'.repeat(1e6)))",
      "class Long { static name2 = 1 } Object.defineProperty(Long, 'name', { value: 'x'.repeat(1e6) }); console.log(new Long(), Long)",
    ];
    for (const flood of floods) {
      const outcome = inRealm(`function populate(jwt) { ${flood}; jwt.done = true; }`, 1_000);
      expect([flood, changedBy(outcome)]).toEqual([flood, { jwt: { done: true } }]);
      expect(Buffer.byteLength(linesOf(outcome).join("\n"))).toBeLessThan(1_100);
    }
  });

  test(`a value that writes to the console while it is shown does no harm in ${engine}`, () => {
    const body = `function populate(jwt) {
      console.log("%s", { toString() { console.log("inner"); return "outer"; } });
      console.log(new Proxy({}, { ownKeys() { console.log("keys"); return []; } })); }`;
    expect(linesOf(inRealm(body))).toEqual(["inner", "outer", "keys", "{}"]);
  });
});
