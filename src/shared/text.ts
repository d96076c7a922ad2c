import { hash } from "node:crypto";

const asciiOnly = /^\p{ASCII}*$/u;

// Letters that are the same to simple folding although their only other case is a text of several characters.
const twins: ReadonlyMap<string, string> = new Map([
  ["\u1fd3", "\u0390"],
  ["\u1fe3", "\u03b0"],
  ["\ufb05", "\ufb06"],
]);

/** Whether folding a text does no more than to lower its ASCII letters. */
export function isAscii(text: string): boolean {
  return asciiOnly.test(text);
}

/**
 * Folds case for comparing, searching and ordering: Unicode simple case folding, one code point to one code point,
 * so that a folded text keeps its length in code points and all storages agree (docs/reference/wire.md#names).
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  let folded = "";
  for (const character of text) folded += foldCharacter(character);
  return folded;
}

/** A phone number as it is compared: without the separators that people write, such as blanks and hyphens. Another text is folded. */
export function foldPhoneNumber(text: string): string {
  const digits = text.replace(/[ ()./-]/g, "");
  return /^\+?\d+$/.test(digits) ? digits : foldText(text.trim());
}

// Upper, then lower case reaches the common form of all variants (ſ → S → s, ς → Σ → σ). A mapping to several
// characters (ß → SS, İ → i̇) belongs to full folding, not to simple folding, and is left out. The dotless ı is
// folded by Turkic rules only.
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

// A surrogate stands for a code point above U+FFFF, so it ranks behind every other unit.
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

const plainName = /^[A-Za-z_$][\w$]*$/;

/** A path as field errors write it: `group.name`, `steps[0].fields[1]`, and map keys that are no plain name in brackets. */
export function formatPath(segments: readonly PropertyKey[]): string {
  let path = "";
  for (const segment of segments) {
    const text = String(segment);
    if (typeof segment !== "number" && plainName.test(text)) path += path === "" ? text : `.${text}`;
    else path += `[${text.length > 100 ? `${text.slice(0, 100)}…` : text}]`;
  }
  return path;
}

/** Whether a text is a day of the calendar, such as `2000-02-29`. The engine takes the 31st of February for a day in March. */
export function isDate(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

/** Whether a text field holds something. */
export function isGiven(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The lower-case form of an 8-4-4-4-12 hexadecimal UUID of any version, or undefined (docs/reference/wire.md#ids). */
export function parseUuid(text: string): string | undefined {
  return uuidShape.test(text) ? text.toLowerCase() : undefined;
}

/**
 * The strong entity tag of a record that is shown as it is stored. A record's first version is a random number, so the tag of
 * one that was removed and made again with the same id is another.
 */
export function etagOfVersion(version: number): string {
  return `"${version}"`;
}

/** The strong entity tag of a representation: 160 bits of a digest of its text. Never equal to that of a version. */
export function etagOfText(json: string): string {
  return `"${hash("sha256", json, "base64url").slice(0, 27)}"`;
}

const backslashed = /\\(.)/gsu;
const meaningful = /^[\p{L}\p{N}\\^$.*+?()[\]{}|/]$/u;

/**
 * Why a text is no regular expression, or undefined when it is one. It is only compiled, which takes time in proportion to its
 * length; an expression of a caller's must never be run here, where one that backtracks would stall the process.
 *
 * The dialect is that of ECMAScript with the flag `u`; as in Java, any character but a letter or digit may have a backslash.
 */
export function findExpressionError(expression: string): string | undefined {
  try {
    new RegExp(toExpressionSource(expression), "u");
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The engine's sentence begins with the expression itself, which the caller knows.
    return error.message.slice(error.message.lastIndexOf(": ") + 2);
  }
}

/**
 * What an expression of a caller's is to the engine, with the flag `u`. `\@` is a plain @ to Java and an error to that flag; a code
 * point escape says the same inside and outside of a class.
 */
export function toExpressionSource(expression: string): string {
  return expression.replace(backslashed, (whole, character: string) =>
    meaningful.test(character) ? whole : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
