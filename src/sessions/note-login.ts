import { generalError } from "../errors/identity-error.js";
import { publishEvent } from "../events/publish-event.js";
import { parseHidden, parseRecord } from "../operations/family.js";
import type { WriteCall } from "../operations/operation.js";
import { type StoredRecord, tenantScope } from "../ports/storage.js";
import { changeRegistration } from "../resources/registrations/rules.js";
import { changeUser, type HiddenUser, users } from "../resources/users/rules.js";
import type { User } from "../resources/users/schema.js";
import { findRegistration } from "./access-token.js";
import { addressOfLogin } from "./address-of-login.js";
import { presentUser } from "./present-user.js";

/** Where and how somebody logged in. */
export interface LoginNote {
  readonly applicationId: string | undefined;
  readonly authenticationType: string;
}

/**
 * The user as he is now. Between the proof and this moment an administrator may have acted, whom a login must not outrun.
 * @throws IdentityError 404 when he went, was locked out or got another password since.
 */
export async function loadUnchanged(call: WriteCall, proven: StoredRecord): Promise<StoredRecord> {
  const fresh = await call.reader.retrieve(tenantScope(proven.tenantId ?? ""), users.table, proven.id);
  const passwordOf = (stored: StoredRecord): string | undefined => parseHidden<HiddenUser>(stored)?.passwordHash;
  if (fresh === undefined || !parseRecord<User>(fresh).active || passwordOf(fresh) !== passwordOf(proven))
    throw generalError("notFound");
  return fresh;
}

/**
 * Notes a login in the user and in the registration, and tells of it. Answers the user in JSON as the wire shows it. The instant is part of
 * the two records, since answers show it; their `lastUpdateInstant` stays, for nobody changed them.
 */
export async function noteLogin(
  call: WriteCall,
  stored: StoredRecord,
  { applicationId, authenticationType }: LoginNote,
): Promise<string> {
  const lastLoginInstant = call.service.runtime.clock();
  const record = await changeUser(call, stored, { lastLoginInstant });
  const user = parseRecord<User>(record);
  const registration = applicationId === undefined ? undefined : await findRegistration(call, user, applicationId);
  if (registration !== undefined) await changeRegistration(call, registration, { lastLoginInstant });
  const json = await presentUser(call, record);
  const { connectorId, id: linkedObjectId, tenantId } = user;
  const ipAddress = addressOfLogin(call);
  const fields = { applicationId, authenticationType, connectorId, ipAddress, user: JSON.parse(json) };
  await publishEvent(call, { type: "user.login.success", tenantId, linkedObjectId, fields });
  return json;
}
