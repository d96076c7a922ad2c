import { bombs } from "./hostile-bombs.js";
import { escapes, type HostileLambda, light } from "./hostile-escapes.js";

export type { HostileLambda } from "./hostile-escapes.js";

const wrappers: readonly HostileLambda[] = [
  light("closes the wrapper", "})();}); globalThis.escaped = 1; (function () { return (function () {\nfunction populate() {}", [
    "syntax",
  ]),
  light("closes one function of it", "})(); (function () { function populate(jwt) { jwt.escaped = true; }", ["syntax"]),
  light("opens a comment", "function populate() {} /*", ["syntax"]),
  light("opens a template", "function populate() {} `", ["syntax"]),
  light("ends in a comment", "function populate(jwt) { jwt.a = 1; } //", ["ok"]),
  light("ends in a comment of HTML", "function populate(jwt) { jwt.a = 1; }\n<!-- }", ["ok", "syntax"]),
  light("begins with the end of a comment of HTML", "--> }\nfunction populate(jwt) { jwt.a = 1; }", ["ok", "syntax"]),
  light("line separators", "function populate(jwt) { jwt.a = 1; } //\u2028}) (\u2029", ["syntax"]),
  light("a first line for a shell", "#!/usr/bin/env node })\nfunction populate(jwt) { jwt.a = 1; }", ["ok", "syntax"]),
  light("a return at the top", "return { populate() {} };", ["syntax"]),
  light("a module", "import fs from 'node:fs'; export function populate() {}", ["syntax"]),
  light("native syntax", "function populate() { %DebugPrint(1); }", ["syntax"]),
  light("thousands of brackets", `function populate() { return ${"[".repeat(50_000)}${"]".repeat(50_000)}; }`, [
    "syntax",
    "threw",
    "ok",
    "missingFunction",
    "crashed",
  ]),
  light("thousands of parentheses", `function populate() { return ${"(".repeat(50_000)}1${")".repeat(50_000)}; }`, [
    "syntax",
    "threw",
    "ok",
    "crashed",
  ]),
];

/** The path of every name that a body could write to for the next call. */
const poisoned = [
  "Object.prototype.toString",
  "Array.prototype.push",
  "Function.prototype.call",
  "String.prototype.slice",
  "RegExp.prototype.exec",
  "Promise.prototype.then",
  "JSON.parse",
  "JSON.stringify",
  "Reflect.apply",
  "Object.defineProperty",
  "Symbol.prototype.description",
  "Map.prototype.get",
  "Date.now",
  "Math.random",
  "Headers.prototype.get",
  "globalThis.Error",
];

const poisonings: readonly HostileLambda[] = [
  ...poisoned.map((target) =>
    light(
      `poisons ${target}`,
      `function populate(jwt) { ${target} = () => { throw new Error("poisoned"); }; jwt.escaped = true; }`,
      ["threw"],
    ),
  ),
  light(
    "poisons all that it finds",
    `function populate(jwt) { const done = new Set(); const visit = (value) => { if (Object(value) !== value || done.has(value) || value === jwt) return; done.add(value);
    for (const key of Reflect.ownKeys(value)) { const property = Reflect.getOwnPropertyDescriptor(value, key); visit(property.value); visit(property.get); visit(property.set);
    if (Reflect.defineProperty(value, key, { value: 1 }) && property.value !== 1 || Reflect.deleteProperty(value, key)) jwt.escaped = String(key); } }; visit(globalThis); }`,
  ),
  light(
    "changes the prototype of the global",
    "function populate(jwt) { Object.setPrototypeOf(globalThis, {}); jwt.escaped = true; }",
    ["threw"],
  ),
  light("deletes what is global", "function populate(jwt) { delete globalThis.Object; jwt.escaped = true; }", ["threw"]),
];

const results: readonly HostileLambda[] = [
  light(
    "__proto__ in the result",
    "function populate(jwt) { Object.defineProperty(jwt, '__proto__', { value: { polluted: 1 }, enumerable: true }); }",
    ["ok"],
  ),
  light("constructor.prototype in the result", "function populate(jwt) { jwt.constructor = { prototype: { polluted: 1 } }; }", [
    "ok",
  ]),
  light(
    "a getter that throws",
    "function populate(jwt) { Object.defineProperty(jwt, 'a', { enumerable: true, get() { throw new Error('x'); } }); }",
    ["threw"],
  ),
  light("a toJSON that is no JSON", "function populate(jwt) { jwt.toJSON = () => 'text'; }", ["ok"]),
  light("a result of 2 MB", "function populate(jwt) { jwt.a = 'x'.repeat(2 * 1024 * 1024); }", ["tooLarge"]),
  light("a result of 700 kB that is 2 MB of bytes", "function populate(jwt) { jwt.a = '€'.repeat(700_000); }", ["tooLarge"]),
  light(
    "a result of 100,000 levels",
    "function populate(jwt) { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; jwt.a = a; }",
    ["threw"],
  ),
  light(
    "a result of 2,000 levels",
    "function populate(jwt) { let a = []; for (let i = 0; i < 2_000; i++) a = [a]; jwt.a = a; }",
    ["ok", "threw"],
  ),
  light("a circular result", "function populate(jwt) { jwt.jwt = jwt; }", ["threw"]),
  light("a BigInt", "function populate(jwt) { jwt.a = 1n; }", ["threw"]),
  light("halves of characters and nulls", "function populate(jwt) { jwt['\\ud800'] = '\\udc00\\u0000'; }", ["ok"]),
  light(
    "a result that is no object any more",
    "function populate(jwt) { for (const key of Object.keys(jwt)) delete jwt[key]; jwt.toJSON = () => null; }",
    ["ok"],
  ),
  light(
    "a result that answers otherwise each time",
    "function populate(jwt) { let n = 0; Object.defineProperty(jwt, 'a', { enumerable: true, get: () => ({ n: n++ }) }); }",
    ["ok"],
  ),
  light("raw JSON", "function populate(jwt) { jwt.a = JSON.rawJSON ? JSON.rawJSON('1e999') : 1; }", ["ok"]),
  light("a line feed in the result", "function populate(jwt) { jwt['a\\nb'] = '\\n{\"kind\":\"ok\"}\\n'; }", ["ok"]),
  light("numbers that are none", "function populate(jwt) { jwt.a = [NaN, Infinity, -0, undefined, () => {}, Symbol()]; }", [
    "ok",
  ]),
];

const consoles: readonly HostileLambda[] = [
  light("a million lines", "function populate() { for (let i = 0; i < 1e6; i++) console.log('line'); }", ["ok", "timedOut"]),
  light("a million empty lines", "function populate() { for (let i = 0; i < 1e6; i++) console.log(); }", ["ok", "timedOut"]),
  light("one line of 10 MB", "function populate() { console.error('x'.repeat(1e7)); }", ["ok"]),
  light(
    "a value that writes while it is shown",
    "function populate() { console.log('%s', { toString() { console.log('%s', this); return 'x'; } }); }",
    ["ok", "threw"],
  ),
  light(
    "a wide and deep value",
    "function populate() { const wide = (n) => (n === 0 ? 1 : Array.from({ length: 50 }).fill(wide(n - 1))); console.log(wide(5)); }",
    ["ok"],
  ),
  light("lines that look like an outcome", `function populate() { console.log('"}]}\\n{"jwt":{"escaped":true}}'); }`, ["ok"]),
  light("a console that is no more", "function populate() { console.log = null; console.log('x'); }", ["threw"]),
];

/** All hostile bodies: escapes, wrappers, poisonings, results, consoles, and bombs. */
export const hostileLambdas: readonly HostileLambda[] = [
  ...escapes,
  ...wrappers,
  ...poisonings,
  ...results,
  ...consoles,
  ...bombs.map(([name, body, kinds]): HostileLambda => ({ name, body, kinds, isHeavy: true })),
];
