import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { expect, test } from "vitest";

// Each of these would wait for the transaction that waits for it.
test("what would wait for its own transaction is refused instead", async () => {
  const identity = await createIdentityService({ storage: memoryStorage(), apiKey: "a-key" });
  const refusal = { message: expect.stringContaining("call through its tx") };
  const request = { method: "POST", url: "/api/group", headers: { authorization: "a-key" }, body: { group: { name: "A" } } };
  await identity.transaction(async () => {
    await expect(identity.inject(request)).rejects.toMatchObject(refusal);
    await expect(identity.transaction(async () => undefined)).rejects.toMatchObject(refusal);
    await expect(identity.groups.create({ group: { name: "A" } })).rejects.toMatchObject(refusal);
  });
  expect((await identity.inject(request)).status).toBe(200);
});

test("what a transaction started and lets go on afterwards is outside of it", async () => {
  const identity = await createIdentityService({ storage: memoryStorage() });
  const over = Promise.withResolvers<void>();
  let later: Promise<unknown> = Promise.resolve();
  await identity.transaction(async () => {
    later = over.promise.then(() => identity.groups.create({ group: { name: "Later" } }));
  });
  over.resolve();
  await expect(later).resolves.toMatchObject({ group: { name: "Later" } });
});
