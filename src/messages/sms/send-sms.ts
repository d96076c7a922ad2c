import { type QueuedSms, textMessages } from "../../delivery/queues/message-kinds.js";
import { queueMessages } from "../../delivery/queues/messages.js";
import { FieldErrorList, fieldError } from "../../errors/identity-error.js";
import { isPhone, maxTextLength } from "../../http/schema/phone-number.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { directoryContext, isInsideHost, type OperationCall } from "../../operations/operation.js";
import { findTenant } from "../../operations/references/references.js";
import type { DirectoryUser } from "../../ports/directory.js";
import { isObjectOrList } from "../../shared/objects.js";
import { parseUuid } from "../../shared/text.js";
import { messengerIdOf, requireSmsSender, sendAtOnce } from "./find-sender.js";

type Given = Readonly<Record<string, unknown>>;

/**
 * Sends a text message, after the commit or at once. @throws IdentityError 400 for invalid input, a user or tenant outside of
 * the scope, and `[notConfigured]` without a way to send; 503 `[smsFailed]` when the message of a waiting caller was not
 * accepted.
 */
export async function sendSms(call: OperationCall): Promise<OperationResult> {
  const given: Given = isObjectOrList(call.body) ? { ...call.body } : {};
  assertShape(given);
  // A message sent inside a transaction would stay sent after a rollback.
  if (given.wait === true && isInsideHost(call)) throw fieldError("invalid", "wait", "A transaction waits for nobody.");
  const message = await toMessage(call, given);
  const send = await requireSmsSender(call, message.messengerId);
  if (given.wait === true) await sendAtOnce(call, send, message);
  else await call.write((write) => queueMessages(write, textMessages, [message]));
  return { status: 200, json: toCanonicalJson({ id: message.id }) };
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

function assertShape({ mobilePhone, textMessage, tenantId, userId, wait }: Given): void {
  const errors = new FieldErrorList();
  if (isThere(mobilePhone) && !isPhone(mobilePhone)) errors.add("invalid", "mobilePhone");
  if (!isThere(mobilePhone) && !isThere(userId)) errors.add("blank", "mobilePhone");
  if (typeof (textMessage ?? "") !== "string") errors.add("invalidJSON", "textMessage");
  else if (String(textMessage ?? "").trim() === "") errors.add("blank", "textMessage");
  else if (String(textMessage).length > maxTextLength) errors.add("tooLong", "textMessage");
  for (const [name, value] of Object.entries({ tenantId, userId }))
    if (isThere(value) && (typeof value !== "string" || parseUuid(value) === undefined)) errors.add("couldNotConvert", name);
  if (isThere(wait) && typeof wait !== "boolean") errors.add("invalidJSON", "wait");
  errors.throwIfAny();
}

async function toMessage(call: OperationCall, given: Given): Promise<QueuedSms> {
  const idOf = (name: string): string | undefined => parseUuid(String(given[name] ?? ""));
  const user = await findUser(call, idOf("userId"), idOf("tenantId"));
  const tenant = await findTenant(call, { tenantId: user?.tenantId ?? idOf("tenantId"), path: "tenantId" });
  const to = String(given.mobilePhone ?? user?.mobilePhone ?? "").trim();
  if (!isPhone(to)) throw fieldError(to === "" ? "blank" : "invalid", "user.mobilePhone");
  const id = call.service.runtime.newId();
  return { id, messengerId: messengerIdOf(tenant), tenantId: tenant.id, text: String(given.textMessage), to, userId: user?.id };
}

// Checks the tenant even though the directory should respect the scope.
async function findUser(
  call: OperationCall,
  id: string | undefined,
  tenantId: string | undefined,
): Promise<DirectoryUser | undefined> {
  if (id === undefined) return undefined;
  const expected = call.scope.kind === "tenant" ? call.scope.tenantId : tenantId;
  const [user] = await call.service.directory.findUsers(directoryContext(call), [id]);
  if (user?.id !== id || (expected !== undefined && user.tenantId !== expected)) throw fieldError("invalid", "userId");
  return user;
}
