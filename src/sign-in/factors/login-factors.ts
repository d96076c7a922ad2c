import type { OperationCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import { presentMethod, type TwoFactorMethod } from "../../records/factors/two-factor-state.js";
import { applicationSettingsOf } from "../../records/settings/application-settings.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { hasSecondPasskey } from "../web-authn/second-factor.js";
import { stateOf } from "./user-factor.js";

/** Who logs in, and how the user proved who he is. */
interface UserOfLogin {
  readonly authenticationType?: string | undefined;
  readonly user: StoredRecord;
}

/**
 * Whether a passkey can finish a login of a user: where `secondFactorWorkflow` is enabled, the user has one, and the first factor was none. Reads
 * the passkeys only where the settings allow them.
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

/** Whether a user has what can finish a login: a method, or a passkey where the settings allow one. */
export async function hasFactor(call: OperationCall, login: UserOfLogin, place: LoginScope): Promise<boolean> {
  return stateOf(login.user).methods.length > 0 || isPasskeyAllowed(call, login, place);
}

/** What a user has to finish a login with. */
export async function findFactors(
  call: OperationCall,
  login: UserOfLogin,
  place: LoginScope,
): Promise<{ readonly methods: readonly TwoFactorMethod[]; readonly passkeyAllowed?: true | undefined }> {
  const passkeyAllowed = (await isPasskeyAllowed(call, login, place)) || undefined;
  return { methods: stateOf(login.user).methods.map(presentMethod), passkeyAllowed };
}
