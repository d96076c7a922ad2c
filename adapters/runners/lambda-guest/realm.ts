import { type BodyFactory, BodyRunner, FailureReader, type RunnerParts } from "./body-runner.js";
import { ConsoleFormat, ConsoleLines, TextSizes } from "./console.js";
import { type CallHost, Headers, HostFunctions } from "./host-functions.js";
import { Inspector } from "./inspector.js";

export type { RealmRequest } from "./body-runner.js";
export type { CallHost } from "./host-functions.js";

/**
 * Runs a compiled body once. Takes the result of the script from {@link wrapBody}, a {@link RealmRequest} as JSON, and the
 * arguments by name as JSON. Returns the outcome as JSON without the changed arguments, a line feed and, for `ok`, those as JSON.
 * Never throws.
 */
export interface RunInRealm {
  // biome-ignore lint/complexity/noBannedTypes: a function of another realm, of which nothing else is known.
  (factory: Function, requestJson: string, argumentsJson: string): string;
  /**
   * Without arguments, returns the answer of the last run again; empty if the run was ended before. After a run, isolated-vm
   * throws the reason of an unhandled rejection instead of returning the answer.
   */
  (): string;
  /** The console output of the last run, as a JSON array: for a run that the engine ended. */
  written(): string;
}

/**
 * Installs the realm in the context that calls it, before any body runs there. Without `isFrozen`, nothing is frozen, because the
 * context serves one call only. `callHost` is undefined without host functions.
 */
export type InstallRealm = (callHost: CallHost | undefined, isFrozen: boolean) => RunInRealm;

/**
 * Reduces the global object to the language and freezes everything reachable from it, so that each call finds the same state.
 * Runs before any body. Part of the realm, so it refers to nothing outside of itself.
 */
class RealmFreezer {
  /** The globals of a body. Left out: shared memory, observers of the collector, machine code, and extras of the engine. */
  readonly #globals =
    `Object Function Array Number Boolean String Symbol BigInt Date Promise RegExp Map Set WeakMap WeakSet Proxy Reflect
    Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError InternalError
    Iterator DisposableStack AsyncDisposableStack JSON Math Intl ArrayBuffer DataView
    Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array
    Float16Array Float32Array Float64Array globalThis undefined NaN Infinity isFinite isNaN parseFloat parseInt
    decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval`.split(/\s+/);
  /** Members of prototypes that programs usually assign on objects. */
  readonly #assigned = new Set<PropertyKey>(["name", "message", "toString", "toLocaleString", "toJSON", "valueOf"]);

  /** Removes state that survives a call and cannot be frozen. */
  remove(): void {
    for (const name of Reflect.ownKeys(globalThis))
      if (typeof name === "string" && !this.#globals.includes(name)) Reflect.deleteProperty(globalThis, name);
    // Reaching their prototypes needs an instance, which loads data that most realms never need.
    const { Intl: intl } = globalThis as { readonly Intl?: object };
    for (const name of ["Segmenter", "v8BreakIterator"]) if (intl !== undefined) Reflect.deleteProperty(intl, name);
    // The state of the last match: $1 to $9, $&, input and others.
    for (const name of Reflect.ownKeys(RegExp))
      if (/^(\$.|input|last(Match|Paren)|(left|right)Context)$/.test(String(name))) Reflect.deleteProperty(RegExp, name);
  }

  /** Freezes all reachable objects, including unnamed ones. */
  freeze(others: readonly object[]): void {
    for (const prototype of this.#prototypes()) this.#makeAssignable(prototype);
    for (const value of this.#reachableFrom([globalThis, ...this.#nameless(), ...others])) Object.freeze(value);
  }

  #prototypes(): object[] {
    const all = Object.getOwnPropertyNames(globalThis).map((name): unknown => Reflect.get(globalThis, name));
    return all.flatMap((value) => (typeof value === "function" && this.#isObject(value.prototype) ? [value.prototype] : []));
  }

  // Assignment cannot shadow a frozen value of a prototype, but it can use an accessor.
  #makeAssignable(prototype: object): void {
    const isOfErrors = prototype === Error.prototype || prototype instanceof Error;
    for (const key of Reflect.ownKeys(prototype)) {
      const property = Reflect.getOwnPropertyDescriptor(prototype, key);
      const isAssigned = prototype === Object.prototype || this.#assigned.has(key) || (isOfErrors && key === "constructor");
      if (property !== undefined && "value" in property && isAssigned) this.#makeAccessor(prototype, key, property.value);
    }
  }

  #makeAccessor(prototype: object, key: PropertyKey, value: unknown): void {
    const { defineProperty } = Reflect;
    const Refused = TypeError;
    const accessor = {
      get: () => value,
      set(this: unknown, assigned: unknown): void {
        const own = { __proto__: null, value: assigned, writable: true, enumerable: true, configurable: true };
        if (this === prototype || !defineProperty(this as object, key, own))
          throw new Refused(`Cannot assign to read only property '${String(key)}'`);
      },
    };
    Reflect.defineProperty(prototype, key, { ...accessor, enumerable: false, configurable: false });
  }

  /** Objects with prototypes, or member functions, that no global name reaches. */
  #nameless(): unknown[] {
    const generator = function* () {};
    const asyncGenerator = async function* () {};
    const made: unknown[] = [generator, generator(), asyncGenerator, asyncGenerator(), async () => {}, this.#strictArguments()];
    made.push([].values(), new Map().entries(), new Set().values(), ""[Symbol.iterator](), "".matchAll(/a/g));
    made.push(new Error("for its stack"), this.#callSite());
    return [...made, ...this.#iteratorHelpers()];
  }

  // Older engines have none.
  #iteratorHelpers(): unknown[] {
    const { Iterator } = globalThis as {
      readonly Iterator?: { from(value: object): unknown; concat?(...values: object[]): unknown };
    };
    const values: object & { readonly map?: (mapping: (value: unknown) => unknown) => unknown } = [].values();
    if (Iterator === undefined) return [];
    return [values.map?.(String), Iterator.concat?.([]), Iterator.from({ next: () => ({ done: true, value: 0 }) })];
  }

  #strictArguments(this: unknown, ..._values: unknown[]): unknown {
    // biome-ignore lint/complexity/noArguments: the object itself is wanted, for the function that its member callee throws with.
    return arguments;
  }

  #callSite(): unknown {
    const known = Reflect.getOwnPropertyDescriptor(Error, "prepareStackTrace");
    Reflect.set(Error, "prepareStackTrace", (_error: unknown, sites: readonly unknown[]) => sites[0]);
    const { stack } = new Error();
    if (known === undefined) Reflect.deleteProperty(Error, "prepareStackTrace");
    else Reflect.defineProperty(Error, "prepareStackTrace", known);
    return stack;
  }

  #reachableFrom(roots: readonly unknown[]): Set<object> {
    const found = new Set<object>();
    const waiting = [...roots];
    while (waiting.length > 0) {
      const value = waiting.pop();
      if (!this.#isObject(value) || found.has(value)) continue;
      found.add(value);
      waiting.push(Reflect.getPrototypeOf(value));
      for (const key of Reflect.ownKeys(value)) {
        const property = Reflect.getOwnPropertyDescriptor(value, key);
        waiting.push(property?.value, property?.get, property?.set);
      }
    }
    return found;
  }

  #isObject(value: unknown): value is object {
    return (typeof value === "object" && value !== null) || typeof value === "function";
  }
}

/** The file name of compiled bodies: stack frames with it give the position of a failure. */
export const bodyFileName = "lambda.js";

const parts = {
  BodyRunner,
  ConsoleFormat,
  ConsoleLines,
  FailureReader,
  Headers,
  HostFunctions,
  Inspector,
  RealmFreezer,
  TextSizes,
};

/**
 * The text of a script that evaluates to an {@link InstallRealm}. It consists of the sources of functions and classes that refer
 * to nothing outside of themselves, so it works after any transpiler or bundler.
 */
export const realmSource: string = `(callHost, isFrozen) => {
"use strict";
const parts = {
${Object.entries(parts)
  .map(([name, part]) => `${name}: ${part}`)
  .join(",\n")}
};
return (${installRealm})(parts, ${JSON.stringify(bodyFileName)}, callHost, isFrozen);
}`;

function installRealm(
  { BodyRunner, ConsoleFormat, FailureReader, Inspector, RealmFreezer, TextSizes, ...ofEachCall }: typeof parts,
  fileName: string,
  callHost: CallHost | undefined,
  isFrozen: boolean,
): unknown {
  // A bundler may have renamed the class.
  Object.defineProperty(ofEachCall.Headers, "name", { value: "Headers" });
  const inspector = new Inspector();
  const runnerParts: RunnerParts = {
    ...ofEachCall,
    format: new ConsoleFormat(inspector),
    failures: new FailureReader(inspector, fileName),
    sizes: new TextSizes(),
  };
  const runner = new BodyRunner(runnerParts, callHost);
  const freezer = new RealmFreezer();
  freezer.remove();
  if (isFrozen) freezer.freeze([ofEachCall.Headers]);
  const run = (factory?: BodyFactory, requestJson = "", argumentsJson = ""): string =>
    factory === undefined ? runner.answerAgain() : runner.run(factory, requestJson, argumentsJson);
  return Object.assign(run, { written: () => runner.written() });
}

const opening = '(function (console, fetch, Headers, host, api) {"use strict";return (function () {\n';

/** Lines and columns before the body in the script of {@link wrapBody}: the offsets of an engine are 0 minus these. */
export const bodyOffset: { readonly line: number; readonly column: number } = Object.freeze({ line: 1, column: 0 });

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/**
 * Returns a script that creates a fresh closure of a body and returns its function. Compile the body alone before, so that it
 * cannot break out. It gets its own function scope, so it may declare a `console` or a `host`.
 * @throws TypeError for an invalid function name.
 */
export function wrapBody(body: string, functionName: string): string {
  if (!identifier.test(functionName)) throw new TypeError("That is no name of a function.");
  // A hashbang line is invalid inside a function: turn it into a comment.
  const inner = body.startsWith("#!") ? `//${body.slice(2)}` : body;
  return `${opening}${inner}\nreturn typeof ${functionName} === "function" ? ${functionName} : undefined;\n})();})`;
}
