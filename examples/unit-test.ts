/** The service in a unit test: in memory, with a clock and ids that the test decides. Run it: `node --test examples/unit-test.ts`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createIdentityService, IdentityError, type IdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";

/** A service that gives the same answers in each run, and a way to let time pass. Takes a few milliseconds. */
export async function createTestService(): Promise<{ readonly identity: IdentityService; readonly pass: (ms: number) => void }> {
  let now = Date.UTC(2030, 0, 1);
  let made = 0;
  const identity = await createIdentityService({
    storage: memoryStorage(),
    clock: () => now,
    newId: () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`,
    apiKey: "key-of-the-test",
  });
  const pass = (ms: number): void => {
    now += ms;
  };
  return { identity, pass };
}

if (import.meta.main) {
  test("a renamed team keeps its birthday", async () => {
    const { identity, pass } = await createTestService();
    const { group } = await identity.groups.create({ group: { name: "Editors" } });
    pass(60_000);
    const renamed = await identity.groups.patch({ groupId: group.id, patch: { group: { name: "Writers" } } });
    assert.equal(renamed.group.insertInstant, Date.UTC(2030, 0, 1));
    assert.equal(renamed.group.lastUpdateInstant, Date.UTC(2030, 0, 1) + 60_000);
  });

  test("a refusal says which field it is about", async () => {
    const { identity } = await createTestService();
    await assert.rejects(identity.groups.create({ group: { name: "" } }), (error: unknown) => {
      assert.ok(error instanceof IdentityError);
      return Object.keys(error.fieldErrors).includes("group.name");
    });
  });

  test("what the client of another team sends is answered without a socket", async () => {
    const { identity } = await createTestService();
    const response = await identity.inject({ url: "/api/group", headers: { authorization: "key-of-the-test" } });
    assert.deepEqual([response.status, response.body], [200, '{"groups":[]}']);
  });
}
