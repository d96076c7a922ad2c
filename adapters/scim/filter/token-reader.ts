import { quote, ScimError } from "../schema/errors.js";
import { type Token, tokenize } from "./tokens.js";

type Cause = "invalidFilter" | "invalidPath";

/** Reads the tokens of a filter or path in order. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  readonly #scimType: Cause;
  #position = 0;

  constructor(text: string, scimType: Cause) {
    this.#tokens = tokenize(text, scimType);
    this.#scimType = scimType;
  }

  /** Returns the next token and moves past it. Throws `ScimError` 400 at the end. */
  take(wanted: string): Token {
    const token = this.#tokens[this.#position];
    if (token === undefined) throw this.error(`ends where ${wanted} is expected`);
    this.#position += 1;
    return token;
  }

  /** Moves past a bracket. Throws `ScimError` 400 for another token. */
  takeBracket(bracket: string): void {
    const token = this.take(quote(bracket));
    if (token.kind !== "bracket" || token.text !== bracket)
      throw this.error(`has ${quote(token.text)} where ${quote(bracket)} is expected`);
  }

  isAtBracket(bracket: string): boolean {
    const token = this.#tokens[this.#position];
    return token?.kind === "bracket" && token.text === bracket;
  }

  /** Whether the next token is this word, in any case. */
  isAtWord(word: string): boolean {
    const token = this.#tokens[this.#position];
    return token?.kind === "word" && token.text.toLowerCase() === word;
  }

  /** Whether the next token is a word with a leading dot, such as `.value`. */
  isAtPart(): boolean {
    const token = this.#tokens[this.#position];
    return token?.kind === "word" && token.text.startsWith(".");
  }

  isAtEnd(): boolean {
    return this.#position === this.#tokens.length;
  }

  /** Throws `ScimError` 400 when a token remains. */
  assertEnd(): void {
    const token = this.#tokens[this.#position];
    if (token !== undefined) throw this.error(`has ${quote(token.text)} where its end is expected`);
  }

  /** Returns the error for a fault; its sentence begins with the filter or path. */
  error(fault: string): ScimError {
    return new ScimError(400, this.#scimType, `The ${this.#scimType === "invalidFilter" ? "filter" : "path"} ${fault}.`);
  }
}
