/** What names and values of headers can be given as. */
export type HeadersInput = Iterable<readonly [string, unknown]> | Readonly<Record<string, unknown>> | undefined | null;

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
