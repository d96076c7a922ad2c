import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { hasExternalPassword } from "../../people/passwords/policies.js";
import type { StoredRecord } from "../../ports/storage.js";
import type { User } from "../../records/users/schema.js";
import { issueId } from "../../sessions/one-time-ids/one-time-ids.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { proofOf } from "../../sessions/validity/proof.js";

/** The reason why a user must change the password first. */
export type PasswordChangeReason = "Administrative" | "Breached" | "Expired" | "Validation";

/** A user after the check of the password. */
export interface CheckedUser {
  /** The reason that the check found. */
  readonly changeReason?: PasswordChangeReason | undefined;
  readonly user: StoredRecord;
}

/**
 * The response 203 to a user who must change the password; undefined without a reason. Passwords of a connector cannot be changed
 * here.
 */
export async function requirePasswordChange(
  call: OperationCall,
  { application, tenant }: LoginScope,
  { changeReason, user }: CheckedUser,
): Promise<OperationResult | undefined> {
  const { connectorId, id: userId, passwordChangeRequired } = parseRecord<User>(user);
  const isRequired = passwordChangeRequired && !hasExternalPassword({ connectorId });
  const changePasswordReason = isRequired ? "Administrative" : changeReason;
  if (changePasswordReason === undefined) return undefined;
  const details = { isTrusted: true };
  const asked = { purpose: "changePassword", applicationId: application?.id, details, proof: proofOf(user, []), userId } as const;
  const { id: changePasswordId } = await call.write((write) => issueId(write, tenant, asked));
  return { status: 203, json: toCanonicalJson({ changePasswordId, changePasswordReason }) };
}
