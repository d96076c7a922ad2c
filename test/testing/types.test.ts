import type { RecordedEvent } from "latchkey";
import { createTestIdentity, type SentEvent } from "latchkey/testing";
import { expect, expectTypeOf, test } from "vitest";

test("events and records have the types of their kinds", async () => {
  await using kit = await createTestIdentity();
  expectTypeOf(kit.events.ofType("user.create")).toEqualTypeOf<readonly SentEvent<"user.create">[]>();
  expectTypeOf<SentEvent<"user.create">["user"]["email"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf(kit.events.ofType("any.other")).toEqualTypeOf<readonly RecordedEvent[]>();
  const { group } = await kit.factories.groups.create({ group: { data: { any: 1 } } });
  expectTypeOf(group.name).toBeString();
  expectTypeOf(kit.factories.groups.build).returns.resolves.toExtend<{ readonly group: { readonly name: string } }>();
  // @ts-expect-error A group has no such field.
  await expect(kit.factories.groups.create({ group: { nam: "Editors" } })).rejects.toThrow("group.nam");
  // @ts-expect-error Lists are given whole: this one holds something else.
  await expect(kit.factories.accessLists.create({ ipAccessControlList: { entries: [7] } })).rejects.toThrow();
});
