import { describe, expect, test } from "vitest";
import { changedMembers } from "../../src/service/audit/changed-members.js";
import { expectOk } from "../support/answer.js";
import { auditing, entriesOf } from "../support/audit-entries.js";
import { makeGroup } from "../support/families.js";
import { integrationsPath } from "../support/integrations.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage } from "../support/world.js";

describe("the members that differ", () => {
  test.each([
    ["another value", { a: 1 }, { a: 2 }, [{ path: "/a", oldValue: 1, newValue: 2 }]],
    ["a new member", {}, { a: null }, [{ path: "/a", newValue: null }]],
    ["a removed member", { a: false }, {}, [{ path: "/a", oldValue: false }]],
    ["a member deeper down", { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, [{ path: "/a/c", oldValue: 2, newValue: 3 }]],
    ["a list, as a whole", { a: [1, 2] }, { a: [2, 1] }, [{ path: "/a", oldValue: [1, 2], newValue: [2, 1] }]],
    ["an object in place of a text", { a: "x" }, { a: {} }, [{ path: "/a", oldValue: "x", newValue: {} }]],
    ["names with slashes and tildes", { "a/~": 1 }, {}, [{ path: "/a~1~0", oldValue: 1 }]],
    ["names of Object.prototype", { constructor: 1 }, {}, [{ path: "/constructor", oldValue: 1 }]],
    ["nothing, in another order", { a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, []],
    ["the instant of the change", { lastUpdateInstant: 1 }, { lastUpdateInstant: 2 }, []],
    [
      "an instant of the same name deeper down",
      { data: { lastUpdateInstant: 1 } },
      { data: {} },
      [{ path: "/data/lastUpdateInstant", oldValue: 1 }],
    ],
  ])("are %s", (_what, oldValue, newValue, expected) => {
    expect(changedMembers(oldValue, newValue)).toEqual(expected);
  });
});

forEachStorage((start) => {
  describe("an entry", () => {
    requirement("audit.diff", "lists what a change changed, and no secret", async () => {
      const world = await auditing(start)();
      const groupId = await makeGroup(world, world.defaultTenantId, "Authors");
      const path = `/api/group/${groupId}`;
      const entries = await entriesOf(world, async () => {
        world.clock.advance(1_000);
        expectOk(await world.caller.patch(path, { group: { name: "Editors", data: { color: "red" } } }));
        expectOk(await world.caller.patch(path, { group: { name: "Editors" } }));
        await world.caller.delete(path);
      });
      expect(entries.map(({ changes }) => changes)).toEqual([
        [
          { path: "/data/color", newValue: "red" },
          { path: "/name", oldValue: "Authors", newValue: "Editors" },
        ],
        [],
        undefined,
      ]);
    });

    requirement("audit.diff", "says nothing of a secret that changed", async () => {
      const world = await auditing(start)();
      const put = async (secret: string) =>
        expectOk(
          await world.caller.patch(integrationsPath, {
            integrations: { broker: { enabled: true, defaultTopic: "t", producer: { "sasl.jaas.config": secret } } },
          }),
        );
      await put("first secret");
      const [entry] = await entriesOf(world, () => put("second secret"));
      expect(entry?.message).toBe("Changed the integrations");
      expect(entry?.changes).toEqual([]);
      expect(JSON.stringify(entry)).not.toContain("secret");
    });

    requirement(["audit.diff", "audit.size"], "lists the changes of a record that is too large to show", async () => {
      const world = await auditing(start)();
      const groupId = await makeGroup(world, world.defaultTenantId, "Authors");
      const patch = (data: object) => async () =>
        expectOk(await world.caller.patch(`/api/group/${groupId}`, { group: { data } }));
      const [large] = await entriesOf(world, patch({ text: "x".repeat(70_000) }));
      expect(large?.changes).toEqual({ leftOut: expect.stringContaining("too large") });
      const [small] = await entriesOf(world, patch({ color: "red" }));
      expect(small?.newValue).toEqual({ leftOut: expect.stringContaining("too large") });
      expect(small?.changes).toEqual([{ path: "/data/color", newValue: "red" }]);
    });
  });
});
