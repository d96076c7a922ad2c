import { quote } from "../schema/errors.js";
import { findAttribute, valueAttributes } from "../schema/find-attribute.js";
import { pathTo } from "../schema/resolve-path.js";
import type { AttributePath, ScimAttribute } from "../schema/types.js";
import { readComparison, toValuePath } from "./comparison.js";
import type { Filter } from "./filter.js";
import type { TokenReader } from "./token-reader.js";

/** The attribute names in the scope of a filter. */
export interface FilterScope {
  /** Returns the attribute with a name in any case; undefined for an unknown name. */
  readonly resolve: (name: string) => AttributePath | undefined;
  /** Whether `attribute[…]` is allowed: not inside brackets. */
  readonly hasValueFilters: boolean;
}

const maxDepth = 32;

/** Parses one filter of a reader. Throws the errors of `parseFilter`. */
export class FilterParser {
  readonly #reader: TokenReader;
  readonly #scope: FilterScope;
  #depth = 0;

  constructor(reader: TokenReader, scope: FilterScope) {
    this.#reader = reader;
    this.#scope = scope;
  }

  /** Returns the filter; `and` binds closer than `or`. The reader continues after it. */
  parse(): Filter {
    return this.#joined("or", () => this.#joined("and", () => this.#term()));
  }

  #joined(kind: "and" | "or", read: () => Filter): Filter {
    const filters = [read()];
    while (this.#reader.isAtWord(kind)) {
      this.#reader.take(kind);
      filters.push(read());
    }
    const [first, ...others] = filters;
    return others.length === 0 && first !== undefined ? first : { kind, filters };
  }

  #term(): Filter {
    if (this.#reader.isAtBracket("(")) return this.#inParentheses();
    const { kind, text } = this.#reader.take("an attribute");
    if (kind !== "word") throw this.#reader.error(`has ${quote(text)} where an attribute is expected`);
    if (text.toLowerCase() === "not") return { kind: "not", filter: this.#inParentheses() };
    const path = this.#scope.resolve(text);
    if (path === undefined) throw this.#reader.error(`names the unknown attribute ${quote(text)}`);
    return this.#reader.isAtBracket("[") ? this.#valueFilter(path) : this.expression(path);
  }

  #inParentheses(): Filter {
    this.#reader.takeBracket("(");
    this.#depth += 1;
    if (this.#depth > maxDepth) throw this.#reader.error(`has parentheses more than ${maxDepth} deep`);
    const filter = this.parse();
    this.#depth -= 1;
    this.#reader.takeBracket(")");
    return filter;
  }

  #valueFilter(path: AttributePath): Filter {
    if (!this.#scope.hasValueFilters) throw this.#reader.error("has brackets inside brackets");
    const { filter, part } = parseValuePath(this.#reader, path);
    if (part !== undefined) throw this.#reader.error("ends where an operator is expected");
    return { kind: "value", path, filter };
  }

  /** Returns the filter that begins with an attribute already read. The reader continues after it. */
  expression(path: AttributePath): Filter {
    const { text } = this.#reader.take("an operator");
    const operator = text.toLowerCase();
    if (isSecret(path)) throw this.#reader.error(`compares ${quote(path.text)}, which is never returned`);
    if (operator === "pr") return { kind: "present", path };
    return readComparison(this.#reader, { path: toValuePath(this.#reader, path), operator });
  }
}

function isSecret({ attribute, sub }: AttributePath): boolean {
  return (sub ?? attribute).returned === "never";
}

/** The brackets after an attribute, and optionally a part of the selected values. */
export interface ValuePath {
  readonly filter: Filter;
  /** The part at the end of the path; undefined without one, and for a compared part: then `filter` has the comparison. */
  readonly part: AttributePath | undefined;
}

/**
 * Parses the brackets after an attribute. Entra compares a part after them: `emails[type eq "work"].value eq "a"` means
 * `emails[type eq "work" and value eq "a"]`. The reader continues after it.
 */
export function parseValuePath(reader: TokenReader, path: AttributePath): ValuePath {
  const attributes = path.sub === undefined ? valueAttributes(path.attribute) : [];
  if (attributes.length === 0) throw reader.error(`has brackets behind ${quote(path.text)}, which has no parts`);
  const resolve = (name: string): AttributePath | undefined => partOf(attributes, name);
  const parser = new FilterParser(reader, { resolve, hasValueFilters: false });
  reader.takeBracket("[");
  const filter = parser.parse();
  reader.takeBracket("]");
  if (!reader.isAtPart()) return { filter, part: undefined };
  const { text } = reader.take("a part");
  const part = resolve(text.slice(1));
  if (part === undefined) throw reader.error(`names the unknown part ${quote(text)} of ${quote(path.text)}`);
  return reader.isAtEnd() ? { filter, part } : { filter: both(filter, parser.expression(part)), part: undefined };
}

function both(one: Filter, other: Filter): Filter {
  return { kind: "and", filters: [...(one.kind === "and" ? one.filters : [one]), other] };
}

function partOf(attributes: readonly ScimAttribute[], name: string): AttributePath | undefined {
  const attribute = findAttribute(attributes, name);
  return attribute && pathTo(attribute);
}
