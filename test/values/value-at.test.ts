import { expect, test } from "vitest";
import { valueAt } from "../../src/shared/objects.js";

const record = { group: { name: "G", data: { deep: [1, { x: null }] } } };

test.each([
  ["group.name", "G"],
  ["group.data.deep.1.x", null],
  ["group", record.group],
  ["group.name.length", undefined],
  ["group.missing.deeper", undefined],
  ["", undefined],
  ["group.toString", undefined],
  ["__proto__.constructor", undefined],
])("at %s stands %j", (path, expected) => {
  expect(valueAt(record, path)).toBe(expected);
});

test("at a path of what is no object stands nothing", () => {
  for (const value of [undefined, null, 7, "text", true]) expect(valueAt(value, "length")).toBeUndefined();
});
