import { quote } from "../schema/errors.js";
import { parseDate } from "../schema/read-value.js";
import { subPath } from "../schema/resolve-path.js";
import type { AttributePath, ScimAttribute, ScimAttributeType } from "../schema/types.js";
import type { Comparison, ComparisonOperator } from "./filter.js";
import type { TokenReader } from "./token-reader.js";
import type { Token } from "./tokens.js";

type Value = Comparison["value"];

const equality = ["eq", "ne"] as const;
const parts = ["co", "sw", "ew"] as const;
const order = ["gt", "ge", "lt", "le"] as const;

// RFC 7644, 3.4.2.2: booleans and binary values have no order; booleans, numbers and dates have no substrings.
const operators: Readonly<Record<ScimAttributeType, readonly ComparisonOperator[]>> = {
  string: [...equality, ...parts, ...order],
  reference: [...equality, ...parts, ...order],
  binary: [...equality, ...parts],
  boolean: equality,
  integer: [...equality, ...order],
  decimal: [...equality, ...order],
  dateTime: [...equality, ...order],
  complex: [],
};

const known: ReadonlySet<string> = new Set([...equality, ...parts, ...order]);

/** Returns the path to compare: for a complex attribute, its `value`. Throws `ScimError` 400 without one. */
export function toValuePath(reader: TokenReader, path: AttributePath): AttributePath {
  if (path.sub !== undefined || path.attribute.type !== "complex") return path;
  const value = subPath(path, "value");
  if (value === undefined) throw reader.error(`compares ${quote(path.text)}, which has no \`value\`; name one of its parts`);
  return value;
}

/**
 * Reads the value of a comparison. Throws `ScimError` 400 for an unknown operator or a value of another type than the
 * attribute's.
 */
export function readComparison(
  reader: TokenReader,
  { path, operator }: { readonly path: AttributePath; readonly operator: string },
): Comparison {
  if (!isOperator(operator)) throw reader.error(`has the unknown operator ${quote(operator)}`);
  const { type } = path.sub ?? path.attribute;
  const literal = readLiteral(reader, reader.take("a value"));
  const isAllowed = operators[type].includes(operator) && (literal !== null || operator === "eq" || operator === "ne");
  if (!isAllowed) throw reader.error(`compares ${quote(path.text)} with ${quote(operator)}, which its type does not have`);
  const value = convert(path.sub ?? path.attribute, literal);
  if (value === undefined) throw reader.error(`compares ${quote(path.text)} with a value that is no ${type}`);
  return { kind: "compare", path, operator, value };
}

function isOperator(text: string): text is ComparisonOperator {
  return known.has(text);
}

function readLiteral(reader: TokenReader, { kind, text }: Token): Value {
  if (kind === "text") return readText(reader, text);
  const lower = text.toLowerCase();
  if (lower === "true" || lower === "false") return lower === "true";
  if (lower === "null") return null;
  if (kind === "word" && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(lower)) return Number(text);
  throw reader.error(`has ${quote(text)} where a value is expected; texts need quotation marks`);
}

function readText(reader: TokenReader, quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    throw reader.error(`has ${quote(quoted)}, which is no JSON text`);
  }
}

// Undefined for a value of another type.
function convert({ type }: ScimAttribute, value: Value): Value | undefined {
  if (value === null) return null;
  switch (type) {
    case "boolean":
      return toBoolean(value);
    case "integer":
    case "decimal":
      return typeof value === "number" && Number.isFinite(value) ? value : undefined;
    case "dateTime":
      return typeof value === "string" && parseDate(value) !== undefined ? value : undefined;
    default:
      return typeof value === "string" ? value : undefined;
  }
}

// Entra sends booleans as texts.
function toBoolean(value: Value): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = String(value).toLowerCase();
  return text === "true" || text === "false" ? text === "true" : undefined;
}
