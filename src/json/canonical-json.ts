import { isObjectOrList } from "../shared/objects.js";
/** Canonical JSON text in place of its value: inserted, not serialized again. */
export class CanonicalText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Joins the texts of values to the text of a list. */
export function toListText(texts: readonly string[]): CanonicalText {
  return new CanonicalText(`[${texts.join(",")}]`);
}

/**
 * Serializes to JSON with members in alphabetical order and without members that are null or undefined
 * (docs/reference/wire.md), so that equal values have equal texts in every storage and response. The result is a flat string,
 * not a rope.
 */
export function toCanonicalJson(value: unknown): string {
  const found: Findings = { unordered: new Set(), canReorder: true };
  if (isCanonical(value, found)) return JSON.stringify(value ?? null);
  if (found.canReorder) return JSON.stringify(reorder(value, found.unordered));
  const pieces: string[] = [];
  writeJson(value, found.unordered, pieces);
  return pieces.join("");
}

/** The results of a walk through a value. */
interface Findings {
  /** The objects and lists with parts that are not canonical. */
  readonly unordered: Set<object>;
  /**
   * Whether a reordered copy serializes to canonical text: not with texts to insert, or with names that objects order by
   * themselves.
   */
  canReorder: boolean;
}

// Most values are canonical already, such as client requests and stored records: `JSON.stringify` writes them far faster.
function isCanonical(value: unknown, found: Findings): boolean {
  if (!isObjectOrList(value)) return true;
  const isOrdered = Array.isArray(value) ? areCanonical(value, found) : hasCanonicalMembers(value, found);
  if (!isOrdered) found.unordered.add(value);
  return isOrdered;
}

function areCanonical(items: readonly unknown[], found: Findings): boolean {
  let areAll = true;
  for (const item of items) if (!isCanonical(item, found)) areAll = false;
  return areAll;
}

function hasCanonicalMembers(object: object, found: Findings): boolean {
  if (object instanceof CanonicalText) {
    found.canReorder = false;
    return false;
  }
  let isOrdered = true;
  let previous = "";
  for (const name of Object.keys(object)) {
    const member = (object as Readonly<Record<string, unknown>>)[name];
    if (name < previous || member === null || member === undefined) isOrdered = false;
    if (!isCanonical(member, found)) isOrdered = false;
    if (startsWithDigit(name) || name === "__proto__") found.canReorder = false;
    previous = name;
  }
  return isOrdered;
}

function startsWithDigit(name: string): boolean {
  const code = name.charCodeAt(0);
  return code >= 48 && code <= 57;
}

// One `JSON.stringify` of a copy is three times as fast as one call per member (goal 6 of
// docs/internals/performance/goals.md).
function reorder(value: unknown, unordered: ReadonlySet<object>): unknown {
  if (!isObjectOrList(value) || !unordered.has(value)) return value;
  if (Array.isArray(value)) return value.map((item) => reorder(item, unordered));
  const object = value as Readonly<Record<string, unknown>>;
  const copy: Record<string, unknown> = {};
  for (const name of sortNames(Object.keys(object))) {
    const member = object[name];
    if (member !== undefined && member !== null) copy[name] = reorder(member, unordered);
  }
  return copy;
}

/** The number of names from which the engine sorts them. */
const manyNames = 40;

// `sort` copies the list, a tenth of the temporary memory of imported rows (goal 33 of docs/internals/performance.md).
function sortNames(names: string[]): readonly string[] {
  if (names.length >= manyNames) return names.sort();
  for (let next = 1; next < names.length; next++) {
    const name = names[next] as string;
    let place = next;
    for (; place > 0 && (names[place - 1] as string) > name; place--) names[place] = names[place - 1] as string;
    names[place] = name;
  }
  return names;
}

function writeJson(value: unknown, unordered: ReadonlySet<object>, pieces: string[]): void {
  if (value instanceof CanonicalText) pieces.push(value.text);
  else if (!isObjectOrList(value) || !unordered.has(value)) pieces.push(JSON.stringify(value ?? null));
  else if (Array.isArray(value)) writeItems(value, unordered, pieces);
  else writeMembers(value as Readonly<Record<string, unknown>>, unordered, pieces);
}

function writeItems(items: readonly unknown[], unordered: ReadonlySet<object>, pieces: string[]): void {
  let separator = "[";
  for (const item of items) {
    pieces.push(separator);
    writeJson(item, unordered, pieces);
    separator = ",";
  }
  pieces.push("]");
}

function writeMembers(object: Readonly<Record<string, unknown>>, unordered: ReadonlySet<object>, pieces: string[]): void {
  let separator = "{";
  for (const name of Object.keys(object).sort()) {
    const member = object[name];
    if (member === undefined || member === null) continue;
    pieces.push(separator, JSON.stringify(name), ":");
    writeJson(member, unordered, pieces);
    separator = ",";
  }
  pieces.push(separator === "{" ? "{}" : "}");
}

const [quote, backslash, comma] = [34, 92, 44];
const [openBrace, closeBrace, openBracket, closeBracket] = [123, 125, 91, 93];

/**
 * Adds members to the canonical text of an object, in order. Members of the same name are replaced, or removed if the value is
 * null or undefined. Copies the other members as text: to parse and serialize a user takes ten times as long.
 */
export function addMembers(json: string, members: Readonly<Record<string, unknown>>): string {
  const parts: string[] = [];
  let start = 1;
  let at = 1;
  for (const name of Object.keys(members).sort()) {
    at = skipMembersBefore(json, at, name);
    if (at > start) parts.push(json.slice(start, json.charCodeAt(at) === closeBrace ? at : at - 1));
    if (compareMember(json, at, name) === 0) at = endOfMember(json, at);
    start = at;
    const value = members[name];
    if (value === undefined || value === null) continue;
    parts.push(`${JSON.stringify(name)}:${value instanceof CanonicalText ? value.text : toCanonicalJson(value)}`);
  }
  if (start < json.length - 1) parts.push(json.slice(start, -1));
  return `{${parts.join(",")}}`;
}

// `at` is the start of a member, or the end of the object.
function skipMembersBefore(json: string, at: number, name: string): number {
  let position = at;
  while (compareMember(json, position, name) < 0) position = endOfMember(json, position);
  return position;
}

// Negative if the member comes before `name`, zero for that name, positive for a later one and at the end of the object.
function compareMember(json: string, at: number, name: string): number {
  if (json.charCodeAt(at) === closeBrace) return 1;
  for (let index = 0; index < name.length; index++) {
    const code = json.charCodeAt(at + 1 + index);
    if (code === backslash) return compareTexts(JSON.parse(json.slice(at, endOfText(json, at))), name);
    if (code === quote) return -1;
    if (code !== name.charCodeAt(index)) return code - name.charCodeAt(index);
  }
  return json.charCodeAt(at + 1 + name.length) === quote ? 0 : 1;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

// Returns the start of the next member, or the end of the object.
function endOfMember(json: string, at: number): number {
  const end = endOfValue(json, endOfText(json, at) + 1);
  return json.charCodeAt(end) === comma ? end + 1 : end;
}

function endOfText(json: string, at: number): number {
  for (let position = at + 1; ; position++) {
    const code = json.charCodeAt(position);
    if (code === quote) return position + 1;
    if (code === backslash) position++;
  }
}

function endOfValue(json: string, at: number): number {
  if (json.charCodeAt(at) === quote) return endOfText(json, at);
  let depth = 0;
  for (let position = at; ; position++) {
    const code = json.charCodeAt(position);
    if (code === quote) position = endOfText(json, position) - 1;
    else if (code === openBrace || code === openBracket) depth++;
    else if (code === comma && depth === 0) return position;
    else if ((code === closeBrace || code === closeBracket) && --depth < 0) return position;
  }
}
