// How prose is measured: which text counts, where a sentence ends, and which verbs are passive.
import { describe, expect, test } from "vitest";
import { isPassive, passagesOf, proseOf, readProse, splitSentences } from "../../scripts/language/prose.js";

describe("the prose of a page", () => {
  test("leaves out code, headings, comments and cells that are no sentences", () => {
    const page =
      "# Title\n\nOne `x` [link](a.md).\n\n```ts\ncode();\n```\n\n<!-- no -->\n- item\n- other\n\n| Key | A whole sentence. |\n|---|---|\n";
    expect(proseOf(page)).toEqual(["One code link.", "item", "other", "A whole sentence."]);
  });

  test("has lines, behind headings, comments and code too", () => {
    const page = "# Title\n\n<!-- a\nb -->\nOne.\n\n```ts\ncode();\n```\n\n\nTwo.\n- three\n- four\n\n| Key | Five. |\n";
    expect(passagesOf(page).map(({ line }) => line)).toEqual([5, 12, 13, 14, 16]);
  });

  test("has its words, the mean of its sentences, and its share of passive ones", () => {
    expect(readProse("You send a key. The key is stored in a table.")).toEqual({
      words: 11,
      sentences: 2,
      mean: 5.5,
      passive: 0.5,
    });
    expect(readProse("# Nothing")).toEqual({ words: 0, sentences: 0, mean: 0, passive: 0 });
  });
});

test("a sentence does not end at a version or an abbreviation", () => {
  expect(splitSentences("Since 1.36.0 it works, e.g. with Node 24. You need nothing else.")).toHaveLength(2);
});

test.each([
  "The key is read by the server.",
  "A token must be signed.",
  "What is not documented fails.",
  "A key is usually kept.",
  "It has been changed.",
  "Values get converted.",
])("passive: %s", (sentence) => {
  expect(isPassive(sentence)).toBe(true);
});

test.each(["You read the key.", "The list is empty.", "Every write publishes an event.", "You are done.", "It is open."])(
  "active: %s",
  (sentence) => {
    expect(isPassive(sentence)).toBe(false);
  },
);
