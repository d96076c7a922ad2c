/** docs/transactions.md */
import assert from "node:assert/strict";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";

const identity = await createIdentityService({ storage: memoryStorage() });

const group = await identity.transaction(async (tx) => {
  const made = await tx.groups.create({ group: { name: "Editors" } });
  await tx.askReceivers(); // throws where too few webhooks agree, so that nothing is stored
  return made.group;
});

assert.deepEqual((await identity.groups.list()).groups, [group]);
await identity.close();
