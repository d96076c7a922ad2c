import { expect, test } from "vitest";
import { formatPath } from "../../src/shared/text.js";

test.each<[readonly PropertyKey[], string]>([
  [[], ""],
  [["group"], "group"],
  [["group", "name"], "group.name"],
  [["steps", 0, "fields", 1], "steps[0].fields[1]"],
  [[0], "[0]"],
  [[0, "name"], "[0].name"],
  [["members", "00000000-0000-0001-0000-000000000000", "userId"], "members[00000000-0000-0001-0000-000000000000].userId"],
  [["data", "a b", "c.d", ""], "data[a b][c.d][]"],
  [["data", "$ref", "_id", "a1", "1a"], "data.$ref._id.a1[1a]"],
  [["data", "é"], "data[é]"],
  [["data", "__proto__"], "data.__proto__"],
  [["data", "7"], "data[7]"],
  [["data", Symbol("x")], "data[Symbol(x)]"],
  [["data", `-${"x".repeat(200)}`], `data[-${"x".repeat(99)}…]`],
])("writes %j as %s", (segments, path) => {
  expect(formatPath(segments)).toBe(path);
});
