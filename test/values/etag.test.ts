import fc from "fast-check";
import { etagOf } from "latchkey";
import { expect, test } from "vitest";

test("an entity tag is a quoted token, the same for the same text", () => {
  for (const length of [0, 1, 300, 4_096, 4_097, 100_000]) {
    const text = "é".repeat(length);
    expect(etagOf(text)).toMatch(/^"[\w-]{8,}"$/);
    expect(etagOf(text)).toBe(etagOf(`${text}`));
  }
});

test("texts that differ in one place, by order or by length have different tags", () => {
  const json = JSON.stringify({ group: { data: { floor: 1 }, name: "Editors", version: 7 } });
  const tags = new Set([etagOf(json)]);
  let variants = 1;
  for (let index = 0; index < json.length; index++)
    for (const unit of ["a", "0", '"', "ÿ", "字"]) {
      if (json[index] === unit) continue;
      tags.add(etagOf(json.slice(0, index) + unit + json.slice(index + 1)));
      variants++;
    }
  expect(tags.size).toBe(variants);
});

test("no two of many random texts share a tag", () => {
  const texts = new Set(fc.sample(fc.string({ unit: "grapheme", maxLength: 40 }), 50_000));
  expect(new Set([...texts].map(etagOf)).size).toBe(texts.size);
});
