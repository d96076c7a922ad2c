/** docs/messengers.md */
import assert from "node:assert/strict";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";

const identity = await createIdentityService({ storage: memoryStorage() });
const [tenant] = (await identity.tenants.list()).tenants;
const tenantId = tenant?.id ?? "";

const { messenger } = await identity.messengers.create({
  messenger: { name: "Ours", type: "Generic", url: "https://texts.example.com/send", connectTimeout: 1_000, readTimeout: 2_000 },
});
const { messageTemplate } = await identity.messageTemplates.create({
  messageTemplate: {
    name: "Verify",
    defaultTemplate: "Your code is ${code}",
    localizedTemplates: { de: "Dein Code ist ${code}" },
  },
});
await identity.tenants.patch({
  tenantId,
  patch: { tenant: { phoneConfiguration: { messengerId: messenger.id, verificationTemplateId: messageTemplate.id } } },
});

const changed = await identity.tenants.retrieve({ tenantId });
assert.equal(changed.tenant.phoneConfiguration.messengerId, messenger.id);
await identity.close();
