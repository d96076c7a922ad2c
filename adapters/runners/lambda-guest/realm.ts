import { type BodyFactory, BodyRunner, FailureReader, type RunnerParts } from "./body-runner.js";
import { ConsoleFormat, ConsoleLines, TextSizes } from "./console.js";
import { type CallHost, Headers, HostFunctions } from "./host-functions.js";
import { Inspector } from "./inspector.js";

export type { RealmRequest } from "./body-runner.js";
export type { CallHost } from "./host-functions.js";

/**
 * Runs a compiled body once: what {@link wrapBody} compiles to, a {@link RealmRequest} as JSON, and the arguments by name as JSON. Never
 * throws. Answers the outcome as JSON without the changed arguments, a line feed and, when its kind is `ok`, those as JSON.
 */
export interface RunInRealm {
  // biome-ignore lint/complexity/noBannedTypes: a function of another realm, of which nothing else is known.
  (factory: Function, requestJson: string, argumentsJson: string): string;
  /**
   * Called with nothing, it answers once more what the last run answered, empty if that run was ended before it could. isolated-vm throws
   * what a promise was rejected with and nobody handled, after the run, in place of the answer.
   */
  (): string;
  /** What the last run wrote to its console, as JSON of an array: for a run that the engine ended. */
  written(): string;
}

/**
 * Installs the realm in the context that it is called in, which no body has touched yet. Without `isFrozen`, a context serves one call:
 * nothing is frozen then. `callHost` is undefined where there is no host to call.
 */
export type InstallRealm = (callHost: CallHost | undefined, isFrozen: boolean) => RunInRealm;

/**
 * Leaves of the global object what the language has, and freezes it with everything that can be reached from it, so that a call finds
 * what every call found. It runs before any body. Part of the realm: names nothing outside of itself (realm.ts).
 */
class RealmFreezer {
  /** What a body may find. Left out: what shares memory or watches the collector, compiles machine code, or belongs to the engine. */
  readonly #globals =
    `Object Function Array Number Boolean String Symbol BigInt Date Promise RegExp Map Set WeakMap WeakSet Proxy Reflect
    Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError InternalError
    Iterator DisposableStack AsyncDisposableStack JSON Math Intl ArrayBuffer DataView
    Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array
    Float16Array Float32Array Float64Array globalThis undefined NaN Infinity isFinite isNaN parseFloat parseInt
    decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval`.split(/\s+/);
  /** Members of prototypes that programs assign on objects below. */
  readonly #assigned = new Set<PropertyKey>(["name", "message", "toString", "toLocaleString", "toJSON", "valueOf"]);

  /** Removes what could carry something from one call to the next and cannot be frozen. */
  remove(): void {
    for (const name of Reflect.ownKeys(globalThis))
      if (typeof name === "string" && !this.#globals.includes(name)) Reflect.deleteProperty(globalThis, name);
    // Their prototypes can only be reached by making one, which loads what most realms never need.
    const { Intl: intl } = globalThis as { readonly Intl?: object };
    for (const name of ["Segmenter", "v8BreakIterator"]) if (intl !== undefined) Reflect.deleteProperty(intl, name);
    // What was matched last: $1 to $9, $&, input and others.
    for (const name of Reflect.ownKeys(RegExp))
      if (/^(\$.|input|last(Match|Paren)|(left|right)Context)$/.test(String(name))) Reflect.deleteProperty(RegExp, name);
  }

  /** Freezes all that can be reached, that which has no name too. */
  freeze(others: readonly object[]): void {
    for (const prototype of this.#prototypes()) this.#makeAssignable(prototype);
    for (const value of this.#reachableFrom([globalThis, ...this.#nameless(), ...others])) Object.freeze(value);
  }

  #prototypes(): object[] {
    const all = Object.getOwnPropertyNames(globalThis).map((name): unknown => Reflect.get(globalThis, name));
    return all.flatMap((value) => (typeof value === "function" && this.#isObject(value.prototype) ? [value.prototype] : []));
  }

  // An object does not get a member of its own by assignment where its prototype has it as a frozen value: as a pair of functions it does.
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

  /** Objects whose prototypes, or the functions of whose members, have no name. */
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

/** The file that compiled bodies must say they are from: failures are placed by it. */
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
 * The text of a script that evaluates to an {@link InstallRealm}. It is made of the sources of functions and classes which name nothing
 * outside of themselves, so it works after any transpiler or bundler.
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
  // A bundler may have given it another name.
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

/** How many lines and columns stand before the body in what {@link wrapBody} answers: the offsets of an engine are 0 minus these. */
export const bodyOffset: { readonly line: number; readonly column: number } = Object.freeze({ line: 1, column: 0 });

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/**
 * The script that makes a fresh closure of a body and answers its function. The body must have been compiled alone before: then it cannot
 * break out. It is in a function of its own, so that it may declare a `console` or a `host` too.
 * @throws TypeError for a function name that is none.
 */
export function wrapBody(body: string, functionName: string): string {
  if (!identifier.test(functionName)) throw new TypeError("That is no name of a function.");
  // The first line of a script may be meant for a shell. Within a function, it must be a comment.
  const inner = body.startsWith("#!") ? `//${body.slice(2)}` : body;
  return `${opening}${inner}\nreturn typeof ${functionName} === "function" ? ${functionName} : undefined;\n})();})`;
}
