// Arguments lie on the stack: very many of them, spread from a list that a caller made, are a RangeError.
import { expect, test } from "vitest";
import { readSourceFiles, withoutComments } from "./source-files.js";

/** Lists whose length the code itself decides. */
const bounded = new Set(["adapters/kysely/schema-writer.ts"]);

test("no list is spread into the arguments of what adds or compares them", () => {
  const spread = /\b(?:push|unshift|splice|concat|fromCharCode|Math\.(?:max|min))\((?:[^()[\]{}\n]*, *)?\.\.\./;
  const strays = [...readSourceFiles("src"), ...readSourceFiles("adapters")].filter(
    (file) => !bounded.has(file.path) && spread.test(withoutComments(file.text)),
  );
  expect(strays.map((file) => file.path)).toEqual([]);
});
