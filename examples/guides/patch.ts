/** docs/patch.md */
import assert from "node:assert/strict";
import { createIdentityService, etagOf } from "latchkey";
import { memoryStorage } from "latchkey/memory";

const identity = await createIdentityService({ storage: memoryStorage() });
const { group } = await identity.groups.create({ group: { name: "Editors", data: { floor: 1, tags: ["a"] } } });
const groupId = group.id;

await identity.groups.patch({ groupId, patch: { group: { data: { tags: ["b"] } } } });
await identity.groups.patch({ groupId, mode: "merge", patch: { group: { data: { tags: ["c"], floor: null } } } });
await identity.groups.patch({ groupId, mode: "json", patch: [{ op: "replace", path: "/group/name", value: "Authors" }] });

const read = await identity.groups.retrieve({ groupId });
assert.deepEqual([read.group.name, read.group.data], ["Authors", { tags: ["c"] }]);
const ifMatch = etagOf(read);
await identity.groups.patch({ groupId, patch: { group: { name: "Writers" } } }, { ifMatch });
await assert.rejects(identity.groups.patch({ groupId, patch: { group: { name: "Poets" } } }, { ifMatch }), { status: 412 });
await identity.close();
