import type { Inspector } from "./inspector.js";

type Placeholder = (value: unknown, maxLength: number) => string;

/** Makes one text of what is given to the console, with the placeholders that Node's `util.format` documents. Part of the realm (realm.ts). */
export class ConsoleFormat {
  readonly #inspector: Inspector;
  readonly #slice: (text: string, from: number, to?: number) => string = Function.prototype.call.bind(String.prototype.slice);
  readonly #find: (text: string, wanted: string, from: number) => number = Function.prototype.call.bind(String.prototype.indexOf);
  readonly #sourceOf: (value: unknown) => string = Function.prototype.call.bind(Function.prototype.toString);
  readonly #text = String;
  readonly #number = Number;
  readonly #toInteger = Number.parseInt;
  readonly #toFloat = Number.parseFloat;
  readonly #stringify = JSON.stringify;
  readonly #placeholders: Readonly<Record<string, Placeholder>>;

  constructor(inspector: Inspector) {
    this.#inspector = inspector;
    this.#placeholders = Object.assign(Object.create(null), {
      s: (value: unknown, maxLength: number) => this.#asString(value, maxLength),
      d: (value: unknown) => this.#asNumber(value, this.#number),
      i: (value: unknown) => this.#asNumber(value, this.#toInteger),
      f: (value: unknown) => this.#asNumber(value, this.#toFloat),
      j: (value: unknown, maxLength: number) => this.#asJson(value, maxLength),
      o: (value: unknown, maxLength: number) => this.#show(value, maxLength),
      O: (value: unknown, maxLength: number) => this.#show(value, maxLength),
      c: () => "",
    });
  }

  /** The line that arguments of the console make, which is little longer than the maximum of characters. */
  format(values: readonly unknown[], maxLength: number): string {
    const first = values[0];
    if (typeof first !== "string") return this.#join("", values, 0, maxLength);
    if (values.length === 1) return this.#slice(first, 0, maxLength);
    return this.#fill(first, values, maxLength);
  }

  #fill(template: string, values: readonly unknown[], maxLength: number): string {
    let text = "";
    let from = 0;
    let used = 1;
    for (let at = this.#find(template, "%", 0); at >= 0 && text.length < maxLength; at = this.#find(template, "%", at)) {
      const letter = this.#slice(template, at + 1, at + 2);
      const placeholder = used < values.length ? this.#placeholders[letter] : undefined;
      at += 2;
      if (letter !== "%" && placeholder === undefined) continue;
      text += this.#slice(template, from, at - 2) + (placeholder?.(values[used], maxLength - text.length) ?? "%");
      if (placeholder !== undefined) used += 1;
      from = at;
    }
    return this.#join(text + this.#slice(template, from, from + maxLength), values, used, maxLength);
  }

  #join(head: string, values: readonly unknown[], from: number, maxLength: number): string {
    let text = head;
    for (let index = from; index < values.length && text.length < maxLength; index += 1) {
      const value = values[index];
      const left = maxLength - text.length;
      text += `${index === 0 ? "" : " "}${typeof value === "string" ? this.#slice(value, 0, left) : this.#show(value, left)}`;
    }
    return text;
  }

  // Looking at a Proxy, or at the name of an error, may run what the body wrote.
  #show(value: unknown, maxLength: number): string {
    try {
      return this.#inspector.inspect(value, maxLength > 0 ? maxLength : 1);
    } catch {
      return "[cannot be shown]";
    }
  }

  // An object that says itself how it is written is heard, others are shown.
  #asString(value: unknown, maxLength: number): string {
    if (typeof value === "string") return this.#slice(value, 0, maxLength);
    if (typeof value !== "object" || value === null) return this.#show(value, maxLength);
    try {
      const speaks = this.#isWrittenByBody(value, "toString") || this.#isWrittenByBody(value, Symbol.toPrimitive);
      return speaks ? this.#slice(this.#text(value), 0, maxLength) : this.#show(value, maxLength);
    } catch {
      return this.#show(value, maxLength);
    }
  }

  #isWrittenByBody(value: object, key: PropertyKey): boolean {
    const method: unknown = (value as Record<PropertyKey, unknown>)[key];
    return typeof method === "function" && this.#find(this.#sourceOf(method), "[native code]", 0) < 0;
  }

  #asNumber(value: unknown, convert: (value: string) => number): string {
    if (typeof value === "bigint") return this.#show(value, 1);
    if (typeof value === "symbol") return "NaN";
    try {
      return this.#show(convert(value as string), 1);
    } catch {
      return "NaN";
    }
  }

  #asJson(value: unknown, maxLength: number): string {
    try {
      return this.#slice(this.#stringify(value) ?? "undefined", 0, maxLength);
    } catch (error) {
      return this.#find(this.#text(error), "circular", 0) < 0 ? "[no JSON]" : "[Circular]";
    }
  }
}
