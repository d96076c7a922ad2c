import { quote, scanToken, type Token } from "./scan-token.js";
import {
  type BuiltIn,
  builtIns,
  type Comparison,
  comparisons,
  type Expression,
  maxExpressionDepth,
  TemplateError,
} from "./template-tree.js";

/** Words that are not variables. After a dot they are names like any other. */
const reservedWords: ReadonlySet<string> = new Set(["true", "false", "as", "in", "using", "lt", "lte", "gt", "gte"]);

/**
 * Parses the expressions of a template, and the words and signs around them, from an offset on. Every method throws a
 * TemplateError for invalid syntax.
 */
export class ExpressionParser {
  readonly #source: string;
  #token: Token;
  #depth = 0;

  constructor(source: string, offset: number) {
    this.#source = source;
    this.#token = scanToken(source, offset);
  }

  expression(): Expression {
    return this.#joined("or", "||", () => this.#joined("and", "&&", () => this.#comparison()));
  }

  variable(): string {
    const token = this.#token;
    if (token.kind !== "name" || reservedWords.has(token.text)) throw this.#unexpected("a name");
    this.#advance();
    return token.text;
  }

  word(text: string): void {
    if (!this.#accepts("name", text)) throw this.#unexpected(quote(text));
  }

  /** Expects the closing sign; returns the offset after it. */
  close(text: string): number {
    if (!this.#isAt("symbol", text)) throw this.#unexpected(quote(text));
    return this.#token.end;
  }

  #joined(kind: "and" | "or", sign: string, operand: () => Expression): Expression {
    const first = operand();
    const operands = [first];
    while (this.#accepts("symbol", sign)) operands.push(operand());
    return operands.length === 1 ? first : { kind, operands };
  }

  #comparison(): Expression {
    const left = this.#negation();
    const operator = this.#comparisonHere();
    if (operator === undefined) return left;
    this.#advance();
    return { kind: "compare", operator, left, right: this.#negation() };
  }

  #comparisonHere(): Comparison | undefined {
    const token = this.#token;
    return comparisons.find((known) => (token.kind === "name" || token.kind === "symbol") && token.text === known);
  }

  #negation(): Expression {
    if (!this.#accepts("symbol", "!")) return this.#value();
    this.#deepen();
    return { kind: "not", of: this.#negation() };
  }

  /** Parses a term with its postfix operators: `??`, `?html`, a default. */
  #value(): Expression {
    let value = this.#term();
    for (;;) {
      if (this.#isAt("symbol", "!")) {
        value = this.#default(value);
        if (!this.#isAt("symbol", "?") && !this.#isAt("symbol", "??")) return value;
      } else if (this.#accepts("symbol", "??")) value = this.#deeper({ kind: "exists", of: value });
      else if (this.#accepts("symbol", "?")) value = this.#deeper({ kind: "apply", builtIn: this.#builtIn(), to: value });
      else return value;
    }
  }

  /** Parses a literal, a variable or parentheses, with the path to a member. */
  #term(): Expression {
    const term = this.#primary();
    const steps: (string | number)[] = term.kind === "path" ? [...term.steps] : [];
    while (this.#isAt("symbol", ".") || this.#isAt("symbol", "[")) {
      if (term.kind !== "path") throw this.#refuse("Only a variable has members.");
      steps.push(this.#accepts("symbol", ".") ? this.#memberName() : this.#key());
    }
    return term.kind === "path" ? { ...term, steps } : term;
  }

  #primary(): Expression {
    const token = this.#token;
    if (!this.#startsValue()) throw this.#unexpected("a value");
    this.#advance();
    if (token.kind === "string" || token.kind === "number") return { kind: "literal", value: token.value };
    if (token.kind === "name") return toNamed(token.text);
    this.#deepen();
    const inner = this.expression();
    this.#advance(this.close(")"));
    return inner;
  }

  #startsValue(): boolean {
    const token = this.#token;
    if (token.kind === "name") return isLiteral(token.text) || !reservedWords.has(token.text);
    return token.kind === "string" || token.kind === "number" || this.#isAt("symbol", "(");
  }

  #default(of: Expression): Expression {
    this.#advance();
    this.#deepen();
    if (!this.#startsValue()) return { kind: "default", of };
    const term = this.#term();
    const fallback = this.#isAt("symbol", "!") ? this.#default(term) : term;
    // In the full language a fallback extends to the end, as in x!"y"?html, which does not escape x.
    if (!this.#endsValue()) throw this.#refuse('A default ends its value: write (name!"none")?html, with parentheses.');
    return { kind: "default", of, fallback };
  }

  #endsValue(): boolean {
    return ["}", ">", ")"].some((sign) => this.#isAt("symbol", sign)) || this.#isAt("name", "as");
  }

  #memberName(): string {
    const token = this.#token;
    if (token.kind !== "name") throw this.#unexpected("a name");
    this.#advance();
    return token.text;
  }

  #key(): string | number {
    this.#advance();
    const token = this.#token;
    const isPosition = token.kind === "number" && Number.isInteger(token.value) && token.value >= 0;
    if (token.kind !== "string" && !isPosition) throw this.#unexpected("a text or a position");
    this.#advance();
    this.#advance(this.close("]"));
    return token.value;
  }

  #builtIn(): BuiltIn {
    const token = this.#token;
    const builtIn = builtIns.find((known) => token.kind === "name" && token.text === known);
    if (builtIn === undefined)
      throw this.#refuse(`Only ${builtIns.map((known) => `?${known}`).join(", ")} can be made of a value.`);
    this.#advance();
    return builtIn;
  }

  /** Counts operators that increase the depth of an expression. */
  #deepen(): void {
    this.#depth++;
    if (this.#depth > maxExpressionDepth) throw this.#refuse("The expression is too deep.");
  }

  #deeper(expression: Expression): Expression {
    this.#deepen();
    return expression;
  }

  #isAt(kind: "name" | "symbol", text: string): boolean {
    return this.#token.kind === kind && this.#token.text === text;
  }

  #accepts(kind: "name" | "symbol", text: string): boolean {
    const isThere = this.#isAt(kind, text);
    if (isThere) this.#advance();
    return isThere;
  }

  #advance(offset: number = this.#token.end): void {
    this.#token = scanToken(this.#source, offset);
  }

  #unexpected(expected: string): TemplateError {
    const { kind, start, end } = this.#token;
    const found = kind === "end" ? "the end of the template" : quote(this.#source.slice(start, end));
    return this.#refuse(`Expected ${expected}, found ${found}.`);
  }

  #refuse(reason: string): TemplateError {
    return new TemplateError(this.#source, this.#token.start, reason);
  }
}

function isLiteral(word: string): boolean {
  return word === "true" || word === "false";
}

function toNamed(word: string): Expression {
  return isLiteral(word) ? { kind: "literal", value: word === "true" } : { kind: "path", name: word, steps: [] };
}
