/** An object being shown, and its enclosing objects. */
interface Trail {
  readonly value: object;
  readonly outer: Trail | undefined;
  readonly depth: number;
}

interface Budget {
  left: number;
}

type Show = (value: object, budget: Budget, trail: Trail) => string;

/**
 * Formats values for the console: to a depth of four, with at most a hundred elements, calling no getter. Uses only functions
 * captured at construction, so no body can change it. Part of the realm (realm.ts).
 */
export class Inspector {
  readonly #maxDepth = 4;
  readonly #maxItems = 100;
  readonly #objectPrototype = Object.prototype;
  readonly #isArray = Array.isArray;
  readonly #ownKeys = Reflect.ownKeys;
  readonly #prototypeOf = Reflect.getPrototypeOf;
  readonly #propertyOf = Reflect.getOwnPropertyDescriptor;
  readonly #startsWith: (text: string, start: string) => boolean = Function.prototype.call.bind(String.prototype.startsWith);
  readonly #sourceOf: (value: object) => string = Function.prototype.call.bind(Function.prototype.toString);
  readonly #slice: (text: string, from: number, to: number) => string = Function.prototype.call.bind(String.prototype.slice);
  readonly #quote: (text: string) => string = JSON.stringify;
  readonly #text = String;
  readonly #isNumber = Number.isFinite;
  readonly #symbolText: (value: symbol) => string = Function.prototype.call.bind(Symbol.prototype.toString);
  readonly #isIdentifier: (pattern: RegExp, text: string) => unknown = Function.prototype.call.bind(RegExp.prototype.exec);
  readonly #identifier = /^[A-Za-z_$][\w$]*$/;
  readonly #isError: (value: object) => boolean;
  readonly #mapSize: (value: object) => number;
  readonly #mapEntries: (value: object) => Iterator<[unknown, unknown]> = Function.prototype.call.bind(Map.prototype.entries);
  readonly #nextEntry: (iterator: object) => IteratorResult<[unknown, unknown]>;
  readonly #setSize: (value: object) => number;
  readonly #setValues: (value: object) => Iterator<unknown> = Function.prototype.call.bind(Set.prototype.values);
  readonly #nextValue: (iterator: object) => IteratorResult<unknown>;
  readonly #timeOf: (value: object) => number = Function.prototype.call.bind(Date.prototype.getTime);
  readonly #isoOf: (value: object) => string = Function.prototype.call.bind(Date.prototype.toISOString);
  readonly #patternOf: (value: object) => string;
  readonly #flagsOf: (value: object) => string;
  readonly #elementTypeOf: (value: object) => string | undefined;
  /** Identifies a built-in object by a property that only its kind has, and formats it. */
  readonly #kinds: readonly (readonly [probe: (value: object) => unknown, show: Show])[];

  constructor() {
    const getter = (owner: object, key: PropertyKey) =>
      Function.prototype.call.bind(Reflect.getOwnPropertyDescriptor(owner, key)?.get ?? (() => undefined));
    const nextOf = (iterator: object) => Function.prototype.call.bind(Reflect.get(iterator, "next"));
    const { isError } = Error as { isError?: (value: unknown) => boolean };
    const tagOf: (value: object) => string = Function.prototype.call.bind(Object.prototype.toString);
    this.#isError = isError ?? ((value) => tagOf(value) === "[object Error]");
    this.#mapSize = getter(Map.prototype, "size");
    this.#nextEntry = nextOf(new Map().entries());
    this.#setSize = getter(Set.prototype, "size");
    this.#nextValue = nextOf(new Set().values());
    this.#patternOf = getter(RegExp.prototype, "source");
    this.#flagsOf = getter(RegExp.prototype, "flags");
    this.#elementTypeOf = getter(Reflect.getPrototypeOf(Uint8Array.prototype) ?? {}, Symbol.toStringTag);
    this.#kinds = [
      [(value) => this.#isArray(value), (value, budget, trail) => this.#showList(value, budget, trail, "")],
      [(value) => this.#isError(value), (value, budget, trail) => this.#showError(value, budget, trail)],
      [(value) => this.#mapSize(value) >= 0, (value, budget, trail) => this.#showMap(value, budget, trail)],
      [(value) => this.#setSize(value) >= 0, (value, budget, trail) => this.#showSet(value, budget, trail)],
      [(value) => this.#timeOf(value) !== undefined, (value) => this.#showDate(value)],
      [(value) => this.#patternOf(value), (value) => `/${this.#patternOf(value)}/${this.#flagsOf(value)}`],
      [(value) => this.#elementTypeOf(value), (value, budget, trail) => this.#showElements(value, budget, trail)],
    ];
  }

  /** A value as text, slightly longer than `maxLength` at most. */
  inspect(value: unknown, maxLength: number): string {
    return this.#show(value, { left: maxLength }, undefined);
  }

  #show(value: unknown, budget: Budget, outer: Trail | undefined): string {
    if (budget.left <= 0) return "…";
    const text = this.#isObject(value) ? this.#showReference(value, budget, outer) : this.#showPrimitive(value, budget);
    budget.left -= text.length;
    return text;
  }

  #isObject(value: unknown): value is object {
    return (typeof value === "object" && value !== null) || typeof value === "function";
  }

  #showPrimitive(value: unknown, budget: Budget): string {
    if (typeof value === "string")
      return value.length > budget.left ? `${this.#quote(this.#slice(value, 0, budget.left))}…` : this.#quote(value);
    if (typeof value === "symbol") return this.#symbolText(value);
    if (typeof value === "bigint") return `${value}n`;
    return value === 0 && 1 / value < 0 ? "-0" : this.#text(value);
  }

  #showReference(value: object, budget: Budget, outer: Trail | undefined): string {
    for (let around = outer; around !== undefined; around = around.outer) if (around.value === value) return "[Circular]";
    const trail: Trail = { value, outer, depth: outer === undefined ? 0 : outer.depth + 1 };
    if (typeof value === "function") return this.#withMembers(this.#showFunction(value), value, budget, trail);
    const prototype = this.#prototypeOf(value);
    const isPlain = prototype === null || (prototype === this.#objectPrototype && !this.#isArray(value));
    if (!isPlain)
      for (let index = 0; index < this.#kinds.length; index += 1) {
        const kind = this.#kinds[index];
        if (kind !== undefined && this.#probe(kind[0], value)) return kind[1](value, budget, trail);
      }
    const name = this.#nameOf(value);
    if (trail.depth > this.#maxDepth) return `[${name || "Object"}]`;
    return `${name === "" ? "" : `${name} `}${this.#braces(this.#members(value, budget, trail))}`;
  }

  // Reading the internal slots of a built-in throws for any other object.
  #probe(probe: (value: object) => unknown, value: object): boolean {
    try {
      const answer = probe(value);
      return answer !== undefined && answer !== false;
    } catch {
      return false;
    }
  }

  /** The name of the nearest class; empty for a plain object. */
  #nameOf(value: object): string {
    let prototype = this.#prototypeOf(value);
    if (prototype === null) return "[Object: null prototype]";
    for (let step = 0; step < this.#maxItems && prototype !== null && prototype !== this.#objectPrototype; step += 1) {
      const maker: unknown = this.#propertyOf(prototype, "constructor")?.value;
      const name = typeof maker === "function" ? this.#propertyOf(maker, "name")?.value : undefined;
      if (typeof name === "string" && name !== "") return this.#slice(name, 0, this.#maxItems);
      prototype = this.#prototypeOf(prototype);
    }
    return "";
  }

  #showFunction(value: object): string {
    const given = this.#propertyOf(value, "name")?.value;
    const name = typeof given === "string" && given !== "" ? this.#slice(given, 0, this.#maxItems) : undefined;
    const kind = this.#startsWith(this.#sourceOf(value), "class") ? "class" : "Function";
    if (name === undefined) return `[${kind} (anonymous)]`;
    return kind === "class" ? `[class ${name}]` : `[Function: ${name}]`;
  }

  #showError(value: object, budget: Budget, trail: Trail): string {
    const { name, message } = value as { name?: unknown; message?: unknown };
    const head = typeof name === "string" && name !== "" ? name : "Error";
    const text = typeof message === "string" && message !== "" ? `${head}: ${message}` : head;
    return this.#withMembers(this.#slice(text, 0, budget.left), value, budget, trail);
  }

  #showDate(value: object): string {
    const time = this.#timeOf(value);
    return this.#isNumber(time) ? this.#isoOf(value) : "Invalid Date";
  }

  #showMap(value: object, budget: Budget, trail: Trail): string {
    const size = this.#mapSize(value);
    if (trail.depth > this.#maxDepth) return "[Map]";
    const entries = this.#mapEntries(value);
    const items = this.#items(size, budget, () => {
      const entry = this.#nextEntry(entries).value as [unknown, unknown];
      return `${this.#show(entry[0], budget, trail)} => ${this.#show(entry[1], budget, trail)}`;
    });
    return `Map(${size}) ${this.#braces(items)}`;
  }

  #showSet(value: object, budget: Budget, trail: Trail): string {
    const size = this.#setSize(value);
    if (trail.depth > this.#maxDepth) return "[Set]";
    const values = this.#setValues(value);
    return `Set(${size}) ${this.#braces(this.#items(size, budget, () => this.#show(this.#nextValue(values).value, budget, trail)))}`;
  }

  #showElements(value: object, budget: Budget, trail: Trail): string {
    const { length } = value as { readonly length: number };
    return this.#showList(value, budget, trail, `${this.#elementTypeOf(value)}(${length}) `);
  }

  // Other members of an array are left out: listing its keys would create a text for every index.
  #showList(value: object, budget: Budget, trail: Trail, head: string): string {
    if (trail.depth > this.#maxDepth) return "[Array]";
    const { length } = value as { readonly length: number };
    const items = this.#items(length, budget, (index) => {
      const property = this.#propertyOf(value, this.#text(index));
      return property === undefined ? "<empty>" : this.#showProperty(property, budget, trail);
    });
    return items === "" ? `${head}[]` : `${head}[ ${items} ]`;
  }

  #items(count: number, budget: Budget, showAt: (index: number) => string): string {
    let text = "";
    for (let index = 0; index < count; index += 1) {
      const separator = index === 0 ? "" : ", ";
      if (index >= this.#maxItems || budget.left <= 0) return `${text}${separator}… ${count - index} more`;
      text += separator + showAt(index);
    }
    return text;
  }

  #members(value: object, budget: Budget, trail: Trail): string {
    const keys = this.#ownKeys(value);
    let text = "";
    for (let index = 0, shown = 0; index < keys.length; index += 1) {
      const key = keys[index] as PropertyKey;
      const property = this.#propertyOf(value, key);
      if (property === undefined || !property.enumerable) continue;
      const separator = shown === 0 ? "" : ", ";
      if (shown >= this.#maxItems || budget.left <= 0) return `${text}${separator}… ${keys.length - index} more`;
      text += `${separator}${this.#showKey(key, budget)}: ${this.#showProperty(property, budget, trail)}`;
      shown += 1;
    }
    return text;
  }

  #showKey(key: PropertyKey, budget: Budget): string {
    if (typeof key === "symbol") return `[${this.#symbolText(key)}]`;
    const text = this.#text(key);
    const name = text.length < budget.left && this.#isIdentifier(this.#identifier, text) !== null ? text : undefined;
    budget.left -= name?.length ?? 0;
    return name ?? this.#show(text, budget, undefined);
  }

  #showProperty(property: PropertyDescriptor, budget: Budget, trail: Trail): string {
    if (property.get !== undefined) return property.set === undefined ? "[Getter]" : "[Getter/Setter]";
    return property.set === undefined ? this.#show(property.value, budget, trail) : "[Setter]";
  }

  #withMembers(head: string, value: object, budget: Budget, trail: Trail): string {
    const members = trail.depth > this.#maxDepth ? "" : this.#members(value, budget, trail);
    return members === "" ? head : `${head} ${this.#braces(members)}`;
  }

  #braces(items: string): string {
    return items === "" ? "{}" : `{ ${items} }`;
  }
}
