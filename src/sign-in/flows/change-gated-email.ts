import { generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import { emptyResult, type OperationCall } from "../../operations/operation.js";
import { toRequestDocument } from "../../operations/verbs/patch.js";
import { replaceUser, users } from "../../people/users/rules.js";
import { tenantScope } from "../../ports/storage.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import type { User } from "../../records/users/schema.js";
import { findId } from "../../sessions/one-time-ids/one-time-ids.js";
import { findLoginScope } from "../../sessions/subjects/token-subject.js";
import { limitRate } from "../../sessions/throttle/rate-limits.js";

/**
 * Changes the address of a gated user, such as a mistyped one whose mail the user cannot read: the verification id authenticates
 * the user. Mails the new address. Returns the new id when the mail contains a code.
 * @throws IdentityError 404 for an unknown id, an id of a verified or changed address, and a tenant that does not allow it,
 * alike; 400 for another user's address; 429.
 */
export async function changeGatedEmail(call: OperationCall, verificationId: string, email: string): Promise<OperationResult> {
  const found = await findId(call, "emailVerification", verificationId);
  const scope = tenantScope(found?.tenantId ?? "");
  const stored = found?.userId && (await call.reader.retrieve(scope, users.table, found.userId));
  if (!found || !stored) throw generalError("notFound");
  const user = parseRecord<User>(stored);
  const { tenant } = await findLoginScope(call, found.tenantId, undefined);
  const { unverified, verificationStrategy, verifyEmail } = accountSettingsOf(tenant).emailConfiguration;
  const isAllowed = verifyEmail && unverified.behavior === "Gated" && unverified.allowEmailChangeWhenGated;
  if (!isAllowed || !user.active || user.verified || user.email !== found.details.loginId) throw generalError("notFound");
  await limitRate(call, tenant, { name: "sendEmailVerification", subject: { userId: user.id } });
  const document = await toRequestDocument(call, users, stored);
  const changed = { body: { user: { ...Object(document.user), email } }, params: { userId: user.id }, scope };
  const write: OperationCall["write"] = (work, options) => call.write((own) => work({ ...own, ...changed }), options);
  const { json } = await replaceUser({ ...call, ...changed, write });
  const { emailVerificationId } = JSON.parse(json) as { readonly emailVerificationId?: string };
  if (verificationStrategy === "ClickableLink") return emptyResult;
  return { status: 200, json: toCanonicalJson({ verificationId: emailVerificationId }) };
}
