/** A way for a call to leak data to a later call. */
export interface LeakChannel {
  readonly name: string;
  /** Statements of the first call. */
  readonly write: string;
  /** An expression that is true if a later call finds the leak. */
  readonly read: string;
  /** Code at the top of the body. */
  readonly top?: string;
  /** Whether nothing leaks even without freezing. */
  readonly isCleanAnyway?: boolean;
}

/** A body that writes to a channel or, by its argument, reads from it. */
export function bodyOfChannel({ top = "", write, read }: LeakChannel): string {
  return `${top}\nfunction populate(jwt) { if (jwt.writes) { ${write} } else jwt.leak = Boolean(${read}); }`;
}

const prototypeOf = (made: string): string => `Object.getPrototypeOf(${made})`;

/** Writes a member on a hidden prototype. */
function onHidden(name: string, hidden: string): LeakChannel {
  return { name, write: `Object.defineProperty(${hidden}, "leak", { value: 1, configurable: true });`, read: `${hidden}.leak` };
}

/** Writes a member on a named object. */
function on(target: string): LeakChannel {
  return { name: target, write: `${target}.leak = 1;`, read: `${target}.leak` };
}

const callSite = `(() => { const known = Error.prepareStackTrace; try { Error.prepareStackTrace = (_, sites) => sites[0];
  const site = new Error().stack; return typeof site === "object" ? Object.getPrototypeOf(site) : {}; }
  catch { return {}; } finally { try { Error.prepareStackTrace = known; } catch {} } })()`;

/** The first measured channels (test/bench/README.md). */
export const measuredChannels: readonly LeakChannel[] = [
  { name: "let at the top", top: "let kept;", write: "kept = 1;", read: "kept", isCleanAnyway: true },
  { name: "globalThis.x", write: "globalThis.x = 1;", read: "globalThis.x" },
  { name: "implicit global", write: 'Function("implicit = 1")();', read: 'typeof implicit !== "undefined"' },
  { name: "var in an indirect eval", write: '(0, eval)("var evaluated = 1");', read: 'typeof evaluated !== "undefined"' },
  { name: "global of Function()", write: 'Function("this.made = 1")();', read: 'Function("return this.made")()' },
  on("Array.prototype"),
  {
    name: "setter on Object.prototype",
    write:
      'const all = []; Object.defineProperty(Object.prototype, "spied", { set(value) { all.push(value); }, get() { return all; } });',
    read: '"spied" in {}',
  },
  { name: "JSON.stringify", write: "JSON.stringify = () => '{}';", read: 'JSON.stringify([1]) === "{}"' },
  { name: "static of a function", top: "function kept() {}", write: "kept.leak = 1;", read: "kept.leak", isCleanAnyway: true },
  { name: "RegExp.$1", write: '/(leak)/.exec("leak");', read: 'RegExp.$1 === "leak"', isCleanAnyway: true },
  {
    name: "RegExp.lastMatch and input",
    write: '"leak".replace(/leak/, "x");',
    read: 'RegExp.lastMatch === "leak" || RegExp.input === "leak" || RegExp["$&"] === "leak" || RegExp.$_ === "leak"',
    isCleanAnyway: true,
  },
  { name: "Error.prepareStackTrace", write: 'Error.prepareStackTrace = () => "leak";', read: 'new Error().stack === "leak"' },
  { name: "Error.stackTraceLimit", write: "Error.stackTraceLimit = 1;", read: "Error.stackTraceLimit === 1" },
  onHidden("generators", prototypeOf(prototypeOf("(function* () {})()"))),
  onHidden("async generators", prototypeOf(prototypeOf("(async function* () {})()"))),
  onHidden("iterators of arrays", prototypeOf("[].values()")),
  onHidden("iterator helpers", prototypeOf("[].values().map(String)")),
  onHidden("wrapped iterators", prototypeOf("Iterator.from({ next() {} })")),
  onHidden("iterators of matches", prototypeOf('"".matchAll(/a/g)')),
  {
    ...onHidden("segmenter", `(Intl.Segmenter ? ${prototypeOf('new Intl.Segmenter().segment("a")')} : {})`),
    isCleanAnyway: true,
  },
  onHidden("typed arrays", prototypeOf("Uint8Array")),
  {
    ...onHidden(
      "%ThrowTypeError%",
      'Object.getOwnPropertyDescriptor((function () { "use strict"; return arguments; })(), "callee").get',
    ),
    isCleanAnyway: true,
  },
  onHidden("call sites", callSite),
  {
    name: "object of a template",
    top: "const tag = (strings) => strings; const site = () => tag`a`;",
    write: "site().leak = 1; site().raw.leak = 1;",
    read: "site().leak || site().raw.leak",
    isCleanAnyway: true,
  },
  {
    name: "Symbol.for",
    write: 'Symbol.for("leak").description.leak = 1; Symbol.prototype.leak = 1;',
    read: 'Symbol.for("leak").leak',
    isCleanAnyway: true,
  },
  {
    name: "late microtask",
    write: 'Promise.resolve().then(() => { console.log("late"); globalThis.late = 1; }).catch(() => {});',
    read: "globalThis.late",
  },
  {
    name: "brace of the wrapper",
    top: "})();}); globalThis.outside = 1; (function () { return (function () {",
    write: "",
    read: "globalThis.outside",
    isCleanAnyway: true,
  },
];

/** Further channels. */
export const furtherChannels: readonly LeakChannel[] = [
  ...["Promise.prototype", "Date.prototype", "Function.prototype", "RegExp.prototype", "Map.prototype", "Proxy", "Reflect"].map(
    on,
  ),
  ...["Math", "Intl", "Intl.DateTimeFormat.prototype", "Iterator.prototype", "DataView.prototype", "Headers"].map(on),
  ...["Headers.prototype", "Headers.prototype.entries.prototype", "decodeURI", "eval", "BigInt.prototype"].map(on),
  ...["Array.prototype[Symbol.unscopables]", "String.prototype.at", "Symbol.iterator.constructor.prototype"].map(on),
  onHidden("functions", prototypeOf("function () {}")),
  onHidden("async functions", prototypeOf("async function () {}")),
  onHidden("constructor of generators", "(function* () {}).constructor"),
  onHidden("constructor of async generators", "(async function* () {}).constructor"),
  onHidden("prototypes of generators", prototypeOf("(function* () {})").replace(/$/, ".prototype")),
  onHidden("iterators of maps", prototypeOf("new Map().values()")),
  onHidden("iterators of sets", prototypeOf("new Set().values()")),
  onHidden("iterators of texts", prototypeOf('""[Symbol.iterator]()')),
  onHidden("getter of the stack", '(Object.getOwnPropertyDescriptor(new Error(), "stack").get ?? {})'),
  onHidden("setter of the stack", '(Object.getOwnPropertyDescriptor(new Error(), "stack").set ?? {})'),
  onHidden("getter of __proto__", 'Object.getOwnPropertyDescriptor(Object.prototype, "__proto__").get'),
  onHidden(
    "setter behind toString",
    '(Object.getOwnPropertyDescriptor(Object.prototype, "toString").set ?? Object.prototype.toString)',
  ),
  onHidden("getter of species", "Object.getOwnPropertyDescriptor(Promise, Symbol.species).get"),
  {
    name: "species of promises",
    write: "Object.defineProperty(Promise, Symbol.species, { value: 1 });",
    read: "Promise[Symbol.species] === 1",
  },
  { name: "then of promises", write: "Promise.prototype.then = () => 7;", read: "Promise.resolve().then() === 7" },
  { name: "getter of then on objects", write: 'Object.prototype.then = (done) => done("leak");', read: '"then" in {}' },
  { name: "a member that is an accessor", write: "Error.prototype.name = 'Leak';", read: "new Error().name === 'Leak'" },
  { name: "Object.prototype.toString", write: "Object.prototype.toString = () => 'leak';", read: "String({}) === 'leak'" },
  {
    name: "the setter behind a member, called on its owner",
    write:
      'Reflect.set(Error.prototype, "message", "leak", Error.prototype); Object.prototype.__lookupSetter__("valueOf")?.call(Object.prototype, 1);',
    read: 'new Error().message === "leak"',
  },
  { name: "prototype of the global", write: "Object.setPrototypeOf(globalThis, { leak: 1 });", read: "globalThis.leak" },
  { name: "prototype of a prototype", write: "Object.setPrototypeOf(Array.prototype, { leak: 1 });", read: "[].leak" },
  {
    name: "toStringTag of iterators",
    write: "Object.defineProperty(Iterator.prototype, Symbol.toStringTag, { value: 'leak' });",
    read: "Iterator.prototype[Symbol.toStringTag] === 'leak'",
  },
  {
    name: "constructor of iterators",
    write: "Object.defineProperty(Iterator.prototype, 'constructor', { value: 7 });",
    read: "Iterator.prototype.constructor === 7",
  },
  {
    name: "lastIndex of a literal",
    top: "const find = () => /a/g;",
    write: 'find().exec("aaa");',
    read: "find().lastIndex",
    isCleanAnyway: true,
  },
  {
    name: "RegExp.prototype.compile",
    write: "/a/.compile('leak');",
    read: "/a/.source === 'leak' || RegExp.prototype.source === 'leak'",
    isCleanAnyway: true,
  },
  {
    name: "static of a class",
    top: "class Kept { static leak; }",
    write: "Kept.leak = 1;",
    read: "Kept.leak",
    isCleanAnyway: true,
  },
  {
    name: "private stamp on a shared object",
    top: "class Base { constructor(value) { return value; } } class Stamp extends Base { #leak = 1; static has(value) { return #leak in value; } }",
    write: "new Stamp(Array.prototype); new Stamp(globalThis);",
    read: "Stamp.has(Array.prototype) || Stamp.has(globalThis)",
    isCleanAnyway: true,
  },
  {
    name: "the body's own arguments",
    top: "const given = arguments;",
    write: "given[0] = given.leak = 1;",
    read: "given.leak || given.length > 0",
    isCleanAnyway: true,
  },
  {
    name: "caller of a sloppy function",
    write: 'const f = Function("return arguments.callee.caller"); (f() ?? {}).leak = 1;',
    read: 'Function("return arguments.callee.caller")()',
    isCleanAnyway: true,
  },
  {
    name: "console",
    write: "console.leak = 1; console.log.leak = 1;",
    read: "console.leak || console.log.leak",
    isCleanAnyway: true,
  },
  { name: "fetch", write: "fetch.leak = 1;", read: "fetch.leak", isCleanAnyway: true },
  {
    name: "patched console",
    write: "console.log = () => {};",
    read: "!console.log.toString().includes('write')",
    isCleanAnyway: true,
  },
  {
    name: "Error.captureStackTrace",
    write: "Error.captureStackTrace(Error.prototype);",
    read: 'Object.hasOwn(Error.prototype, "stack")',
  },
  { name: "JSON.rawJSON", write: "JSON.rawJSON(1).leak = 1;", read: "JSON.rawJSON(1).leak", isCleanAnyway: true },
  {
    name: "interned symbols",
    write: "Symbol.iterator.leak = 1; Object(Symbol.iterator).leak = 1;",
    read: "Symbol.iterator.leak",
    isCleanAnyway: true,
  },
  {
    name: "stack overflow inside of the console",
    write:
      "const sink = (depth) => { try { sink(depth + 1); } catch {} if (depth % 7 === 0) try { console.log({ a: [depth] }); } catch {} }; sink(0);",
    read: "(() => { try { console.log('%s', { a: 1 }); return false; } catch { return true; } })() ",
    isCleanAnyway: true,
  },
  {
    name: "a thrown Proxy",
    write: "throw new Proxy(new Error(), { get(_, key) { globalThis.leak = key; return () => { globalThis.leak = 1; }; } });",
    read: "globalThis.leak",
  },
  {
    name: "a getter on the result",
    write: 'Object.defineProperty(jwt, "x", { enumerable: true, get() { globalThis.leak = 1; return 1; } });',
    read: "globalThis.leak",
  },
  {
    name: "a toJSON on the result",
    write: "jwt.toJSON = function () { String.prototype.leak = 1; return {}; };",
    read: "''.leak",
  },
  { name: "definition by a getter's name", write: 'Array.prototype.__defineGetter__("0", () => 1);', read: "[][0] === 1" },
  { name: "index on Object.prototype", write: "Object.prototype[0] = 1;", read: "[][0] === 1" },
  {
    name: "freezing the unfrozen",
    write: "Object.freeze(jwt); Object.freeze(console);",
    read: "Object.isFrozen(jwt) || Object.isFrozen(console)",
    isCleanAnyway: true,
  },
];
