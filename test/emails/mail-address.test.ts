import { describe, expect, test } from "vitest";
import { isMailAddress, isMailName, toHeaderText } from "../../src/http/schema/mail-address.js";
import { anyCharacter, fc } from "../support/properties.js";

describe("a mail address", () => {
  test.each(["a@b", "first.last+tag@example.com", "ü@exämple.de", "o'hara@example.com", "a!#$%&*/=?^_`{|}~-@b.c", "%@b.c"])(
    "may be %s",
    (text) => expect(isMailAddress(text)).toBe(true),
  );

  test.each([
    "",
    "a",
    "@",
    "a@",
    "@b",
    "a@b@c",
    "a b@c",
    "a@b c",
    "<a@b>",
    "a@b,",
    "a@b;c@d",
    "a:b@c",
    '"a"@b',
    "a\\@b",
    "(a)@b",
  ])("may not be %j", (text) => expect(isMailAddress(text)).toBe(false));

  test.each(["\r", "\n", "\t", "\u0000", "\u007f", "\u0085", "\u00a0", "\u2028", "\u200b", "\u202e", "\ufeff", "\ud800"])(
    "has no %j in it",
    (sign) => {
      for (const text of [`${sign}a@b`, `a${sign}@b`, `a@${sign}b`, `a@b${sign}`]) expect(isMailAddress(text)).toBe(false);
    },
  );

  test("is no longer than addresses can be", () => {
    const of = (local: number, domain: number): string => `${"a".repeat(local)}@${"b".repeat(domain)}`;
    expect([of(64, 255), of(65, 255), of(64, 256)].map(isMailAddress)).toEqual([true, false, false]);
  });
});

test("a name beside an address is one line of at most 320 characters", () => {
  const names = ["", 'Ana, "the" <b@c>', "Ün\u00efcode 🙂", "a".repeat(320)];
  expect(names.map(isMailName)).toEqual([true, true, true, true]);
  const others = ["a\nb", "a\rb", "a\u0000", "a\u2028b", "a\u0085b", "a".repeat(321), "\ud800"];
  expect(others.map(isMailName)).toEqual(others.map(() => false));
});

test("turns any text into one well-formed header line", () => {
  expect(toHeaderText("  Your\r\n order \t no. 7\u2028")).toBe("Your order no. 7");
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 3_000 }), (text) => {
      const line = toHeaderText(text);
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect([line.isWellFormed(), line.length <= 1_000]).toEqual([true, true]);
    }),
  );
});
