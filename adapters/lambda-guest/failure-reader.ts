import type { Inspector } from "./inspector.js";

/** What is known of something that was thrown: where in the body, counted from one, if it is known at all. */
export interface ThrownFailure {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** Reads any value that a body throws, and never throws itself. Part of the realm: names nothing outside of itself (realm.ts). */
export class FailureReader {
  readonly #inspector: Inspector;
  readonly #maxLength = 2_000;
  readonly #unreadable = "Something was thrown that cannot be shown.";
  readonly #slice: (text: string, from: number, to: number) => string = Function.prototype.call.bind(String.prototype.slice);
  readonly #exec: (pattern: RegExp, text: string) => RegExpExecArray | null = Function.prototype.call.bind(RegExp.prototype.exec);
  readonly #toWellFormed: (text: string) => string = Function.prototype.call.bind(String.prototype.toWellFormed);
  readonly #number = Number;
  // A frame of the stack, in which an eval names the place that it was called from first.
  readonly #frame: RegExp;

  constructor(inspector: Inspector, bodyFileName: string) {
    this.#inspector = inspector;
    this.#frame = new RegExp(`^ {4}at (?:.* \\()?${bodyFileName.replaceAll(".", "\\.")}:(\\d+):(\\d+)\\)?$`, "m");
  }

  /** The message of what was thrown, cut to 2,000 characters, and its place. */
  read(thrown: unknown): ThrownFailure {
    try {
      return { message: this.#messageOf(thrown), ...this.#placeOf(thrown) };
    } catch {
      return { message: this.#unreadable };
    }
  }

  #messageOf(thrown: unknown): string {
    const text = this.#textOf(thrown);
    return this.#toWellFormed(text.length > this.#maxLength ? `${this.#slice(text, 0, this.#maxLength - 1)}…` : text);
  }

  #textOf(thrown: unknown): string {
    if (typeof thrown === "string") return thrown;
    if (typeof thrown !== "object" || thrown === null) return this.#inspector.inspect(thrown, this.#maxLength);
    const { message, name } = thrown as { readonly message?: unknown; readonly name?: unknown };
    if (typeof message === "string" && message !== "") return message;
    if (typeof message === "string" && typeof name === "string" && name !== "") return name;
    return this.#inspector.inspect(thrown, this.#maxLength);
  }

  #placeOf(thrown: unknown): { readonly line: number; readonly column: number } | undefined {
    if (typeof thrown !== "object" || thrown === null) return undefined;
    const { stack } = thrown as { readonly stack?: unknown };
    const found = typeof stack === "string" ? this.#exec(this.#frame, stack) : null;
    return found === null ? undefined : { line: this.#number(found[1]), column: this.#number(found[2]) };
  }
}
