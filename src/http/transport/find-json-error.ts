const spaces = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must not hold them.
const strings = /[^"\\\u0000-\u001f]*/y;
const escapes = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const scalars = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

/** What may stand at a place of a JSON text. */
type Expected = "value" | "firstValue" | "name" | "firstName" | "end";

/**
 * The position at which a text that is not JSON goes wrong; its length when it only ends too early. Engines name it for some
 * mistakes and in words of their own, so it is looked for here, once a text was refused.
 */
export function findJsonError(text: string): number {
  return new JsonScanner(text).run();
}

// Each step moves on over what is right, and says whether it was: `#at` stays where it was not.
class JsonScanner {
  readonly #text: string;
  readonly #open: ("]" | "}")[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): number {
    let expected: Expected | undefined = "value";
    while (expected !== undefined) {
      this.#skip(spaces);
      expected = this.#step(expected);
    }
    return this.#at;
  }

  /** What may stand behind the next token; undefined when it should not be there. */
  #step(expected: Expected): Expected | undefined {
    const isFirst = expected === "firstValue" || expected === "firstName";
    if ((isFirst || expected === "end") && this.#takeClosing()) return "end";
    if (expected === "end") return this.#open.length > 0 && this.#take(",") ? this.#nextMember() : undefined;
    if (expected === "name" || expected === "firstName") return this.#takeString() && this.#takeColon() ? "value" : undefined;
    if (this.#take("{")) return this.#enter("}", "firstName");
    if (this.#take("[")) return this.#enter("]", "firstValue");
    return this.#takeString() || this.#skip(scalars) ? "end" : undefined;
  }

  #nextMember(): Expected {
    return this.#open.at(-1) === "}" ? "name" : "value";
  }

  #enter(closing: "]" | "}", expected: Expected): Expected {
    this.#open.push(closing);
    return expected;
  }

  #takeClosing(): boolean {
    const closing = this.#open.at(-1);
    if (closing === undefined || !this.#take(closing)) return false;
    this.#open.pop();
    return true;
  }

  #takeColon(): boolean {
    this.#skip(spaces);
    return this.#take(":");
  }

  #takeString(): boolean {
    if (!this.#take('"')) return false;
    do this.#skip(strings);
    while (this.#skip(escapes));
    return this.#take('"');
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }
}
