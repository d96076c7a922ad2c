import type { Filter } from "../ports/storage.js";
import { QueryError, type QueryFields, toFieldFilter, toTermFilter } from "./query-fields.js";
import { type QueryValue, toLiteralValue } from "./text-pattern.js";

/**
 * The `queryString` language of searches: terms, `field:value`, "quoted values", `*` wildcards, AND, OR, NOT and parentheses;
 * adjacent terms must all hold. AND binds tighter than OR.
 */

const maxLength = 2_000;
const maxTokens = 200;
const maxDepth = 20;
const tokenShape = /\s*(?:([()])|((?:[^\s()":\\]|\\.)+:)?(?:"((?:[^"\\]|\\.)*)"|((?:[^\s()"\\]|\\.)+))?)/y;

interface Token {
  readonly kind: "(" | ")" | "and" | "or" | "not" | "test";
  readonly field?: string;
  readonly value?: QueryValue;
}

/** Parses a query into a filter. @throws QueryError for an invalid query. */
export function parseQueryString(known: QueryFields, text: string): Filter {
  if (text.length > maxLength) throw new QueryError(`A query may have at most ${maxLength} characters.`);
  const tokens = readTokens(text);
  const parser = new QueryParser(known, tokens);
  const filter = parser.parseOr(0);
  if (!parser.isAtEnd) throw new QueryError("A parenthesis is closed that was not opened.");
  return filter;
}

function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  const shape = new RegExp(tokenShape);
  const end = text.trimEnd().length;
  while (shape.lastIndex < end) {
    const start = shape.lastIndex;
    const match = shape.exec(text);
    if (match === null || shape.lastIndex === start) throw new QueryError("A quotation mark is not closed.");
    if (tokens.push(toToken(match)) > maxTokens) throw new QueryError(`A query may have at most ${maxTokens} parts.`);
  }
  return tokens;
}

function toToken(match: RegExpExecArray): Token {
  const [, parenthesis, field, quoted, bare] = match;
  if (parenthesis === "(" || parenthesis === ")") return { kind: parenthesis };
  const keyword = field === undefined && (bare === "AND" || bare === "OR" || bare === "NOT") ? bare.toLowerCase() : undefined;
  if (keyword !== undefined) return { kind: keyword as "and" | "or" | "not" };
  if (field !== undefined && quoted === undefined && bare === undefined) throw new QueryError(`The field ${field} has no value.`);
  const value = toLiteralValue(quoted ?? bare ?? "");
  return field === undefined ? { kind: "test", value } : { kind: "test", value, field: field.slice(0, -1) };
}

class QueryParser {
  readonly #known: QueryFields;
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(known: QueryFields, tokens: readonly Token[]) {
    this.#known = known;
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#position === this.#tokens.length;
  }

  parseOr(depth: number): Filter {
    if (depth > maxDepth) throw new QueryError(`A query may nest at most ${maxDepth} levels.`);
    const filters = [this.#parseAnd(depth)];
    while (this.#take("or")) filters.push(this.#parseAnd(depth));
    return filters.length === 1 ? (filters[0] as Filter) : { op: "or", filters };
  }

  #parseAnd(depth: number): Filter {
    const filters = [this.#parseUnary(depth)];
    while (this.#take("and") || this.#startsUnary()) filters.push(this.#parseUnary(depth));
    return filters.length === 1 ? (filters[0] as Filter) : { op: "and", filters };
  }

  #startsUnary(): boolean {
    const kind = this.#tokens[this.#position]?.kind;
    return kind === "test" || kind === "not" || kind === "(";
  }

  #parseUnary(depth: number): Filter {
    const isNegated = this.#take("not") !== undefined;
    const filter = this.#parseOperand(depth);
    return isNegated ? { op: "not", filter } : filter;
  }

  #parseOperand(depth: number): Filter {
    if (this.#take("(")) {
      const filter = this.parseOr(depth + 1);
      if (!this.#take(")")) throw new QueryError("A parenthesis is not closed.");
      return filter;
    }
    const test = this.#take("test");
    if (test === undefined) throw new QueryError("A term is missing.");
    const { field, value = toLiteralValue("") } = test;
    return field === undefined ? toTermFilter(this.#known, value) : toFieldFilter(this.#known, field, value);
  }

  #take(kind: Token["kind"]): Token | undefined {
    const token = this.#tokens[this.#position];
    if (token?.kind !== kind) return undefined;
    this.#position++;
    return token;
  }
}
