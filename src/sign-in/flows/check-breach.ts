import { CanonicalText } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import { findBreach } from "../../people/passwords/breaches.js";
import { presentUser } from "../../people/relations/present-user.js";
import { saveUser } from "../../people/users/rules.js";
import { queueFlowMail } from "../../people/verification/flow-mail.js";
import { breachRequirement } from "../../people/verification/flow-requirements.js";
import type { StoredRecord } from "../../ports/storage.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import type { User } from "../../records/users/schema.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { loadUnchanged } from "../steps/new-session.js";

/** The password of a login, and the user that it was checked against. */
export interface CheckedPassword {
  readonly password: string;
  readonly user: StoredRecord;
}

/**
 * Checks the password of a login for breaches, stores the result, and publishes `user.password.breach`. Returns whether the user
 * must change the password.
 * @throws IdentityError 401 `[invalidCredentials]` when the user was locked out or got another password meanwhile.
 */
export async function checkBreach(
  call: OperationCall,
  place: LoginScope,
  { password, user: proven }: CheckedPassword,
): Promise<boolean> {
  const { breachDetection } = accountSettingsOf(place.tenant).passwordValidationRules;
  const { onLogin } = breachDetection;
  const breachedPasswordStatus = await findBreach(call, breachDetection, { password, user: parseRecord<User>(proven) });
  const isBreached = breachedPasswordStatus !== "None";
  if (!isBreached && parseRecord<User>(proven).breachedPasswordStatus === "None") return false;
  await call.write(async (write) => {
    const breachedPasswordLastCheckedInstant = call.service.runtime.clock();
    const fresh = await loadUnchanged(write, { user: proven }, place);
    const user = await saveUser(write, fresh, { breachedPasswordLastCheckedInstant, breachedPasswordStatus });
    if (!isBreached) return;
    const fields = { user: new CanonicalText(await presentUser(write, user)) };
    const event = { type: "user.password.breach", tenantId: place.tenant.id, linkedObjectId: user.id };
    await publishEvent(write, { ...event, fields });
    if (onLogin === "NotifyUser") await queueFlowMail(write, { requirement: breachRequirement(place), place, user });
  });
  return isBreached && onLogin === "RequireChange";
}
