// Bodies are written in ES2024, in strict mode, without modules, timers and objects of the host (docs/reference/lambdas.md#runtime).
import { expect, test } from "vitest";
import { changedBy, forEachEngine } from "../support/realm.js";

/** A part of the language, a statement that uses it and sets `out`, and what that must be. */
const language: readonly (readonly [part: string, statement: string, out: unknown])[] = [
  [
    "strict mode",
    "out = [typeof this, (() => { try { undeclared = 1; } catch (error) { return error.name; } })()];",
    ["undefined", "ReferenceError"],
  ],
  [
    "destructuring",
    "const { a, ...rest } = { a: 1, b: 2, c: 3 }, [x = 9, , ...ys] = [undefined, 1, 2]; out = [a, rest, x, ys];",
    [1, { b: 2, c: 3 }, 9, [2]],
  ],
  [
    "spread and defaults",
    "const f = (a, b = a + 1, ...c) => [a, b, ...c]; out = [f(1), f(...[1, 5, 6]), { ...{ a: 1 } }];",
    [[1, 2], [1, 5, 6], { a: 1 }],
  ],
  ["templates", `const tag = (s, ...v) => s.raw.join("|") + v; out = [\`a\${1 + 1}\`, tag\`x\\n\${1}y\`];`, ["a2", "x\\n|y1"]],
  [
    "optional chaining and nullish values",
    "const o = { a: null }; o.a ??= 1; o.b ||= 2; o.c &&= 3; out = [o?.x?.y, o.a ?? 5, o];",
    [null, 1, { a: 1, b: 2 }],
  ],
  [
    "classes",
    `class Base { static #count = 0; static { this.made = []; } #secret = 1; static is(value) { return #secret in value; }
       get secret() { return this.#secret; } set secret(value) { this.#secret = value; } constructor() { Base.#count++; } static get count() { return Base.#count; } }
     class Point extends Base { x = 1; #hide() { return this.x; } show() { return super.secret + this.#hide(); } static [Symbol.hasInstance](v) { return v === 7; } }
     const point = new Point(); point.secret = 5; out = [point.show(), Base.count, Base.is(point), Base.is({}), 7 instanceof Point, Base.made];`,
    [6, 1, true, false, true, []],
  ],
  [
    "errors with causes",
    "class Own extends Error { name = 'Own'; } const e = new Own('x', { cause: 1 }); out = [e.name, e.cause, String(e), e instanceof Error];",
    ["Own", 1, "Own: x", true],
  ],
  [
    "errors the old way",
    "function Old(m) { this.message = m; this.name = 'Old'; } Old.prototype = Object.create(Error.prototype); Old.prototype.constructor = Old; Old.prototype.toString = () => 'old'; out = [new Old('m').message, String(new Old()), new Old().name];",
    ["m", "old", "Old"],
  ],
  [
    "members of the names of prototypes",
    "const o = {}; o.toString = 1; o.constructor = 2; o.valueOf = 3; o.hasOwnProperty = 4; o.toJSON = () => 5; o.__proto__ = null; out = [Object.keys(o), o];",
    [["toString", "constructor", "valueOf", "hasOwnProperty", "toJSON"], 5],
  ],
  [
    "generators",
    "function* g() { const x = yield 1; try { yield x; } finally { yield 'f'; } } const i = g(); out = [i.next().value, i.next(2).value, i.return(9).value, [...g()].length];",
    [1, 2, "f", 3],
  ],
  [
    "iterators",
    "const it = { *[Symbol.iterator]() { yield* [1, 2]; } }; out = [[...it], Object.fromEntries(new Map([['a', 1]])), Array.from(it, (n) => n * 2)];",
    [[1, 2], { a: 1 }, [2, 4]],
  ],
  [
    "loops and labels",
    "out = []; outer: for (const a of [1, 2, 3]) { for (const b in { x: 1, y: 2 }) { if (a === 2) continue outer; out.push(a + b); } }",
    ["1x", "1y", "3x", "3y"],
  ],
  [
    "maps, sets and weak ones",
    "const k = {}; const w = new WeakMap([[k, 1]]); const ws = new WeakSet([k]); out = [w.get(k), ws.has(k), [...new Set([1, 1, 2])], new Map([[NaN, 1]]).get(NaN)];",
    [1, true, [1, 2], 1],
  ],
  [
    "groups",
    "out = [Object.groupBy([1, 2, 3], (n) => (n % 2 ? 'odd' : 'even')), Map.groupBy([1, 2], (n) => n).get(2)];",
    [{ odd: [1, 3], even: [2] }, [2]],
  ],
  [
    "arrays",
    "const a = [3, 1, 2]; out = [a.toSorted(), a.toReversed(), a.with(0, 9), a.toSpliced(0, 1), a.findLast((n) => n > 1), a.findLastIndex((n) => n > 2), a.at(-1), [1, [2, [3]]].flat(2), a.includes(2), a];",
    [[1, 2, 3], [2, 1, 3], [9, 1, 2], [1, 2], 2, 0, 2, [1, 2, 3], true, [3, 1, 2]],
  ],
  [
    "typed arrays",
    "const t = new Float64Array([2, 1]); const b = new ArrayBuffer(8, { maxByteLength: 16 }); b.resize(16); out = [[...t.toSorted()], b.byteLength, b.transfer(4).byteLength, new DataView(t.buffer).getFloat64(0, true)];",
    [[1, 2], 16, 4, 2],
  ],
  [
    "texts",
    "out = ['a-b-c'.replaceAll('-', ''), 'x'.padStart(3, '.'), 'abc'.at(-1), 'a\\ud800'.isWellFormed(), ' a '.trimEnd(), 'é'.normalize('NFD').length, [...'😀'].length];",
    ["abc", "..x", "c", false, " a", 2, 1],
  ],
  [
    "regular expressions",
    "const m = '2026-11-21'.match(/(?<year>\\d{4})-(?<month>\\d\\d)/d); out = [m.groups.year, m.indices.groups.month, /[\\p{L}--[a-z]]/v.test('a'), /(?<=\\$)\\d+/.exec('$42')[0], [...'a1b2'.matchAll(/\\d/g)].length, /a.b/s.test('a\\nb'), 'aXbX'.replace(/x/gi, (c) => c + c)];",
    ["2026", [5, 7], false, "42", 2, true, "aXXbXX"],
  ],
  [
    "sticky and global expressions",
    "const y = /a/y, g = /a/g; y.lastIndex = 1; g.test('ba'); out = [y.test('ba'), g.lastIndex];",
    [true, 2],
  ],
  [
    "numbers",
    "out = [1_000, 0b11, 0o17, 2 ** 10, (2n ** 64n).toString(), BigInt.asUintN(8, 257n) === 1n, Number.EPSILON > 0, Math.hypot(3, 4), (25).toString(36)];",
    [1000, 3, 15, 1024, "18446744073709551616", true, true, 5, "p"],
  ],
  [
    "dates",
    "out = [new Date(0).toISOString(), new Date('2026-11-21T00:00:00Z').getTime(), typeof Date.now()];",
    ["1970-01-01T00:00:00.000Z", 1_795_219_200_000, "number"],
  ],
  [
    "JSON",
    "out = [JSON.parse('{\"a\":[1]}', (k, v) => (typeof v === 'number' ? v + 1 : v)), JSON.stringify({ a: 1, b: 2 }, ['b']), JSON.stringify({ a: [1] }, null, 1)];",
    [{ a: [2] }, '{"b":2}', '{\n "a": [\n  1\n ]\n}'],
  ],
  [
    "symbols",
    "const s = Symbol('d'); const o = { [s]: 1, [Symbol.toPrimitive]: () => 42 }; out = [s.description, o[s], +o, Symbol.for('k') === Symbol.for('k')];",
    ["d", 1, 42, true],
  ],
  [
    "proxies and Reflect",
    "const p = new Proxy({}, { get: (_, k) => k }); out = [p.abc, Reflect.ownKeys({ a: 1 }), Reflect.has({ a: 1 }, 'a'), Reflect.construct(Array, [3]).length];",
    ["abc", ["a"], true, 3],
  ],
  [
    "accessors and descriptors",
    "const o = { get a() { return 1; } }; Object.defineProperty(o, 'b', { value: 2, enumerable: true }); out = [o, Object.isFrozen(Object.freeze({})), Object.entries(o), Object.hasOwn(o, 'a'), structure(o)]; function structure(v) { return Object.keys(v); }",
    [
      { a: 1, b: 2 },
      true,
      [
        ["a", 1],
        ["b", 2],
      ],
      true,
      ["a", "b"],
    ],
  ],
  [
    "eval and Function",
    "const local = 2; out = [eval('local + 1'), (0, eval)('typeof local'), new Function('a', 'return a * 2')(4), Function('return typeof this')()];",
    [3, "undefined", 8, "object"],
  ],
  [
    "languages and formats",
    "out = [(1234.5).toLocaleString('de-DE'), ['ä', 'z', 'a'].sort((a, b) => a.localeCompare(b, 'de')), new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'medium' }).format(0), new Intl.PluralRules('en').select(1), new Date(0).toLocaleDateString('en-GB', { timeZone: 'UTC' })];",
    ["1.234,5", ["a", "ä", "z"], "Jan 1, 1970", "one", "01/01/1970"],
  ],
  [
    "what was read of a URI",
    "out = [encodeURIComponent('a b&'), decodeURIComponent('%F0%9F%98%80'), isNaN('x'), parseInt('12px', 10)];",
    ["a%20b%26", "😀", true, 12],
  ],
  [
    "async functions, of which the first part runs at once",
    "out = []; (async () => { out.push(1); await null; out.push(3); })(); out.push(2); (async () => { for await (const n of [1]) out.push(n); })();",
    [1, 2],
  ],
  [
    "promises, whose reactions run too late to count",
    "out = []; Promise.all([1]).then((v) => out.push(v)); const { promise, resolve } = Promise.withResolvers(); promise.then(() => out.push(2)); resolve(); out.push(0);",
    [0],
  ],
  [
    "exceptions",
    "out = []; try { try { throw 1; } finally { out.push('f'); } } catch { out.push('c'); } const f = () => { try { return 1; } finally { out.push(2); } }; out.push(f());",
    ["f", "c", 2, 1],
  ],
  [
    "hoisting and closures",
    "out = [before(), ...[1, 2, 3].map((n) => () => n).map((f) => f())]; function before() { return 'hoisted'; } switch (1) { case 1: { let out2 = 1; } }",
    ["hoisted", 1, 2, 3],
  ],
  [
    "members and iteration by hand",
    "const o = { __proto__: { inherited: 1 }, 'quoted key': 1, async m() {}, *g() {}, get ['c' + 1]() { return 2; } }; out = [o.inherited, Object.keys(o), o.c1, 'inherited' in o];",
    [1, ["quoted key", "m", "g", "c1"], 2, true],
  ],
];

/** What strict mode, or a script, does not allow: found when the body is compiled. */
const refused = [
  "with ({}) {}",
  "var a = 010;",
  "delete x;",
  "import 'fs';",
  "export default 1;",
  "return 1;",
  "await 1;",
  "let a; let a;",
  "new.target;",
  "super.x;",
];

forEachEngine((makeRealm, engine) => {
  for (const [part, statement, out] of language)
    test(`${engine} has ${part}`, () => {
      const realm = makeRealm();
      const body = `function populate(jwt) { let out; ${statement}\n jwt.out = out; }`;
      const outcome = realm.run(body);
      expect(changedBy(outcome)).toEqual({ jwt: { out } });
      realm.close();
    });

  test(`${engine} compiles no modules and no sloppy code`, () => {
    const realm = makeRealm();
    for (const text of refused) expect(() => realm.run(`${text}\nfunction populate() {}`), text).toThrow(SyntaxError);
    realm.close();
  });

  test(`helpers at the top of a body run afresh in ${engine} with every call`, () => {
    const realm = makeRealm();
    const body = `let count = 0; const step = () => ++count; var list = []; class Kept { static made = 0; }
      function populate(jwt) { list.push(step()); Kept.made += 1; jwt.seen = [count, list.length, Kept.made]; }`;
    for (let call = 0; call < 3; call += 1) expect(changedBy(realm.run(body))).toEqual({ jwt: { seen: [1, 1, 1] } });
    realm.close();
  });
});
