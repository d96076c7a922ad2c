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
