import { isObject } from "../../internal/objects.js";
import { quote, ScimError } from "./errors.js";
import { findAttribute } from "./find-attribute.js";
import { toItemKey } from "./item-key.js";
import type { ScimAttribute } from "./types.js";

/** Collects the ignored paths of a request. */
export interface ReadContext {
  readonly ignored: Set<string>;
}

const maxIgnored = 100;

/** Records an ignored path: at most 100 per request, each of at most 200 characters. */
export function recordIgnored({ ignored }: ReadContext, path: string): void {
  if (ignored.size < maxIgnored) ignored.add(path.slice(0, 200));
}

/**
 * Returns the value of an attribute with canonical names; undefined for null, an empty list or an object without values, which
 * all mean no value (RFC 7643, 2.5). Read-only and undeclared sub-attributes go to `ignored`. Accepts a list of one value for a
 * single value, and a single value for a list, because directories send both. Throws `ScimError` 400 `invalidValue` for another
 * type.
 */
export function readValue(
  attribute: ScimAttribute,
  value: unknown,
  at: { readonly path: string; readonly context: ReadContext },
): unknown {
  if (value === null || value === undefined) return undefined;
  if (attribute.multiValued) return readList(attribute, Array.isArray(value) ? value : [value], at);
  return readSingle(attribute, unwrap(attribute, value), at);
}

type Place = Parameters<typeof readValue>[2];

function readList(attribute: ScimAttribute, items: readonly unknown[], at: Place): unknown {
  const byKey = new Map<string, unknown>();
  for (const item of items) {
    const value = item === null ? undefined : readSingle(attribute, item, at);
    if (value === undefined) continue;
    const key = toItemKey(attribute, value);
    if (!byKey.has(key)) byKey.set(key, value);
  }
  const values = [...byKey.values()];
  if (values.filter(isPrimary).length > 1) throw invalid(at, "has more than one value with `primary: true`");
  return values.length === 0 ? undefined : values;
}

/** Whether a value of a list is the preferred one. */
export function isPrimary(value: unknown): boolean {
  return typeof value === "object" && value !== null && "primary" in value && value.primary === true;
}

// Entra sends a manager as a list of one; older versions sent every value so.
function unwrap(attribute: ScimAttribute, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  if (value.length === 0) return undefined;
  const [only] = value;
  if (value.length > 1) return value;
  return attribute.type !== "complex" && isObject(only) && Object.hasOwn(only, "value") ? only.value : only;
}

function readSingle(attribute: ScimAttribute, value: unknown, at: Place): unknown {
  if (value === null || value === undefined) return undefined;
  return attribute.type === "complex" ? readComplex(attribute, value, at) : readSimple(attribute, value, at);
}

// A bare text is the `value` of a complex attribute: `"manager": "id"`, `"members": ["id"]`.
function readComplex(attribute: ScimAttribute, value: unknown, at: Place): unknown {
  const subAttributes = attribute.subAttributes ?? [];
  if (typeof value === "string" && findAttribute(subAttributes, "value")) return readComplex(attribute, { value }, at);
  if (!isObject(value)) throw invalid(at, "must be an object");
  const found = readMembers(subAttributes, value, at);
  return Object.keys(found).length === 0 ? undefined : found;
}

function readMembers(subAttributes: readonly ScimAttribute[], value: JsonObject, at: Place): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const sub = findAttribute(subAttributes, name) ?? findAlias(subAttributes, name);
    const path = `${at.path}.${sub?.name ?? name}`;
    if (sub === undefined) recordIgnored(at.context, path);
    else if (sub.mutability === "readOnly") continue;
    else if (Object.hasOwn(found, sub.name)) throw invalid({ ...at, path }, "is given twice, in different case");
    else setDefined(found, sub.name, readValue(sub, member, { path, context: at.context }));
  }
  return found;
}

// Entra uses the manager's `displayName` for the display text of a member.
function findAlias(subAttributes: readonly ScimAttribute[], name: string): ScimAttribute | undefined {
  return name.toLowerCase() === "displayname" ? findAttribute(subAttributes, "display") : undefined;
}

function setDefined(object: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined) object[name] = value;
}

function readSimple({ type }: ScimAttribute, value: unknown, at: Place): unknown {
  switch (type) {
    case "boolean":
      return readBoolean(value, at);
    case "integer":
    case "decimal":
      return readNumber(type, value, at);
    case "dateTime":
      return readDate(value, at);
    case "binary":
      if (typeof value === "string" && isBase64(value)) return value;
      throw invalid(at, "must be a base64 text");
    default:
      if (typeof value === "string") return value;
      throw invalid(at, "must be a text");
  }
}

// Entra sends `"True"` and `"False"`.
function readBoolean(value: unknown, at: Place): boolean {
  const text = typeof value === "string" ? value.toLowerCase() : undefined;
  if (value === true || text === "true") return true;
  if (value === false || text === "false") return false;
  throw invalid(at, "must be true or false");
}

function readNumber(type: "integer" | "decimal", value: unknown, at: Place): number {
  const isNumber = typeof value === "number" && Number.isFinite(value);
  if (isNumber && (type === "decimal" || Number.isSafeInteger(value))) return value;
  throw invalid(at, type === "integer" ? "must be an integer" : "must be a number");
}

function readDate(value: unknown, at: Place): string {
  const instant = typeof value === "string" ? parseDate(value) : undefined;
  if (instant === undefined) throw invalid(at, "must be a date and time as in ISO 8601, such as 2026-01-31T08:00:00Z");
  return new Date(instant).toISOString();
}

const datePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/i;

/** Returns an ISO 8601 date and time in epoch milliseconds; up to 9 decimals, UTC by default. Undefined for other texts. */
export function parseDate(text: string): number | undefined {
  if (!datePattern.test(text)) return undefined;
  const upper = text.toUpperCase();
  const instant = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(upper) ? upper : `${upper}Z`);
  return Number.isNaN(instant) ? undefined : instant;
}

/** Whether a text is base64, in either alphabet. */
export function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/_\-\s]*={0,2}$/.test(text);
}

type JsonObject = Readonly<Record<string, unknown>>;

function invalid(at: Place, rule: string): ScimError {
  return new ScimError(400, "invalidValue", `${quote(at.path)} ${rule}.`);
}
