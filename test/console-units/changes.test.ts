import { expect, test } from "vitest";
import { findChanges } from "../../console/kit/diff/changes.js";
import { findParts } from "../../console/kit/diff/text-parts.js";

test("two records differ in members by their path; lists differ as a whole", () => {
  const before = { name: "A", data: { color: "red", size: 1 }, roles: ["a"] };
  const after = { name: "A", data: { color: "blue" }, roles: ["a", "b"], active: true };
  expect(findChanges(before, after)).toEqual([
    { path: "active", before: undefined, after: true },
    { path: "data.color", before: "red", after: "blue" },
    { path: "data.size", before: 1, after: undefined },
    { path: "roles", before: ["a"], after: ["a", "b"] },
  ]);
  expect(findChanges(before, structuredClone(before))).toEqual([]);
});

test("two texts differ line by line", () => {
  expect(findParts("a\nb\n", "a\nc\n")).toEqual([
    { kind: "same", text: "a\n" },
    { kind: "removed", text: "b\n" },
    { kind: "added", text: "c\n" },
  ]);
});
