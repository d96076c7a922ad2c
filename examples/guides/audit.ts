/** docs/audit.md */
import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { assertLike } from "./like.ts";

const storage = memoryStorage();
const secret = "use at least thirty-two random characters";
const identity = await createIdentityService({ storage, secret, auditChanges: true });

const { group } = await identity.groups.create({ group: { name: "Authors" } });
const groupId = group.id;
await identity.groups.update({ groupId, group: { name: "Editors" } }, { auditReason: "Ticket 4711" });
const { auditLogs } = await identity.auditLogs.search({ search: { reason: "Ticket 4711" } });
assertLike({ auditLog: auditLogs[0] }, "audit-entry");

await identity.settle();
const { broken, head } = await identity.audit.verify();
if (broken !== undefined) console.error(`The audit log is broken: ${broken.reason} ${broken.auditLogId ?? ""}`);
console.log(head.digest);

await identity.groups.remove({ groupId }, { auditReason: "Ticket 4711" });
await identity.close();
