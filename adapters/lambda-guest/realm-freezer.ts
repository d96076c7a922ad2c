/**
 * Leaves of the global object what the language has, and freezes it with everything that can be reached from it, so that a call finds
 * what every call found. It runs before any body. Part of the realm: names nothing outside of itself (realm.ts).
 */
export class RealmFreezer {
  /** What a body may find. Left out: what shares memory or watches the collector, compiles machine code, or belongs to the engine. */
  readonly #globals =
    `Object Function Array Number Boolean String Symbol BigInt Date Promise RegExp Map Set WeakMap WeakSet Proxy Reflect
    Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError
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
    for (const name of ["Segmenter", "v8BreakIterator"]) Reflect.deleteProperty(Intl, name);
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
    const { Iterator } = globalThis as { readonly Iterator?: { from(value: object): unknown } };
    const values: object & { readonly map?: (mapping: (value: unknown) => unknown) => unknown } = [].values();
    return Iterator === undefined ? [] : [values.map?.(String), Iterator.from({ next: () => ({ done: true, value: 0 }) })];
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
