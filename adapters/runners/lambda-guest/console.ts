import type { Inspector } from "./inspector.js";

/** The console of a body. */
export type RealmConsole = Readonly<Record<"log" | "info" | "warn" | "error" | "debug", (...values: unknown[]) => void>>;

/**
 * Collects the console output of one call as JSON, up to a number of bytes. It is stored as one text, since a setter on the
 * prototype of all objects could observe an array. Part of the realm (realm.ts).
 */
export class ConsoleLines {
  readonly #format: ConsoleFormat;
  readonly #sizes: TextSizes;
  static readonly #stringify: (value: unknown) => string = JSON.stringify;
  static readonly #toWellFormed: (text: string) => string = Function.prototype.call.bind(String.prototype.toWellFormed);
  #bytesLeft: number;
  #lines = "";
  #isClosed = false;

  constructor(format: ConsoleFormat, sizes: TextSizes, maxBytes: number) {
    this.#format = format;
    this.#sizes = sizes;
    this.#bytesLeft = maxBytes;
  }

  /** Returns a console for one call; the body may change it. */
  toConsole(): RealmConsole {
    const writeAs =
      (level: string) =>
      (...values: unknown[]): void =>
        this.#write(level, values);
    return {
      log: writeAs("info"),
      info: writeAs("info"),
      warn: writeAs("warn"),
      error: writeAs("error"),
      debug: writeAs("debug"),
    };
  }

  /** The lines as JSON. Later output, from promise reactions, is lost. */
  close(): string {
    this.#isClosed = true;
    return `[${this.#lines}]`;
  }

  #write(level: string, values: readonly unknown[]): void {
    if (this.#isClosed) return;
    const text = this.#bytesLeft > 0 ? ConsoleLines.#toWellFormed(this.#format.format(values, this.#bytesLeft + 1)) : "…";
    if (this.#isClosed) return;
    const isWhole = this.#sizes.fits(text, this.#bytesLeft);
    const kept = isWhole ? text : this.#sizes.cut(text, this.#bytesLeft);
    // An empty line counts too: else there could be any number of them.
    this.#bytesLeft -= this.#sizes.bytesOf(kept) + 1;
    if (isWhole || kept !== "") this.#append(level, kept);
    if (!isWhole) this.#cutOff();
  }

  #cutOff(): void {
    this.#append("warn", "The limit of the console is reached: the rest is cut off.");
    this.#isClosed = true;
  }

  #append(level: string, text: string): void {
    const separator = this.#lines === "" ? "" : ",";
    this.#lines += `${separator}{"level":"${level}","text":${ConsoleLines.#stringify(text)}}`;
  }
}

type Placeholder = (value: unknown, maxLength: number) => string;

/** Formats console arguments with the placeholders of Node's `util.format`. Part of the realm (realm.ts). */
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

  /** The formatted line, slightly longer than `maxLength` at most. */
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

  // Inspecting a Proxy or the name of an error may run code of the body.
  #show(value: unknown, maxLength: number): string {
    try {
      return this.#inspector.inspect(value, maxLength > 0 ? maxLength : 1);
    } catch {
      return "[cannot be shown]";
    }
  }

  // Use the body's own `toString` or `Symbol.toPrimitive`; inspect other objects.
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

/** Measures and cuts texts by UTF-8 bytes. Part of the realm (realm.ts). */
export class TextSizes {
  readonly #codeAt: (text: string, index: number) => number = Function.prototype.call.bind(String.prototype.charCodeAt);
  readonly #slice: (text: string, from: number, to: number) => string = Function.prototype.call.bind(String.prototype.slice);

  /** Whether a text has at most `bytes` bytes. */
  fits(text: string, bytes: number): boolean {
    if (text.length * 3 <= bytes) return true;
    return text.length <= bytes && this.#prefixWithin(text, bytes) === text.length;
  }

  /** The longest prefix within `bytes` bytes, without half a surrogate pair at the end. */
  cut(text: string, bytes: number): string {
    return text.length * 3 <= bytes ? text : this.#slice(text, 0, this.#prefixWithin(text, bytes));
  }

  bytesOf(text: string): number {
    let bytes = 0;
    for (let index = 0; index < text.length; index += 1) bytes += this.#bytesAt(text, index);
    return bytes;
  }

  #prefixWithin(text: string, bytes: number): number {
    let left = bytes;
    for (let index = 0; index < text.length; index += 1) {
      left -= this.#bytesAt(text, index);
      if (left < 0) return this.#isLowSurrogate(text, index) ? index - 1 : index;
    }
    return text.length;
  }

  // Each half of a surrogate pair counts two of its four bytes.
  #bytesAt(text: string, index: number): number {
    const code = this.#codeAt(text, index);
    if (code < 0x80) return 1;
    return code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
  }

  #isLowSurrogate(text: string, index: number): boolean {
    const code = this.#codeAt(text, index);
    return index > 0 && code >= 0xdc00 && code <= 0xdfff;
  }
}
