import { hash } from "node:crypto";

const asciiOnly = /^\p{ASCII}*$/u;

// Letters that are equal in simple folding although their other case has several characters.
const twins: ReadonlyMap<string, string> = new Map([
  ["\u1fd3", "\u0390"],
  ["\u1fe3", "\u03b0"],
  ["\ufb05", "\ufb06"],
]);

/** Whether folding only lowers ASCII letters. */
export function isAscii(text: string): boolean {
  return asciiOnly.test(text);
}

/**
 * Folds a text to compare, search and sort: Unicode simple case folding and NFC, so that a letter with an accent equals the letter
 * followed by the accent (docs/reference/wire.md#names). Storages compare the folded texts, so all of them agree.
 */
export function foldText(text: string): string {
  // A letter may compose with an accent only before or only after its case is folded: İ and ſ̣.
  return isAscii(text) ? text.toLowerCase() : foldCase(text.normalize("NFC")).normalize("NFC");
}

/** Folds case only, one code point to one. Columns of records that earlier releases stored contain this form. */
export function foldCase(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  let folded = "";
  for (const character of text) folded += foldCharacter(character);
  return folded;
}

/** Normalizes a phone number for comparison: without separators such as blanks and hyphens. Other texts are case-folded. */
export function foldPhoneNumber(text: string): string {
  const digits = text.replace(/[ ()./-]/g, "");
  return /^\+?\d+$/.test(digits) ? digits : foldText(text.trim());
}

// Upper, then lower case reaches the common form of all variants (ſ → S → s, ς → Σ → σ). A mapping to several characters (ß →
// SS, İ → i̇) belongs to full folding, not to simple folding, and is skipped. Only Turkic rules fold the dotless ı.
function foldCharacter(character: string): string {
  if (character === "ı") return character;
  const twin = twins.get(character);
  if (twin !== undefined) return twin;
  const upper = character.toUpperCase();
  const common = isOneCharacter(upper) ? upper : character;
  const lower = common.toLowerCase();
  return isOneCharacter(lower) ? lower : common;
}

function isOneCharacter(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff);
}

/** Orders texts by Unicode code point, as databases order UTF-8 bytes; JavaScript's `<` orders UTF-16 units instead. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return a.length - b.length;
}

// A surrogate is part of a code point above U+FFFF, so it ranks behind every other unit.
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

const plainName = /^[A-Za-z_$][\w$]*$/;

/**
 * Formats a path like field errors do: `group.name`, `steps[0].fields[1]`, with brackets around map keys that are not plain
 * names.
 */
export function formatPath(segments: readonly PropertyKey[]): string {
  let path = "";
  for (const segment of segments) {
    const text = String(segment);
    if (typeof segment !== "number" && plainName.test(text)) path += path === "" ? text : `.${text}`;
    else path += `[${text.length > 100 ? `${text.slice(0, 100)}…` : text}]`;
  }
  return path;
}

/** Whether a text is a calendar date, such as `2000-02-29`. `Date` would accept February 31 as a day in March. */
export function isDate(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

/** Whether a text is present and not empty. */
export function isGiven(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The lower-case form of an 8-4-4-4-12 hexadecimal UUID of any version, or undefined (docs/reference/wire.md#ids). */
export function parseUuid(text: string): string | undefined {
  return uuidShape.test(text) ? text.toLowerCase() : undefined;
}

/**
 * The strong entity tag of a record in its stored form. The first version of a record is a random number, so a removed record
 * that is created again with the same id has another tag.
 */
export function etagOfVersion(version: number): string {
  return `"${version}"`;
}

/** The strong entity tag of a representation: 160 bits of its digest. Never equal to that of a version. */
export function etagOfText(json: string): string {
  return `"${hash("sha256", json, "base64url").slice(0, 27)}"`;
}

const backslashed = /\\(.)/gsu;
const meaningful = /^[\p{L}\p{N}\\^$.*+?()[\]{}|/]$/u;

/**
 * Returns the error of a regular expression; undefined for a valid one. Only compiles it, which takes time in proportion to its
 * length. Never run an expression of a caller here: backtracking could stall the process.
 *
 * The dialect is that of ECMAScript with the flag `u`; as in Java, any character except letters and digits may have a
 * backslash.
 */
export function findExpressionError(expression: string): string | undefined {
  try {
    new RegExp(toExpressionSource(expression), "u");
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The message of the engine begins with the expression, which the caller knows.
    return error.message.slice(error.message.lastIndexOf(": ") + 2);
  }
}

/**
 * Converts an expression of a caller for the engine with the flag `u`. `\@` is a plain @ in Java and an error with that flag; a
 * code point escape means the same inside and outside of a class.
 */
export function toExpressionSource(expression: string): string {
  return expression.replace(backslashed, (whole, character: string) =>
    meaningful.test(character) ? whole : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
