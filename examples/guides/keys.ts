/** docs/keys.md */
import assert from "node:assert/strict";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";

const identity = await createIdentityService({ storage: memoryStorage() });

const { apiKey } = await identity.apiKeys.create({
  apiKey: { name: "Reports", permissions: { endpoints: { "/api/group": ["GET"] } }, retrievable: false },
});
console.log(apiKey.key); // shown this once

const principal = await identity.findPrincipal(apiKey.key ?? "");
if (principal === undefined) throw new Error("Nobody has this key.");
await identity.as(principal).groups.list(); // may do what the key may
await assert.rejects(identity.as(principal).groups.create({ group: { name: "Editors" } }), { status: 401 });

assert.equal((await identity.apiKeys.retrieve({ keyId: apiKey.id })).apiKey.key, undefined);
await identity.close();
