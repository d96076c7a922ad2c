import { expect, test } from "vitest";
import { IdMap } from "../../src/resources/group-members/memberships.js";
import { fc } from "../support/properties.js";

const ids = fc.oneof(fc.uuid(), fc.string({ maxLength: 3 }));

test("holds what a Map would hold, in the same order", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(ids, fc.nat())), ids, (entries, other) => {
      const map = new Map<string, number>();
      const idMap = new IdMap<number>();
      for (const [id, value] of entries) {
        map.set(id, value);
        idMap.set(id, value);
      }
      expect(idMap.ids).toEqual([...map.keys()]);
      expect(idMap.size).toBe(map.size);
      expect(idMap.values).toEqual([...map.values()]);
      expect(idMap.ids.map((id) => idMap.get(id))).toEqual([...map.values()]);
      expect([idMap.has(other), idMap.get(other)]).toEqual([map.has(other), map.get(other)]);
    }),
  );
});
