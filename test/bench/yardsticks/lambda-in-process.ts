/** What a run of a lambda costs in this process, by hand: nothing here survives a hostile body. */
import ivm from "isolated-vm";
import { newQuickJSWASMModuleFromVariant } from "quickjs-emscripten-core";
import { argumentsJson, body, changes, functionName, parameters } from "../harness/lambda-fixture.ts";

/** Runs the lambda of the fixture once and answers the changed arguments as JSON. */
export interface InProcess {
  readonly run: () => string | Promise<string>;
  readonly close: () => void;
}

const names = JSON.stringify(parameters);

/** One call: fresh arguments, a fresh closure, the result as text. */
const callSource = `(factory, argumentsJson) => {
  const given = JSON.parse(argumentsJson);
  factory()(...${names}.map((name) => given[name]));
  return JSON.stringify({ ${changes.map((name) => `${name}: given.${name}`).join(", ")} });
}`;
const factorySource = `(() => { "use strict"; ${body}\n return ${functionName}; })`;

/** Everything that scripts reach by names is frozen, which is what the limit has to pay. */
const freezeSource = `for (const name of Object.getOwnPropertyNames(globalThis)) {
  const value = globalThis[name];
  if (typeof value === "function" || (typeof value === "object" && value !== null)) {
    if (typeof value === "function" && value.prototype) Object.freeze(value.prototype);
    if (value !== globalThis) Object.freeze(value);
  }
}`;

const openFrozen = (): { isolate: ivm.Isolate; call: ivm.Reference } => {
  const isolate = new ivm.Isolate({ memoryLimit: 32 });
  const context = isolate.createContextSync();
  context.evalSync(freezeSource);
  const call = context.evalSync(
    `{ const call = ${callSource}; const factory = ${factorySource}; (text) => call(factory, text); }`,
    {
      reference: true,
    },
  );
  return { isolate, call };
};

/** A frozen realm and a fresh closure per call, one call after the other. */
export const createFrozen = (): InProcess => {
  const { isolate, call } = openFrozen();
  return { run: () => call.applySync(undefined, [argumentsJson], { timeout: 1_000 }) as string, close: () => isolate.dispose() };
};

/** The same, on the isolate's own thread. */
export const createFrozenAsync = (): InProcess => {
  const { isolate, call } = openFrozen();
  return {
    run: () => call.apply(undefined, [argumentsJson], { timeout: 1_000 }) as Promise<string>,
    close: () => isolate.dispose(),
  };
};

/** A new context of one isolate for each call. */
export const createContextPerCall = (): InProcess => {
  const isolate = new ivm.Isolate({ memoryLimit: 128 });
  const script = isolate.compileScriptSync(
    `{ const call = ${callSource}; const factory = ${factorySource}; (text) => call(factory, text); }`,
  );
  const run = (): string => {
    const context = isolate.createContextSync();
    const call = script.runSync(context, { reference: true });
    const result = call.applySync(undefined, [argumentsJson], { timeout: 1_000 }) as string;
    call.release();
    context.release();
    return result;
  };
  return { run, close: () => isolate.dispose() };
};

/** A new runtime of QuickJS for each call. */
export const createQuickjs = async (): Promise<InProcess> => {
  const quickjs = await newQuickJSWASMModuleFromVariant(import("@jitl/quickjs-wasmfile-release-sync"));
  const run = (): string => {
    const runtime = quickjs.newRuntime();
    runtime.setMemoryLimit(32 * 1_048_576);
    const context = runtime.newContext();
    const source = `(${callSource})(${factorySource}, ${JSON.stringify(argumentsJson)})`;
    const handle = context.unwrapResult(context.evalCode(source));
    const result = context.getString(handle);
    handle.dispose();
    context.dispose();
    runtime.dispose();
    return result;
  };
  return { run, close: () => undefined };
};
