import { expect, test } from "vitest";
import { wrapBody } from "../../adapters/runners/lambda-guest/realm.js";
import type { LambdaOutcome } from "../../src/ports/lambda-runner.js";
import { changedBy, failureOf, forEachEngine, linesOf } from "../support/realm.js";

/** Adds up whatever a body can reach without making it, and names what it could still change. */
const walk = `const hidden = [function* () {}, Object.getPrototypeOf((function* () {})()), async function* () {},
    Object.getPrototypeOf((async function* () {})()), async () => {}, [].values(),
    [].values().map(String), Iterator.from({ next() {} }), new Map().keys(), new Set().keys(), ""[Symbol.iterator](), "".matchAll(/a/g)];
  const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";
  function populate(jwt) {
    const seen = new Set(), waiting = [[globalThis, "globalThis"], [Headers, "Headers"]];
    for (const made of hidden) waiting.push([Object.getPrototypeOf(made), String(made)]);
    jwt.open = [];
    while (waiting.length > 0) {
      const [value, path] = waiting.pop();
      if (!isObject(value) || seen.has(value)) continue;
      seen.add(value);
      if (!Object.isFrozen(value)) jwt.open.push(path);
      waiting.push([Object.getPrototypeOf(value), path + ".__proto__"]);
      for (const key of Reflect.ownKeys(value)) {
        const property = Object.getOwnPropertyDescriptor(value, key);
        for (const part of ["value", "get", "set"]) waiting.push([property[part], path + "." + String(key)]);
      }
    }
    jwt.count = seen.size;
  }`;

test("a function name that is none is refused", () => {
  for (const name of ["", "a b", "a)", "1a", "a.b", "a;b"]) expect(() => wrapBody("", name)).toThrow(TypeError);
  expect(wrapBody("", "überprüfe$")).toContain("überprüfe$");
});

forEachEngine((makeRealm, engine) => {
  const inRealm = (body: string, call?: Parameters<ReturnType<typeof makeRealm>["run"]>[1]): LambdaOutcome => {
    const realm = makeRealm();
    try {
      return realm.run(body, call);
    } finally {
      realm.close();
    }
  };

  test(`everything that a body reaches in ${engine} is frozen`, () => {
    const { jwt } = changedBy(inRealm(walk)) as { jwt: { open: string[]; count: number } };
    expect(jwt.open).toEqual([]);
    expect(jwt.count).toBeGreaterThan(700);
  });

  test(`the global object of ${engine} has the language and nothing else`, () => {
    const names = [
      "WeakRef",
      "FinalizationRegistry",
      "Atomics",
      "SharedArrayBuffer",
      "WebAssembly",
      "console",
      "process",
      "require",
    ];
    const others = ["setTimeout", "queueMicrotask", "URL", "Buffer", "global", "structuredClone", "performance", "gc", "ivm"];
    const body = `function populate(jwt) { jwt.found = ${JSON.stringify([...names, ...others])}.filter((name) => name in globalThis); }`;
    expect(changedBy(inRealm(body))).toEqual({ jwt: { found: [] } });
  });

  test(`arguments come by position in ${engine}, fresh each time, and absent ones are undefined`, () => {
    const realm = makeRealm();
    const body = `function populate(...all) { const [jwt, user, context] = all;
      jwt.types = all.map((value) => typeof value); jwt.user = user?.name; jwt.count = all.length; user && (user.name = "changed"); context.a = 1; }`;
    const values = { jwt: { known: true }, context: { deep: [1] } };
    const expected = { jwt: { known: true, types: ["object", "undefined", "object"], count: 3 } };
    expect(changedBy(realm.run(body, { values }))).toEqual(expected);
    expect(changedBy(realm.run(body, { values }))).toEqual(expected);
    const both = realm.run(body, {
      values: { ...values, user: { name: "Ada" } },
      request: { changes: ["user", "jwt", "absent"] },
    });
    expect(changedBy(both)).toEqual({
      user: { name: "changed" },
      jwt: { known: true, types: ["object", "object", "object"], count: 3, user: "Ada" },
    });
    realm.close();
  });

  test(`what counts in ${engine} is the argument, whatever its variable is set to and whatever is returned`, () => {
    const body =
      "function populate(jwt) { const kept = jwt; jwt = { other: 1 }; kept.a = new Date(0); kept.b = undefined; return { c: 1 }; }";
    expect(changedBy(inRealm(body))).toEqual({ jwt: { a: "1970-01-01T00:00:00.000Z" } });
  });

  test(`a body may declare in ${engine} what it is given, and begin for a shell or with a mark`, () => {
    for (const start of [
      "const console = 1, fetch = 2, host = 3;",
      "#!/bin/node\n",
      "\ufeff",
      "var Headers;",
      "function fetch() {}",
    ])
      expect(changedBy(inRealm(`${start}\nfunction populate(jwt) { jwt.a = 1 } // end`))).toEqual({ jwt: { a: 1 } });
    expect(changedBy(inRealm("let populate = (jwt) => { jwt.self = typeof this; }"))).toEqual({ jwt: { self: "undefined" } });
  });

  test(`a body without the function runs nothing else in ${engine}`, () => {
    for (const body of ["", "const populate = 7;", "function Populate() {}", "{ const populate = () => {}; }"])
      expect(failureOf(inRealm(body))).toEqual({ kind: "missingFunction", message: "The body has no function populate." });
  });

  test(`a function that runs later fails in ${engine} at once`, () => {
    for (const body of ["async function populate() {}", "const populate = async () => {};", "function* populate() {}"])
      expect(failureOf(inRealm(body))).toEqual({ kind: "threw", message: expect.stringContaining("make it a plain function") });
    expect(changedBy(inRealm("function populate(jwt) { jwt.a = 1; return Promise.resolve(); }"))).toEqual({ jwt: { a: 1 } });
  });

  test(`the size of a result counts in bytes of UTF-8 in ${engine}`, () => {
    const sizes: [text: string, bytes: number][] = [
      ["a", 1],
      ["é", 2],
      ["€", 3],
      ["😀", 4],
      ["\\\\", 2],
    ];
    for (const [text, bytes] of sizes) {
      const body = `function populate(jwt) { jwt.a = "${text}".repeat(100); }`;
      const resultBytes = '{"jwt":{"a":""}}'.length + bytes * 100;
      expect(inRealm(body, { request: { resultBytes } }).kind).toBe("ok");
      expect(failureOf(inRealm(body, { request: { resultBytes: resultBytes - 1 } }))).toEqual({
        kind: "tooLarge",
        message: `The changed arguments are larger than ${resultBytes - 1} bytes.`,
      });
    }
  });

  test(`a promise that nobody handles does not cost the answer in ${engine}`, () => {
    if (engine !== "an isolate") return; // Elsewhere the process is told of it, not the call.
    const realm = makeRealm();
    for (const late of ["Promise.reject(new Error('x'))", "Promise.resolve().then(() => { throw 1; })"])
      expect(changedBy(realm.run(`function populate(jwt) { jwt.a = 1; ${late}; }`))).toEqual({ jwt: { a: 1 } });
    expect(changedBy(realm.run("function populate(jwt) { jwt.b = 1; }"))).toEqual({ jwt: { b: 1 } });
    realm.close();
  });

  test(`what was written until the clock ran out is kept in ${engine}`, () => {
    if (engine !== "an isolate") return; // Elsewhere a thread is ended with all that it had.
    const realm = makeRealm({ timeout: 100 });
    const endless = "function populate() { console.log('before'); for (;;); }";
    const lines = [{ level: "info", text: "before" }];
    expect(() => realm.run(endless)).toThrow(expect.objectContaining({ message: "Script execution timed out.", console: lines }));
    realm.close();
  });

  test(`a reaction that runs late in ${engine} reaches neither console nor host`, async () => {
    const calls: string[] = [];
    const callHost = (name: string): string => `{"value":${calls.push(name)}}`;
    const realm = makeRealm({ callHost });
    const body = `function populate(jwt) { host.note("now"); console.log("now");
      Promise.resolve().then(() => { console.log("late"); host.note("late"); }).catch(() => {}); }`;
    const first = realm.run(body, { request: { hostNames: ["host.note"] } });
    await new Promise((resolve) => setImmediate(resolve));
    const second = realm.run("function populate() { console.log('second'); }");
    expect([linesOf(first), linesOf(second), calls]).toEqual([["now"], ["second"], ["host.note"]]);
    realm.close();
  });

  test(`a realm of ${engine} that is not frozen survives what a body does to it`, () => {
    const poison = `function populate(jwt) {
      const owners = [Array, String, Object, RegExp, Map, Function, JSON, Reflect], { ownKeys, defineProperty } = Reflect;
      for (let i = 0; i < 8; i++) for (let owner = owners[i].prototype ?? owners[i], keys = ownKeys(owner), k = 0; k < keys.length; k++)
        defineProperty(owner, keys[k], { __proto__: null, get() { throw new Error("poisoned"); } });
      console.log("still %s", { a: 1 }, "there"); jwt.a = 1; jwt.x.y; }`;
    const realm = makeRealm({ isFrozen: false });
    const outcome = realm.run(poison);
    expect(outcome).toMatchObject({ kind: "threw", console: [{ level: "info", text: "still { a: 1 } there" }] });
    realm.close();
  });
});
