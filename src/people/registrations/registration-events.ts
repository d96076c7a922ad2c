import { CanonicalText } from "../../json/canonical-json.js";
import type { NewEvent } from "../../operations/events/recorded-event.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import { presentRecords } from "../../operations/family/record-steps.js";
import type { WriteCall } from "../../operations/operation.js";
import { globalScope, type StoredRecord } from "../../ports/storage.js";
import { applicationsTable } from "../../records/applications/family.js";
import type { Application } from "../../records/applications/schema.js";
import { oauthSettingsOf } from "../../records/settings/oauth-settings.js";
import { usersTable } from "../../records/users/family.js";
import type { Registration } from "../../records/users/schema.js";
import { endLoginsAt } from "../../sessions/ending/end-browser-sessions.js";
import { users } from "../users/rules.js";

/** A registration of a user, in its new and its original state. */
export interface RegistrationChange {
  readonly userId: string;
  readonly registration: Registration;
  readonly original?: Registration | undefined;
}

/** The events of registrations, with their users. One read for all users. */
export async function describeRegistrations(
  call: WriteCall,
  type: string,
  registrations: readonly RegistrationChange[],
): Promise<readonly NewEvent[]> {
  const values = [...new Set(registrations.map(({ userId }) => userId))];
  const found = await call.reader.find(globalScope, usersTable, { op: "in", column: "id", values });
  const texts = await presentRecords(call, users, found);
  const byId = new Map(found.map((user, index) => [user.id, { user, text: new CanonicalText(texts[index] ?? "{}") }]));
  return registrations.flatMap(({ userId, registration, original }) => {
    const known = byId.get(userId);
    if (known === undefined) return [];
    const fields = { applicationId: registration.applicationId, registration, original, user: known.text };
    return { type, tenantId: known.user.tenantId ?? "", linkedObjectId: userId, fields };
  });
}

/** The events of removed registrations. Ends the logins at applications that require a registration. */
export async function describeRemovedRegistrations(
  call: WriteCall,
  records: readonly StoredRecord[],
): Promise<readonly NewEvent[]> {
  const removed = records.map((stored) => ({ userId: userOf(stored), registration: parseRecord<Registration>(stored) }));
  await endUnregistered(call, removed);
  return describeRegistrations(call, "user.registration.delete", removed);
}

async function endUnregistered(call: WriteCall, removed: readonly RegistrationChange[]): Promise<void> {
  const values = [...new Set(removed.map(({ registration }) => registration.applicationId))];
  const found = await call.reader.find(globalScope, applicationsTable, { op: "in", column: "id", values });
  const asking = new Map(
    found
      .filter((stored) => oauthSettingsOf(parseRecord<Application>(stored)).requireRegistration)
      .map(({ id, tenantId }) => [id, tenantId ?? ""]),
  );
  for (const { registration, userId } of removed) {
    const { applicationId } = registration;
    const tenantId = asking.get(applicationId);
    if (tenantId !== undefined) await endLoginsAt(call, { tenantId, userId, applicationIds: [applicationId] });
  }
}

interface HiddenRegistration {
  readonly userId: string;
}

/** The user of a stored registration. */
export function userOf(stored: StoredRecord): string {
  return parseHidden<HiddenRegistration>(stored)?.userId ?? "";
}
