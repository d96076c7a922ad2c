import { expect, test } from "vitest";
import { etagOfText, etagOfVersion } from "../../src/shared/text.js";
import { fc } from "../support/properties.js";

test("the tag of a text is a quoted token, the same for the same text", () => {
  for (const length of [0, 1, 300, 100_000]) {
    const text = "é".repeat(length);
    expect(etagOfText(text)).toMatch(/^"[\w-]{27}"$/);
    expect(etagOfText(text)).toBe(etagOfText(`${text}`));
  }
});

test("texts that differ in one place, by order or by length have different tags", () => {
  const json = JSON.stringify({ group: { data: { floor: 1 }, name: "Editors", version: 7 } });
  const tags = new Set([etagOfText(json)]);
  let variants = 1;
  for (let index = 0; index < json.length; index++)
    for (const unit of ["a", "0", '"', "ÿ", "字"]) {
      if (json[index] === unit) continue;
      tags.add(etagOfText(json.slice(0, index) + unit + json.slice(index + 1)));
      variants++;
    }
  expect(tags.size).toBe(variants);
});

test("each version has its own tag, which no text has", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.string(), (version, text) => {
      expect(etagOfVersion(version)).toMatch(/^"[0-9]{1,16}"$/);
      expect(etagOfVersion(version)).not.toBe(etagOfVersion(version + 1));
      expect(etagOfVersion(version)).not.toBe(etagOfText(text));
    }),
  );
});
