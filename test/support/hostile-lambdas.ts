import type { LambdaOutcome } from "../../src/ports/lambda-runner.js";
import { bombs } from "./hostile-bombs.js";

type Kind = LambdaOutcome["kind"];

/** A body that means harm. What it may use of the host: `fetch`, `secrets.get` and `host.echo`, which answers its first argument. */
export interface HostileLambda {
  readonly name: string;
  /** A body of the function `populate(jwt, user, context)`. If it gets hold of what is not its own, it sets `jwt.escaped`. */
  readonly body: string;
  /** What may become of it. */
  readonly kinds: readonly Kind[];
  /** Whether it uses so much time or memory that only a process that can be killed may run it. */
  readonly isHeavy: boolean;
}

function light(name: string, body: string, kinds: readonly Kind[] = ["ok", "threw"]): HostileLambda {
  return { name, body, kinds, isHeavy: false };
}

/** Asks what an expression comes to, and says so if it is something of a host. */
function attempt(name: string, expression: string): HostileLambda {
  const isHost =
    "(v) => v === true || (v !== undefined && v !== null && (v.versions !== undefined || v.env !== undefined || v.mainModule !== undefined))";
  return light(
    name,
    `function populate(jwt, user, context) { const found = (${expression}); if ((${isHost})(found)) jwt.escaped = String(found); }`,
  );
}

/** What code of whoever made a function sees: true if that is a host. */
const seen = (made: string): string =>
  `${made}("return typeof process !== 'undefined' || typeof require !== 'undefined' || typeof Buffer !== 'undefined'")()`;

const caught = (statement: string): string => `(() => { try { ${statement}; } catch (error) { return error; } return {}; })()`;

/** Whether an error that is not of the realm comes out of a stack that overflows around a call. */
const overflow = (call: string): string =>
  `(() => { let isForeign = false, calls = 0; const look = (error) => { isForeign ||= !(error instanceof Error); };
   const dive = () => { try { dive(); } catch (error) { look(error); } if (calls++ < 100) try { ${call}; } catch (error) { look(error); } }; dive(); return isForeign; })()`;

const escapes: readonly HostileLambda[] = [
  attempt("constructor of this", seen("Object(this ?? {}).constructor.constructor")),
  attempt("constructor of the global", seen("globalThis.constructor.constructor")),
  attempt("constructor of the console", seen("console.log.constructor")),
  attempt("constructor of fetch", seen("fetch.constructor")),
  attempt("constructor of a host function", seen("host.echo.constructor")),
  attempt("constructor of what the host answers", seen("host.echo({ a: 1 }).constructor.constructor")),
  attempt("constructor of secrets", seen("context.secrets.get.constructor")),
  attempt("constructor of an argument", seen("jwt.constructor.constructor")),
  attempt("constructor of Headers", seen("Headers.constructor")),
  attempt(
    "constructor of async functions",
    `(() => { let found; const p = Object.getPrototypeOf(async () => {}).constructor; found = ${seen("Function")}; p("return process")().catch(() => {}); return found; })()`,
  ),
  attempt(
    "constructor of generators",
    `Object.getPrototypeOf(function* () {}).constructor("yield typeof process !== 'undefined'")().next().value`,
  ),
  attempt(
    "constructor of async generators",
    `(Object.getPrototypeOf(async function* () {}).constructor("yield process")().next().catch(() => {}), false)`,
  ),
  attempt("error of the host", seen(`${caught("host.fail()")}.constructor.constructor`)),
  attempt("error of JSON for the host", seen(`${caught("host.echo(1n)")}.constructor.constructor`)),
  attempt("error of an overflow around calls of the host", overflow("host.echo(1)")),
  attempt("error of an overflow inside of the console", overflow("console.log({ a: [1] })")),
  attempt(
    "call sites",
    `(() => { Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getThis?.() ?? site.getFunction?.()); const found = new Error().stack; return Array.isArray(found) && found.some((value) => value?.process !== undefined); })()`,
  ),
  attempt(
    "call sites of an error of the host",
    `(() => { const sites = []; try { Error.prepareStackTrace = (_, all) => { sites.push(...all); return ""; }; } catch {} try { host.fail(); } catch (error) { void error.stack; } return sites.some((site) => site.getFunction?.()?.constructor("return typeof process !== 'undefined'")()); })()`,
  ),
  attempt("paths of the host in the stack", "/node_modules|worker|internal\\//.test(new Error().stack) ? false : false"),
  attempt(
    "callers",
    'Function("return arguments.callee.caller")()?.constructor("return typeof process !== \'undefined\'")() ?? false',
  ),
  attempt(
    "arguments of callers",
    `(() => { const f = Function("return arguments.callee.caller?.arguments"); return f()?.[0]?.constructor.constructor("return process")() ?? false; })()`,
  ),
  attempt(
    "names of hosts",
    'Object.getOwnPropertyNames(globalThis).some((name) => ["process", "require", "module", "Buffer", "global", "ivm", "_ivm", "$0", "print", "d8", "gc", "load", "quit"].includes(name))',
  ),
  attempt(
    "shared memory and machine code",
    'typeof WebAssembly !== "undefined" || typeof SharedArrayBuffer !== "undefined" || typeof Atomics !== "undefined"',
  ),
  attempt(
    "prototypes of the global",
    `(() => { for (let at = globalThis; at !== null; at = Object.getPrototypeOf(at)) if (Reflect.ownKeys(at).includes("process")) return true; return false; })()`,
  ),
  attempt("import()", `(() => { import("node:fs").then((fs) => { jwt.escaped = true; }, () => {}); return false; })()`),
  attempt("import() in eval", `(() => { (0, eval)('import("node:process")').catch(() => {}); return false; })()`),
  attempt(
    "JSON.stringify that listens",
    `(() => { let found = false; try { JSON.stringify = function (value) { found ||= typeof value?.callHost === "function"; return "[]"; }; } catch {} host.echo(1); return found; })()`,
  ),
  attempt(
    "Function.prototype.call that listens",
    `(() => { let found = false; try { Function.prototype.call = Function.prototype.apply = function (self) { found ||= this?.name === "callHost"; }; } catch {} host.echo(1); console.log(1); return found; })()`,
  ),
  attempt(
    "Reflect.apply that listens",
    `(() => { const all = []; try { Reflect.apply = (f) => all.push(f); } catch {} host.echo(1); return all.length > 0; })()`,
  ),
  attempt(
    "setter for what the host answers",
    `(() => { let found = false; try { for (const key of ["value", "error", "kind", "name"]) Object.defineProperty(Object.prototype, key, { set() { found = true; }, get() { found = true; } }); } catch {} host.echo({ a: 1 }); return found; })()`,
  ),
  attempt(
    "setter of an index",
    `(() => { const all = []; try { Object.defineProperty(Object.prototype, "0", { set(value) { all.push(value); } }); } catch {} host.echo(1); console.log(1, 2); return all.some((value) => typeof value === "function"); })()`,
  ),
  attempt(
    "iterator of arrays that listens",
    `(() => { const all = []; try { Array.prototype[Symbol.iterator] = function* () { all.push(this); }; } catch {} console.log({ a: [1] }); host.echo([1]); return all.length > 0; })()`,
  ),
  attempt(
    "species",
    `(() => { const all = []; try { Object.defineProperty(Array, Symbol.species, { get() { all.push(this); return Array; } }); } catch {} host.echo([1]); return all.length > 0; })()`,
  ),
  attempt(
    "then of a promise",
    `(() => { try { Promise.prototype.then = () => { jwt.escaped = true; }; } catch {} return false; })()`,
  ),
  attempt(
    "Proxy as an argument of the host",
    'host.echo(new Proxy({}, { get: (_, key) => (key === "toJSON" ? undefined : key), ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) })).constructor !== Object',
  ),
  attempt(
    "toString as the name of a secret",
    `(() => { let calls = 0; context.secrets.get({ toString() { calls += 1; return "a"; } }); return calls > 1; })()`,
  ),
  attempt(
    "__proto__ through the host",
    'host.echo(JSON.parse(\'{"__proto__":{"polluted":1}}\')).polluted === 1 || {}.polluted === 1',
  ),
  attempt(
    "a getter as headers",
    'fetch("http://a.example/", { get headers() { return new Proxy({}, { ownKeys: () => { throw 1; } }); } })',
  ),
  attempt(
    "new names of the host",
    'Object.keys(host).some((name) => name !== "echo" && name !== "fail") || host.constructor("return process") === 1',
  ),
  attempt("the realm's own source", `/callHost\\(name/.test(String(host.echo)) && ${seen("host.echo.constructor")}`),
  light(
    "a thrown Proxy",
    "function populate() { throw new Proxy(new Error(), { get(_, key) { if (key === 'constructor') globalThis.x = 1; throw new Error('trap'); }, getPrototypeOf() { throw 1; } }); }",
    ["threw"],
  ),
  light(
    "a thrown revoked Proxy",
    "function populate() { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy; }",
    ["threw"],
  ),
  light(
    "a thrown function with a stack",
    "function populate() { throw Object.assign(() => {}, { stack: '    at lambda.js:99:99', message: 'x' }); }",
    ["threw"],
  ),
  light(
    "a thrown object whose stack is a getter",
    "function populate() { throw { get stack() { throw 1; }, get message() { return 'a'; }, get name() { throw 2; } }; }",
    ["threw"],
  ),
  light("a thrown message of 10 MB", "function populate() { throw new Error('x'.repeat(1e7)); }", ["threw"]),
  light(
    "a Proxy as the function",
    "var populate = new Proxy(() => {}, { apply() { return 1; }, getPrototypeOf() { throw new Error('trap'); } });",
    ["threw"],
  ),
  light("a class as the function", "class populate {}", ["missingFunction", "threw"]),
];

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

/** Bodies of everyone who means harm: escapes, wrappers, poisonings, results, consoles, and bombs. */
export const hostileLambdas: readonly HostileLambda[] = [
  ...escapes,
  ...wrappers,
  ...poisonings,
  ...results,
  ...consoles,
  ...bombs.map(([name, body, kinds]): HostileLambda => ({ name, body, kinds, isHeavy: true })),
];
