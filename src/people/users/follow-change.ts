import { CanonicalText, toCanonicalJson } from "../../json/canonical-json.js";
import type { Change, Draft } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import type { RecordToStore } from "../../ports/storage.js";
import type { MailTemplateIds } from "../../records/settings/tenant-settings.js";
import type { ParsedUserRequest, User } from "../../records/users/schema.js";
import { endStaleSessions } from "../../sessions/ending/end-browser-sessions.js";
import { type PresentedUser, revokeTokensOfUser } from "../../sessions/ending/revoke-tokens.js";
import { relationsOf } from "../relations/user-relations.js";
import { followNewLoginIds, followNewPassword } from "../verification/follow-user.js";
import { publishNewLoginIds } from "./login-id-events.js";
import { assertUniqueLoginIds } from "./shared-login-ids.js";

/**
 * Publishes the events of a new or changed user, and starts verifications; returns members for the answer.
 * @throws IdentityError 400 for a login id that another user has as another type.
 */
export async function followWrite(
  call: WriteCall,
  change: Change<User, ParsedUserRequest>,
  record: RecordToStore,
): Promise<Readonly<Record<string, unknown>>> {
  const { draft, kind, original } = change;
  await assertUniqueLoginIds(call, change);
  const { id, tenantId } = draft.record;
  const event = { tenantId, linkedObjectId: id, type: `user.${kind}` };
  if (original === undefined) {
    // A new user has no relations yet, so the stored text is complete: serializing it again would cost time.
    await publishEvent(call, { ...event, fields: { user: new CanonicalText(record.json) } });
    return {};
  }
  call.tx.afterCommit(call.service.forgetSessions);
  if (draft.hidden?.proofEnds !== undefined || draft.record.expiry !== undefined) await endStaleSessions(call, record);
  const relations = await relationsOf(call, { id, hidden: hiddenOf(draft) });
  // Serialized once for several events: with the memberships it may be long.
  const toText = (record: User): CanonicalText => new CanonicalText(toCanonicalJson({ ...record, ...relations }));
  const user = toText(draft.record);
  await publishEvent(call, { ...event, fields: { user, original: toText(original) } });
  await publishNewLoginIds(call, { user: draft.record, original, shown: user });
  const { email, phoneNumber } = draft.record;
  const isChanged = email !== original.email || phoneNumber !== original.phoneNumber;
  const started = isChanged && (await followNewLoginIds(call, { id, tenantId }, original));
  if (change.request.passwordHash !== undefined) await followPassword(call, { id, tenantId, shown: user });
  return { ...started };
}

/** Publishes the change of a password and mails the user. Sessions that were started with the old one, perhaps stolen, end. */
export async function followPassword(
  call: WriteCall,
  user: PresentedUser,
  mail: keyof MailTemplateIds = "passwordUpdateEmailTemplateId",
): Promise<void> {
  const event = { tenantId: user.tenantId, linkedObjectId: user.id, fields: { user: user.shown } };
  await publishEvent(call, { ...event, type: "user.password.update" });
  await revokeTokensOfUser(call, user);
  await followNewPassword(call, user, mail);
}

function hiddenOf({ hidden }: Draft<User>): string | null {
  return hidden === undefined ? null : toCanonicalJson(hidden);
}
