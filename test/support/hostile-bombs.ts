import type { LambdaOutcome } from "../../src/ports/lambda-runner.js";

type Kind = LambdaOutcome["kind"];
type Bomb = readonly [name: string, body: string, kinds: readonly Kind[]];

/** All ends are allowed: the engine's time or memory limit, or a kill by the parent. */
const ended: readonly Kind[] = ["timedOut", "outOfMemory", "crashed"];
const endedOrThrew: readonly Kind[] = [...ended, "threw", "tooLarge"];
const endedOrDone: readonly Kind[] = [...endedOrThrew, "ok"];

/** A body with these statements. */
const doing = (name: string, statements: string, kinds: readonly Kind[] = ended): Bomb => [
  name,
  `function populate(jwt) { ${statements} }`,
  kinds,
];

const loops: readonly Bomb[] = [
  doing("for without an end", "for (;;);"),
  ["a loop at the top", "for (;;); function populate() {}", ended],
  doing("a loop that catches everything", "for (;;) try { throw 1; } catch {}"),
  doing("loops in finally", "try { for (;;); } finally { for (;;); }"),
  doing("a loop that makes arrays", "for (;;) new Array(1000).fill(0);"),
  doing("a loop that makes objects", "for (let i = 0; ; i++) ({ i, text: String(i) });"),
  doing("recursion that doubles", "const f = (n) => { try { f(n + 1); } finally { f(n + 1); } }; f(0);", [...ended, "threw"]),
  doing("recursion that is caught", "const f = () => { try { f(); } catch { f(); } }; f();", [...ended, "threw"]),
  doing("a generator without an end", "function* g() { for (;;) yield; } for (const x of g());"),
  doing("a Proxy that asks itself", "const p = new Proxy({}, { get: () => p.x }); for (;;) try { p.x; } catch {}"),
  doing(
    "a sort that never decides",
    "const a = Array.from({ length: 1e5 }, (_, i) => i); for (;;) a.sort(() => Math.random() - 0.5);",
  ),
  doing("getters in a loop", "const o = { get a() { for (;;); } }; o.a;"),
  doing("eval in a loop", "for (let i = 0; ; i++) eval('var a' + i + ' = ' + i);"),
  doing("functions from texts in a loop", "for (let i = 0; ; i++) Function('return ' + i)();"),
  doing("a replacer without an end", "'aaa'.replace(/a/g, () => { for (;;); });"),
  doing("a loop around the console", "for (;;) console.log('x');"),
  doing("a loop around the host", "for (;;) try { host.echo(1); } catch {}"),
];

const natives: readonly Bomb[] = [
  doing("includes of an endless list", "Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1);"),
  doing("indexOf of an endless list", "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);"),
  doing("lastIndexOf of an endless list", "Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1);"),
  doing("fill of an endless list", "Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 1);"),
  doing("reverse of an endless list", "Array.prototype.reverse.call({ length: 2 ** 53 - 1 });"),
  doing("join of an endless list", "Array.prototype.join.call({ length: 2 ** 32 - 2 }, '');", endedOrThrew),
  doing("every of an endless list", "Array.prototype.every.call({ length: 2 ** 53 - 1 }, () => true);"),
  doing("copyWithin of an endless list", "Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 1, 0);"),
  doing(
    "sort of a sparse list",
    "const a = []; a[2 ** 32 - 2] = 1; a.sort(); Array.prototype.sort.call({ length: 2 ** 53 - 1 });",
    endedOrThrew,
  ),
  doing("a list from a length", "Array.from({ length: 2 ** 32 - 2 });", endedOrThrew),
  doing("flat of a list that is within itself", "const a = []; a.push(a, a); a.flat(Infinity);", endedOrThrew),
  doing("concat of sparse lists", "const a = new Array(2 ** 32 - 1); for (;;) [].concat(a);", endedOrThrew),
  doing("an expression that backtracks", "/^(a+)+$/.test('a'.repeat(50) + '!');"),
  doing("an expression that backtracks in pieces", "/(?:x+x+)+y/.test('x'.repeat(60));"),
  doing("a replacement of a long text", "let s = 'ab'.repeat(1e6); for (;;) s.replace(/a.*?b/g, 'x');"),
  doing("replaceAll that grows", "let s = 'a'; for (;;) s = s.replaceAll('a', 'aa');", endedOrThrew),
  doing("a huge split", "'x'.repeat(2 ** 28).split('');", endedOrThrew),
  doing("a huge pattern", "new RegExp('(?:a|b)*'.repeat(1e5)).test('ab'.repeat(1e5));", endedOrDone),
  doing("a power of BigInt", "2n ** 10_000_000n ** 2n;", endedOrThrew),
  doing("products of BigInt", "let n = 3n; for (;;) n *= n;", endedOrThrew),
  doing("a BigInt as text", "String(7n ** 3_000_000n);", endedOrDone),
  doing("normalisation of a huge text", "for (;;) '\\u1e9b\\u0323'.repeat(1e6).normalize('NFKD');"),
  // QuickJS has no Intl.
  doing("formats of a language", "for (;;) new Intl.DateTimeFormat('de').format(0);", [...ended, "threw"]),
  doing("JSON that nests", "for (;;) try { JSON.parse('['.repeat(1e6)); } catch {}"),
];

const promises: readonly Bomb[] = [
  doing("a flood of microtasks", "const f = () => Promise.resolve().then(f); f();", endedOrDone),
  doing("microtasks that double", "const f = () => { Promise.resolve().then(f); Promise.resolve().then(f); }; f();", endedOrDone),
  doing("an async loop", "(async () => { for (;;) await null; })();", endedOrDone),
  doing("a thenable that answers itself", "const t = { then(done) { done(t); } }; Promise.resolve(t);", endedOrDone),
  doing("a loop in a reaction", "Promise.resolve().then(() => { for (;;); });", endedOrDone),
  doing("a promise that never settles", "new Promise(() => {}).then(() => {});", ["ok"]),
  ["an async function that never ends", "async function populate() { await new Promise(() => {}); }", ["threw"]],
  doing("a million rejections", "for (let i = 0; i < 1e6; i++) Promise.reject(i);", endedOrDone),
  doing(
    "for await without an end",
    "(async () => { for await (const x of (async function* () { for (;;) yield; })()); })();",
    endedOrDone,
  ),
];

const memory: readonly Bomb[] = [
  doing("a text that doubles", "let s = 'x'; for (;;) s += s;", endedOrThrew),
  doing("texts that are kept", "const a = []; for (;;) a.push('x'.repeat(1e6) + a.length);"),
  doing("a spread of a huge text", "[...'.'.repeat(5e8)];", endedOrThrew),
  doing("arrays that are kept", "const a = []; for (;;) a.push(new Array(1000).fill(0));"),
  doing("a huge array", "new Array(1e9).fill(1);", endedOrThrew),
  doing("a large array", "new Array(5e7).fill(0);", endedOrDone),
  doing("keys without an end", "const o = {}; for (let i = 0; ; i++) o['k' + i] = i;"),
  doing("a Map that grows", "const m = new Map(); for (let i = 0; ; i++) m.set(i, { i });", endedOrThrew),
  doing("a Set that grows", "const s = new Set(); for (let i = 0; ; i++) s.add(i);", endedOrThrew),
  doing("a Set of all numbers", "new Set((function* () { for (let i = 0; ; i++) yield i; })());", endedOrThrew),
  doing(
    "a WeakMap that grows",
    "const m = new WeakMap(), keep = []; for (;;) { const key = {}; keep.push(key); m.set(key, key); }",
    endedOrThrew,
  ),
  doing("buffers that are kept", "const a = []; for (;;) a.push(new ArrayBuffer(1e6));", endedOrThrew),
  doing("one huge buffer", "new ArrayBuffer(2 ** 33); new Uint8Array(2 ** 32);", endedOrThrew),
  doing(
    "a buffer that grows",
    "const b = new ArrayBuffer(1, { maxByteLength: 2 ** 32 }); for (let n = 1; ; n *= 2) { b.resize(n); new Uint8Array(b).fill(1); }",
    endedOrThrew,
  ),
  doing("typed arrays that are filled", "const a = []; for (;;) a.push(new Float64Array(1e6).fill(1));", endedOrThrew),
  doing("closures that are kept", "let f = () => {}; for (;;) { const g = f, a = new Array(100); f = () => g(a); }"),
  doing("symbols that are registered", "for (let i = 0; ; i++) Symbol.for('s' + i);"),
  doing("deep lists", "let a = []; for (;;) a = [a, a];"),
  doing("huge arguments", "Math.max(...new Array(1e8));", endedOrThrew),
  doing("a list of a list", "const a = []; for (;;) a.push(...a, 1);", endedOrThrew),
  doing("padded texts", "'x'.padEnd(2 ** 30);", endedOrThrew),
  doing("many expressions", "const a = []; for (let i = 0; ; i++) a.push(new RegExp('a'.repeat(1000) + i));"),
];

const results: readonly Bomb[] = [
  doing("a result of a gigabyte of shared texts", "jwt.a = new Array(1e4).fill('x'.repeat(1e6));", endedOrThrew),
  doing("a result of 10 million keys", "for (let i = 0; i < 1e7; i++) jwt['k' + i] = i;", endedOrThrew),
  doing("a result of an endless length", "jwt.a = new Array(4e9);", endedOrThrew),
  doing("a getter without an end", "Object.defineProperty(jwt, 'a', { enumerable: true, get() { for (;;); } });"),
  doing("a toJSON without an end", "jwt.toJSON = () => { for (;;); };"),
  doing("objects that go on for ever", "const next = () => ({ get a() { return next(); } }); jwt.a = next();", endedOrThrew),
  doing(
    "lists that go on for ever",
    "jwt.a = new Proxy([], { get: (_, key) => (key === 'length' ? 2 ** 32 : 1) });",
    endedOrThrew,
  ),
  doing(
    "a Proxy of endless keys",
    "jwt.a = new Proxy({}, { ownKeys: () => Array.from({ length: 1e7 }, (_, i) => 'k' + i), getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) });",
    endedOrThrew,
  ),
  doing("a message without an end", "throw { get message() { for (;;); } };"),
  doing("a stack without an end", "const e = new Error(); Object.defineProperty(e, 'stack', { get() { for (;;); } }); throw e;"),
  doing("a line without an end", "console.log(new Proxy({}, { ownKeys() { for (;;); } }));"),
  doing("a message that is a gigabyte", "throw new Error('x'.repeat(2 ** 29 - 30).concat('y'));", endedOrThrew),
];

/** Bodies that use up time or memory until they are stopped. Run them only in a process that can be killed. */
export const bombs: readonly Bomb[] = [...loops, ...natives, ...promises, ...memory, ...results];
