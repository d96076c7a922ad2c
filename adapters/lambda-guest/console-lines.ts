import type { ConsoleFormat } from "./console-format.js";
import type { TextSizes } from "./text-sizes.js";

/** What a body finds as its console. */
export type RealmConsole = Readonly<Record<"log" | "info" | "warn" | "error" | "debug", (...values: unknown[]) => void>>;

/**
 * Collects what one call writes, as JSON and up to a number of bytes. It is stored as one text, since an array could be watched by a
 * setter on the prototype of all objects. Part of the realm: names nothing outside of itself (realm.ts).
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

  /** A console of its own for one call, which may be changed by the body as it likes. */
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

  /** The lines as JSON; what is written afterwards, by reactions of promises, is lost. */
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
    // A line without text counts too, else there could be any number of them.
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
