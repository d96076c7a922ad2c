/** docs/events.md and docs/sms.md: what leaves in the host's name. */
import assert from "node:assert/strict";
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import type { SendSms } from "latchkey/ports";

const storage = memoryStorage();
const secret = "use at least thirty-two random characters";
const gateway = { send: async (id: string, to: string, text: string): Promise<boolean> => [id, to, text].every(Boolean) };

// docs/sms.md
const sendSms: SendSms = async ({ id, text, to }) =>
  (await gateway.send(id, to, text)) ? { kind: "ok" } : { kind: "failed", reason: "the gateway refused" };
const identity = await createIdentityService({ storage, secret, sendSms });

const { user } = await identity.users.create({ user: { email: "ann@example.com", mobilePhone: "+1 555 0199" } });
const { tenantId, id: userId } = user;

await identity.events.publish({ type: "user.password.breach", tenantId, user }); // typed by `type`
await identity.transaction(async (tx) => tx.events.publish({ type: "user.create", user })); // kept or lost with your rows

// docs/sms.md
await identity.sms.send({ mobilePhone: "+1 555 0100", textMessage: "Your parcel is here" });
await identity.transaction(async (tx) => tx.sms.send({ userId, textMessage: "Welcome" })); // kept or lost with your rows
await identity.sms.send({ userId, textMessage: "Your code is 1234", wait: true }); // at once, or 503 [smsFailed]

await assert.rejects(identity.sms.send({ mobilePhone: "none", textMessage: "" }));
await identity.close();
