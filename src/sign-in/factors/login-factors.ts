import type { OperationCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import { presentMethod, type TwoFactorMethod } from "../../records/factors/two-factor-state.js";
import { applicationSettingsOf } from "../../records/settings/application-settings.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { hasSecondPasskey } from "../web-authn/second-factor.js";
import { stateOf } from "./user-factor.js";

/** The user of a login, and the first factor. */
interface UserOfLogin {
  readonly authenticationType?: string | undefined;
  readonly user: StoredRecord;
}

/**
 * Whether a passkey can finish a login of a user: `secondFactorWorkflow` is enabled, the user has a passkey, and the first factor
 * was no passkey. Reads the passkeys only if the settings allow them.
 */
async function isPasskeyAllowed(
  call: OperationCall,
  { authenticationType, user }: UserOfLogin,
  place: LoginScope,
): Promise<boolean> {
  const { enabled, secondFactorWorkflow } = accountSettingsOf(place.tenant).webAuthnConfiguration;
  const own = applicationSettingsOf(place.application).webAuthnConfiguration;
  const isOn = enabled && (own.enabled ? own : { secondFactorWorkflow }).secondFactorWorkflow.enabled;
  const isPossible = call.service.accounts.passkeys !== undefined && authenticationType !== "WEBAUTHN";
  if (!isOn || !isPossible) return false;
  return hasSecondPasskey(call, user.id, place);
}

/** Whether a user can finish a login with a second factor: a method, or a passkey if the settings allow one. */
export async function hasFactor(call: OperationCall, login: UserOfLogin, place: LoginScope): Promise<boolean> {
  return stateOf(login.user).methods.length > 0 || isPasskeyAllowed(call, login, place);
}

/** The second factors with which a user can finish a login. */
export async function findFactors(
  call: OperationCall,
  login: UserOfLogin,
  place: LoginScope,
): Promise<{ readonly methods: readonly TwoFactorMethod[]; readonly passkeyAllowed?: true | undefined }> {
  const passkeyAllowed = (await isPasskeyAllowed(call, login, place)) || undefined;
  return { methods: stateOf(login.user).methods.map(presentMethod), passkeyAllowed };
}
