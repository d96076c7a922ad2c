import type { LambdaOutcome } from "../../src/ports/lambda-runner.js";

type Kind = LambdaOutcome["kind"];

/** A hostile body. Host functions that it may call: `fetch`, `secrets.get` and `host.echo`, which returns its first argument. */
export interface HostileLambda {
  readonly name: string;
  /** A body of the function `populate(jwt, user, context)`. It sets `jwt.escaped` if it reaches anything outside of the realm. */
  readonly body: string;
  /** The allowed outcomes. */
  readonly kinds: readonly Kind[];
  /** Whether it needs so much time or memory that only a process that can be killed may run it. */
  readonly isHeavy: boolean;
}

/** A body that uses little time and memory. */
export function light(name: string, body: string, kinds: readonly Kind[] = ["ok", "threw"]): HostileLambda {
  return { name, body, kinds, isHeavy: false };
}

/** Evaluates an expression; reports it if the result belongs to a host. */
function attempt(name: string, expression: string): HostileLambda {
  const isHost =
    "(v) => v === true || (v !== undefined && v !== null && (v.versions !== undefined || v.env !== undefined || v.mainModule !== undefined))";
  return light(
    name,
    `function populate(jwt, user, context) { const found = (${expression}); if ((${isHost})(found)) jwt.escaped = String(found); }`,
  );
}

/** Runs code by a value's own `Function`; true if that code sees a host. */
const seen = (made: string): string =>
  `${made}("return typeof process !== 'undefined' || typeof require !== 'undefined' || typeof Buffer !== 'undefined'")()`;

const caught = (statement: string): string => `(() => { try { ${statement}; } catch (error) { return error; } return {}; })()`;

/** Whether a stack overflow around a call throws an error from outside of the realm. */
const overflow = (call: string): string =>
  `(() => { let isForeign = false, calls = 0; const look = (error) => { isForeign ||= !(error instanceof Error); };
   const dive = () => { try { dive(); } catch (error) { look(error); } if (calls++ < 100) try { ${call}; } catch (error) { look(error); } }; dive(); return isForeign; })()`;

/** Bodies that try to leave the realm. */
export const escapes: readonly HostileLambda[] = [
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
