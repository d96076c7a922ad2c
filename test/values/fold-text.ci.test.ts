import { describe, expect, test } from "vitest";
import { compareCodePoints, foldCase, foldText } from "../../src/shared/text.js";
import { anyCharacter, cases, fc } from "../support/properties.js";

/** Every code point that can stand in a text. */
function* everyCharacter(): Generator<string> {
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++)
    if (codePoint < 0xd800 || codePoint > 0xdfff) yield String.fromCodePoint(codePoint);
}

const all = [...everyCharacter()];

const toSource = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
const hexadecimal = (text: string): string => (text.codePointAt(0) ?? 0).toString(16);

/** Where our folding and the engine's `iu` are known to differ, `a~b` in hexadecimal. There are none; a new one fails the tests. */
const knownDifferences: readonly string[] = [];

/** All characters that have to do with case: no other can be folded or be the fold of another. */
const cased = all.filter((character) => /\p{CWCM}|\p{CWCF}/u.test(character));

describe("folding, against the engine's own", () => {
  test("leaves every character without case as it is", () => {
    const withCase = new Set(cased);
    const changed = all.filter((character) => !withCase.has(character) && foldCase(character) !== character);
    expect(changed.map(hexadecimal)).toEqual([]);
  });

  test("turns every character into one that the engine takes for the same", () => {
    const wrong = cased.filter((character) => !new RegExp(`^${toSource(foldCase(character))}$`, "iu").test(character));
    expect(wrong.map(hexadecimal)).toEqual([]);
  });

  test("turns characters that the engine takes for the same into one", () => {
    const everything = cased.join("");
    const apart: string[] = [];
    for (const character of cased)
      for (const [same] of everything.matchAll(new RegExp(toSource(character), "giu")))
        if (foldCase(same) !== foldCase(character) || foldText(same) !== foldText(character))
          apart.push(`${hexadecimal(character)}~${hexadecimal(same)}`);
    expect(apart).toEqual(knownDifferences);
    expect(cased.length).toBeGreaterThan(2_800);
  });
});

describe("folding", () => {
  test.each<[string, string, string]>([
    ["ASCII", "Hello, World_09", "hello, world_09"],
    ["accents", "ÀÉÎÕÜ", "àéîõü"],
    ["Greek, its final sigma included", "ΣΊΣΥΦΟΣ σίσυφος", "σίσυφοσ σίσυφοσ"],
    ["the long s and the Kelvin sign", "ſK", "sk"],
    ["the sharp s, which stays one letter", "ẞß", "ßß"],
    ["no dotted capital I: it has no small letter of one character", "İ", "İ"],
    ["no dotless i: that is for Turkish alone", "ıI", "ıi"],
    ["ligatures, which have no capital letter of one character", "ﬀ", "ﬀ"],
    ["letters whose only capital is a text", "\u1fd3\u1fe3\ufb05", "\u0390\u03b0\ufb06"],
    ["Greek with an iota below", "ᾳᾼ", "ᾳᾳ"],
    ["both Cherokee alphabets", "\u13a0\uab70", "\uab70\uab70"],
    ["astral letters", "\u{10400}\u{10428}", "\u{10428}\u{10428}"],
    ["accents behind their letters", "E\u0301É", "éé"],
    ["an accent behind a letter that takes it only when folded", "ſ\u0323 I\u0307", "ṣ İ"],
    ["letters that NFC takes apart", "\u0958", "\u0915\u093c"],
    ["what has no case", "日本語 \u{1f600} ½", "日本語 \u{1f600} ½"],
  ])("%s", (_, text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  const letter = fc.oneof(fc.constantFrom("a", "\u0301", "\u0307", "\u0323", "\u0345", ...cased), anyCharacter);
  const accented = fc.array(letter, { maxLength: 6 }).map((characters) => characters.join(""));

  test("does not depend on the form of Unicode, and changes nothing the second time", () => {
    fc.assert(
      fc.property(accented, (text) => {
        const folded = foldText(text);
        expect([foldText(text.normalize("NFD")), foldText(text.normalize("NFC"))]).toEqual([folded, folded]);
        expect([foldText(folded), folded.normalize("NFC")]).toEqual([folded, folded]);
      }),
      cases(20_000),
    );
  });

  test("folds the case of a text as it folds its characters", () => {
    fc.assert(
      fc.property(accented, (text) => {
        const folded = foldCase(text);
        expect(Array.from(folded)).toHaveLength(Array.from(text).length);
        expect(folded).toBe(Array.from(text, foldCase).join(""));
      }),
    );
  });
});

describe("comparing", () => {
  const unit = fc.constantFrom("", "a", "b", "\u00e9", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{1f600}", "\u{10ffff}");
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(unit, { maxLength: 4 }).map((units) => units.join("")),
  );

  test("orders texts as the bytes of their UTF-8 are ordered", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      cases(5_000),
    );
  });

  test("orders every character behind the one before it", () => {
    let before = "";
    for (const character of everyCharacter()) {
      if (compareCodePoints(before, character) >= 0) expect(character).toBe(`behind ${before}`);
      before = character;
    }
  });
});
