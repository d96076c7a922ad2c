// The realm of QuickJS in this process; test/adapters/quickjs.ci.test.ts sees its runner from outside.
import { newQuickJSWASMModuleFromVariant } from "quickjs-emscripten-core";
import { expect, test } from "vitest";
import { bodyFileName, bodyOffset, realmSource, wrapBody } from "../../adapters/runners/lambda-guest/realm.js";
import { describe as describeFault, memoryFault, stackFault, toFault } from "../../adapters/runners/quickjs/engine-fault.js";
import { QuickJsRealm } from "../../adapters/runners/quickjs/quickjs-realm.js";

const heapMebibytes = 16;
const openEngine = () => newQuickJSWASMModuleFromVariant(import("@jitl/quickjs-wasmfile-release-sync"));

async function openRealm(): Promise<QuickJsRealm> {
  const instance = await openEngine();
  const settings = { hasContextPerCall: false, realms: 1, bodyFileName, bodyOffset };
  return new QuickJsRealm({ instance, heapMebibytes, realmSource, settings, callHost: () => "{}" });
}

const names = { functionName: "populate", parameters: ["jwt"], changes: ["jwt"], hostNames: [] };
const requestJson = JSON.stringify({ ...names, resultBytes: 999, consoleBytes: 999 });

/** The outcome of a body: the answer of its realm, or the fault of the engine. */
function outcomeOf(realm: QuickJsRealm, body: string): unknown {
  const header = { realm: "", heapMebibytes, wallClockMilliseconds: 60_000, requestJson };
  try {
    const answer = realm.compile({ ...header, body, wrapped: wrapBody(body, "populate") }).run('{"jwt":{}}', false);
    return JSON.parse(answer.split("\n")[0] ?? "").kind;
  } catch (error) {
    return describeFault(error);
  }
}

// The stack of this process is smaller than that of a guest, so the engine overflows it before its own.
test.each([
  ["runs", `function populate() { eval("(".repeat(1e5)); }`],
  ["is compiled", "(".repeat(1e5)],
])("after a trap where a script %s, the realm is of no use", async (_, body) => {
  const realm = await openRealm();
  expect([outcomeOf(realm, "function populate() {}"), realm.isGone()]).toEqual(["ok", false]);
  expect([outcomeOf(realm, body), realm.isGone()]).toEqual([stackFault, true]);
});

test("a script that fails leaves its realm to others", async () => {
  const realm = await openRealm();
  const syntax = { kind: "syntax", message: expect.stringContaining("unexpected token"), line: 2, column: 3 };
  expect([outcomeOf(realm, "function populate() {\n  )\n}"), realm.isGone()]).toEqual([syntax, false]);
  expect([outcomeOf(realm, "function populate() { throw 1; }"), realm.isGone()]).toEqual(["threw", false]);
  expect([outcomeOf(realm, "function populate() {}"), realm.isGone()]).toEqual(["ok", false]);
});

test("a fault is read from texts alone, and no code of the thrown value runs", async () => {
  const context = (await openEngine()).newContext();
  const faultOf = (thrown: string): unknown => {
    const { error } = context.evalCode(`throw ${thrown}`);
    return error && toFault(context, error, 0).failure;
  };
  expect(faultOf("new TypeError('own')")).toEqual({ kind: "crashed", message: "own" });
  for (const thrown of ["null", "1", "{}", "{ message: { toString() { globalThis.hasRun = true; return 'own'; } } }"])
    expect([thrown, faultOf(thrown)]).toEqual([thrown, memoryFault]);
  expect(context.evalCode("globalThis.hasRun").unwrap().consume(context.dump)).toBeUndefined();
  context.dispose();
});
