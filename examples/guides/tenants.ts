/** docs/tenants.md */
import assert from "node:assert/strict";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";

const identity = await createIdentityService({ storage: memoryStorage() });

const { tenant } = await identity.tenants.create({ tenant: { name: "Acme" } });
const { group } = await identity.groups.create({ group: { name: "Editors", tenantId: tenant.id } });
const { groups } = await identity.groups.list({}, { tenantId: tenant.id }); // the groups of this tenant alone

assert.deepEqual(groups, [group]);
await identity.close();
