/** Calls a function of the host: `{"value":…}`, `{"error":"message"}`, or `{}` where it answers nothing. Never throws. */
export type CallHost = (name: string, argumentsJson: string) => string;

/** What `fetch` takes beside the address. */
interface FetchInit {
  readonly method?: unknown;
  readonly headers?: HeadersInput;
  readonly body?: unknown;
}

/** What `fetch` answers. */
interface FetchResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

type HostFunction = (...values: unknown[]) => unknown;

/**
 * The functions of the host that one call may use, each of which looks synchronous. They end with the call: a reaction of a promise that
 * runs later finds nothing to call. Part of the realm: names nothing outside of itself (realm.ts).
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

  /** Ends all functions of the call. */
  close(): void {
    this.#isOver = true;
  }

  /** The function `fetch`; where the host allows none, one that says so. */
  toFetch(): HostFunction {
    if (this.#allows("fetch")) return (url, init) => this.#fetch(url, init);
    return () => {
      throw new HostFunctions.#Error("fetch is not available here.");
    };
  }

  /** The object `host` with a function for each name that begins so; undefined where there is none. */
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

  /** The object `api` with the records and functions that names such as `api.user.patch` stand for; undefined where there is none. */
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
   * The context with what reads secrets, and with its constants frozen. Neither is enumerable, and therefore in no JSON and in no line of the
   * console. Both are among the `services` too.
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

  // Values as JSON has them: no deeper than a body of the API may be.
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

  // A value thrown on the way, such as a stack overflow, may be an object of the host's own realm.
  #ask(name: string, argumentsJson: string): string {
    if (this.#callHost === undefined || this.#isOver) throw new HostFunctions.#Error(`${name} is not available here.`);
    try {
      return this.#callHost(name, argumentsJson);
    } catch {
      throw new HostFunctions.#Error(`${name} could not be called.`);
    }
  }
}

/** What names and values of headers can be given as. */
type HeadersInput = Iterable<readonly [string, unknown]> | Readonly<Record<string, unknown>> | undefined | null;

/**
 * Header names and values for the function `fetch` of bodies. Names are compared in lower case, values of the same name are joined.
 * Part of the realm: names nothing outside of itself (realm.ts).
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

  /** @throws TypeError for what is no name, or no value, of a header. */
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

  /** The headers as members of an object, as the console and JSON show them. */
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
