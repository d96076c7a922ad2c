import { expect, test } from "vitest";
import { parseUuid } from "../../src/shared/text.js";
import { fc } from "../support/properties.js";

test.each([
  ["00000000-0000-0001-0000-000000000000", "00000000-0000-0001-0000-000000000000"],
  ["ABCDEF00-1234-9fff-cccc-0123456789ab", "abcdef00-1234-9fff-cccc-0123456789ab"],
  ["ffffffff-ffff-ffff-ffff-ffffffffffff", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
])("takes %s, of any UUID version", (text, id) => {
  expect(parseUuid(text)).toBe(id);
});

test.each([
  [""],
  ["00000000000000010000000000000000"],
  ["{00000000-0000-0001-0000-000000000000}"],
  ["urn:uuid:00000000-0000-0001-0000-000000000000"],
  ["00000000-0000-0001-0000-00000000000"],
  ["00000000-0000-0001-0000-0000000000000"],
  ["0000000-00000-0001-0000-000000000000"],
  ["g0000000-0000-0001-0000-000000000000"],
  [" 00000000-0000-0001-0000-000000000000"],
  ["00000000-0000-0001-0000-000000000000\n"],
  ["\uff10\uff100000000-0000-0001-0000-0000000000"],
  ["0-".repeat(100_000)],
])("refuses %j", (text) => {
  expect(parseUuid(text)).toBeUndefined();
});

test("takes every UUID there is, in any case", () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      expect([parseUuid(id), parseUuid(id.toUpperCase())]).toEqual([id, id]);
    }),
  );
});
