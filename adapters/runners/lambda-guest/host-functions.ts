/** Calls a host function: returns `{"value":…}`, `{"error":"message"}`, or `{}` for undefined. Never throws. */
export type CallHost = (name: string, argumentsJson: string) => string;

interface FetchInit {
  readonly method?: unknown;
  readonly headers?: HeadersInput;
  readonly body?: unknown;
}

interface FetchResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

type HostFunction = (...values: unknown[]) => unknown;

/**
 * The host functions of one call; each looks synchronous. They end with the call, so later promise reactions cannot use them.
 * Part of the realm (realm.ts).
 */
export class HostFunctions {
  readonly #callHost: CallHost | undefined;
  readonly #names: readonly string[];
  readonly #maxLength: number;
  readonly #Headers: typeof Headers;
  static readonly #parse: (text: string) => unknown = JSON.parse;
  static readonly #stringify: (value: unknown) => string = JSON.stringify;
  static readonly #hasOwn = Object.hasOwn;
  static readonly #keys = Object.keys;
  static readonly #define = Reflect.defineProperty;
  static readonly #freezeObject = Object.freeze;
  static readonly #text = String;
  static readonly #find: (text: string, wanted: string, from: number) => number = Function.prototype.call.bind(
    String.prototype.indexOf,
  );
  static readonly #slice: (text: string, from: number, to?: number) => string = Function.prototype.call.bind(
    String.prototype.slice,
  );
  static readonly #startsWith: (text: string, start: string) => boolean = Function.prototype.call.bind(
    String.prototype.startsWith,
  );
  static readonly #toLowerCase: (text: string) => string = Function.prototype.call.bind(String.prototype.toLowerCase);
  static readonly #Error = Error;
  static readonly #TypeError = TypeError;
  #isOver = false;

  constructor(callHost: CallHost | undefined, names: readonly string[], maxLength: number, headers: typeof Headers) {
    this.#callHost = callHost;
    this.#names = names;
    this.#maxLength = maxLength;
    this.#Headers = headers;
  }

  close(): void {
    this.#isOver = true;
  }

  /** Returns `fetch`; where the host does not allow it, a function that throws. */
  toFetch(): HostFunction {
    if (this.#allows("fetch")) return (url, init) => this.#fetch(url, init);
    return () => {
      throw new HostFunctions.#Error("fetch is not available here.");
    };
  }

  /** Returns the object `host`, with a function for each name with that prefix; undefined without one. */
  toHost(): Readonly<Record<string, HostFunction>> | undefined {
    let host: Record<string, HostFunction> | undefined;
    for (let index = 0; index < this.#names.length; index += 1) {
      const name = this.#names[index] ?? "";
      if (!HostFunctions.#startsWith(name, "host.")) continue;
      host ??= {};
      HostFunctions.#define(
        host,
        HostFunctions.#slice(name, 5),
        this.#member((...values: unknown[]) => this.#call(name, values), true),
      );
    }
    return host;
  }

  /** Returns the object `api`, with the records and functions of names such as `api.user.patch`; undefined without one. */
  toApi(): Readonly<Record<string, object>> | undefined {
    let api: Record<string, object> | undefined;
    for (let index = 0; index < this.#names.length; index += 1) {
      const name = this.#names[index] ?? "";
      if (!HostFunctions.#startsWith(name, "api.")) continue;
      const dot = HostFunctions.#find(name, ".", 4);
      const record = HostFunctions.#slice(name, 4, dot);
      api ??= {};
      if (!HostFunctions.#hasOwn(api, record)) HostFunctions.#define(api, record, this.#member({}, true));
      const call = this.#member((...values: unknown[]) => this.#call(name, values), true);
      HostFunctions.#define(api[record] ?? {}, HostFunctions.#slice(name, dot + 1), call);
    }
    return api;
  }

  /**
   * Adds secrets and frozen constants to the context. Neither is enumerable, so both stay out of JSON and of the console. Both
   * are also in `services`.
   */
  toContext(given: unknown): unknown {
    const hasConstants = this.#isObject(given) && HostFunctions.#hasOwn(given, "constants");
    const hasSecrets = this.#allows("secrets.get");
    if (!hasConstants && !hasSecrets) return given;
    const context = this.#isObject(given) ? given : {};
    const known = HostFunctions.#hasOwn(context, "services") ? (context as { readonly services: unknown }).services : undefined;
    const services = this.#isObject(known) ? known : {};
    if (hasConstants) {
      const constants = this.#freeze((given as { readonly constants: unknown }).constants);
      HostFunctions.#define(context, "constants", this.#member(constants, false));
      HostFunctions.#define(services, "constants", this.#member(constants, false));
    }
    if (hasSecrets) {
      const secrets = { get: (name: unknown) => this.#call("secrets.get", [HostFunctions.#text(name)]) };
      HostFunctions.#define(context, "secrets", this.#member(secrets, false));
      HostFunctions.#define(services, "secrets", this.#member(secrets, false));
    }
    if (services !== known) HostFunctions.#define(context, "services", this.#member(services, false));
    return context;
  }

  // Values from JSON, nested no deeper than a request body of the API may be.
  #freeze(value: unknown): unknown {
    if (!this.#isObject(value)) return value;
    const names = HostFunctions.#keys(value);
    for (let index = 0; index < names.length; index += 1)
      this.#freeze((value as Readonly<Record<string, unknown>>)[names[index] ?? ""]);
    return HostFunctions.#freezeObject(value);
  }

  #isObject(value: unknown): value is object {
    return typeof value === "object" && value !== null;
  }

  #member(value: unknown, enumerable: boolean): PropertyDescriptor {
    return { __proto__: null, value, enumerable, writable: true, configurable: true } as PropertyDescriptor;
  }

  #allows(name: string): boolean {
    for (let index = 0; index < this.#names.length; index += 1) if (this.#names[index] === name) return true;
    return false;
  }

  #fetch(url: unknown, init: unknown): FetchResponse {
    const { method = "GET", headers, body } = (init ?? {}) as FetchInit;
    if (body !== undefined && body !== null && typeof body !== "string")
      throw new HostFunctions.#TypeError("The body of fetch must be a string: use JSON.stringify for objects.");
    const request = {
      method: HostFunctions.#text(method),
      headers: new this.#Headers(headers).toJSON(),
      ...(typeof body === "string" && { body }),
    };
    const response = this.#call("fetch", [HostFunctions.#text(url), request]);
    if (!this.#isObject(response)) throw new HostFunctions.#Error("fetch has no answer.");
    return this.#withLowerCaseHeaders(response as FetchResponse);
  }

  #withLowerCaseHeaders(response: FetchResponse): FetchResponse {
    const headers: Record<string, unknown> = {};
    const given = HostFunctions.#hasOwn(response, "headers") ? response.headers : {};
    const names = HostFunctions.#keys(given);
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index] ?? "";
      HostFunctions.#define(headers, HostFunctions.#toLowerCase(name), this.#member(given[name], true));
    }
    return { status: response.status, headers, body: response.body };
  }

  #call(name: string, values: readonly unknown[]): unknown {
    const argumentsJson = HostFunctions.#stringify(values);
    if (argumentsJson.length > this.#maxLength) throw new HostFunctions.#Error(`The arguments of ${name} are too large.`);
    const answer = HostFunctions.#parse(this.#ask(name, argumentsJson)) as { readonly value?: unknown; readonly error?: string };
    if (HostFunctions.#hasOwn(answer, "error")) throw new HostFunctions.#Error(answer.error);
    return HostFunctions.#hasOwn(answer, "value") ? answer.value : undefined;
  }

  // An error on the way, such as a stack overflow, may be an object of the host's own realm.
  #ask(name: string, argumentsJson: string): string {
    if (this.#callHost === undefined || this.#isOver) throw new HostFunctions.#Error(`${name} is not available here.`);
    try {
      return this.#callHost(name, argumentsJson);
    } catch {
      throw new HostFunctions.#Error(`${name} could not be called.`);
    }
  }
}

/** Header names and values, as `Headers` accepts them. */
type HeadersInput = Iterable<readonly [string, unknown]> | Readonly<Record<string, unknown>> | undefined | null;

/**
 * Header names and values for `fetch` in bodies. Names are compared in lower case; values of the same name are joined. Part of
 * the realm (realm.ts).
 */
export class Headers {
  static readonly #matches: (pattern: RegExp, text: string) => boolean = Function.prototype.call.bind(RegExp.prototype.exec);
  static readonly #toLowerCase: (text: string) => string = Function.prototype.call.bind(String.prototype.toLowerCase);
  static readonly #trim: (text: string) => string = Function.prototype.call.bind(String.prototype.trim);
  static readonly #sort: (list: string[]) => string[] = Function.prototype.call.bind(Array.prototype.sort);
  static readonly #keys: (value: object) => string[] = Object.keys;
  static readonly #without: (value: object, key: string) => boolean = Reflect.deleteProperty;
  static readonly #text = String;
  static readonly #TypeError = TypeError;
  static readonly #name = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
  static readonly #value = /^[\t\x20-\x7e\x80-\xff]*$/;
  readonly #values: Record<string, string> = { __proto__: null } as never;

  /** @throws TypeError for an invalid header name or value. */
  constructor(init?: HeadersInput) {
    if (init === undefined || init === null) return;
    if (typeof init !== "object") throw new Headers.#TypeError("Headers are made of an object or of pairs.");
    if (Symbol.iterator in init) for (const pair of init as Iterable<readonly [string, unknown]>) this.append(pair[0], pair[1]);
    else this.#appendMembers(init);
  }

  append(name: string, value: unknown): void {
    const key = Headers.#toName(name);
    const text = Headers.#toValue(value);
    const known = this.#values[key];
    this.#values[key] = known === undefined ? text : `${known}, ${text}`;
  }

  set(name: string, value: unknown): void {
    this.#values[Headers.#toName(name)] = Headers.#toValue(value);
  }

  get(name: string): string | null {
    return this.#values[Headers.#toName(name)] ?? null;
  }

  has(name: string): boolean {
    return this.#values[Headers.#toName(name)] !== undefined;
  }

  delete(name: string): void {
    Headers.#without(this.#values, Headers.#toName(name));
  }

  forEach(visit: (value: string, name: string, headers: this) => void): void {
    for (const [name, value] of this.entries()) visit(value, name, this);
  }

  *entries(): Generator<[string, string]> {
    const names = Headers.#sort(Headers.#keys(this.#values));
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index] ?? "";
      const value = this.#values[name];
      if (value !== undefined) yield [name, value];
    }
  }

  *keys(): Generator<string> {
    for (const [name] of this.entries()) yield name;
  }

  *values(): Generator<string> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries();
  }

  /** The headers as members of an object, for the console and JSON. */
  toJSON(): Record<string, string> {
    return { ...this.#values };
  }

  #appendMembers(members: object): void {
    const names = Headers.#keys(members);
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index] ?? "";
      this.append(name, (members as Record<string, unknown>)[name]);
    }
  }

  static #toName(name: unknown): string {
    const text = Headers.#text(name);
    if (!Headers.#matches(Headers.#name, text)) throw new Headers.#TypeError("That is no name of a header.");
    return Headers.#toLowerCase(text);
  }

  static #toValue(value: unknown): string {
    const text = Headers.#trim(Headers.#text(value));
    if (!Headers.#matches(Headers.#value, text)) throw new Headers.#TypeError("That is no value of a header.");
    return text;
  }
}
