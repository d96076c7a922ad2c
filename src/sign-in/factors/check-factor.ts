import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import { type FactorKind, factorKinds, redactMethod, type TwoFactorMethod } from "../../records/factors/two-factor-state.js";
import { applicationSettingsOf } from "../../records/settings/application-settings.js";
import { accountSettingsOf } from "../../records/settings/tenant-settings.js";
import type { User } from "../../records/users/schema.js";
import { type DeviceTrust, isTrustedAt, trustsOf } from "../../sessions/one-time-ids/trusts.js";
import { findTokenSubject, type LoginScope } from "../../sessions/subjects/token-subject.js";
import type { NewSession } from "../steps/new-session.js";
import { runForUser } from "../steps/user-lambdas.js";
import { findFactors, hasFactor } from "./login-factors.js";

/** The kinds of methods that users of a tenant can add. */
export function enabledKinds({ tenant }: LoginScope): readonly FactorKind[] {
  const { multiFactorConfiguration } = accountSettingsOf(tenant);
  return factorKinds.filter((kind) => multiFactorConfiguration[kind].enabled);
}

/**
 * Describes the methods of a user, without addresses and numbers for a caller without a credential; for a user without methods,
 * the kinds to choose from. Also returns whether a passkey can finish the login.
 */
export async function describeMethods(
  call: OperationCall,
  login: Pick<NewSession, "authenticationType" | "user">,
  place: LoginScope,
): Promise<{
  readonly configurableMethods?: readonly FactorKind[] | undefined;
  readonly methods: readonly TwoFactorMethod[];
  readonly passkeyAllowed?: true | undefined;
}> {
  const { methods: shown, passkeyAllowed } = await findFactors(call, login, place);
  const methods = call.principal === undefined ? shown.map(redactMethod) : shown;
  return { configurableMethods: methods.length === 0 ? enabledKinds(place) : undefined, methods, passkeyAllowed };
}

/** The action that may need a second factor, and the first factor that the user showed. */
export interface FactorRequest {
  readonly action: "changePassword" | "login" | "stepUp";
  readonly authenticationType?: string | undefined;
  readonly authenticationThreats: readonly string[];
  /** Whether the user already showed two factors. */
  readonly isMultiFactor?: boolean | undefined;
  /** The access token of a step-up. */
  readonly accessToken?: string | undefined;
  /** The trust that the device presented. */
  readonly trust: DeviceTrust | undefined;
  readonly user: StoredRecord;
}

/** The decision about a second factor. */
export interface FactorResult {
  readonly required: boolean;
  readonly sendSuspiciousLoginEvent: boolean;
}

/**
 * Decides whether a second factor is required, by the policy of the application or the tenant, the trust in the device, and a
 * lambda if one is configured.
 * @throws IdentityError 400 `[LambdaFailed]`.
 */
export async function checkSecondFactor(
  call: OperationCall,
  { isMultiFactor = false, trust, user, ...question }: FactorRequest,
  place: LoginScope,
): Promise<FactorResult> {
  const { tenant, application } = place;
  const { loginPolicy, trustPolicy } = applicationSettingsOf(application).multiFactorConfiguration;
  const tenantLoginPolicy = accountSettingsOf(tenant).multiFactorConfiguration.loginPolicy;
  const policy = loginPolicy ?? tenantLoginPolicy;
  const isAsked = policy === "Required" || (policy === "Enabled" && (await hasFactor(call, { ...question, user }, place)));
  // Trust replaces the second factor of a login only.
  const isTrusted = question.action === "login" && isTrustedAt(call, place, trust);
  // A new device alone does not make a login suspicious.
  const isSuspicious = question.authenticationThreats.some((threat) => threat !== "UnrecognizedDevice");
  const decision: FactorResult = { required: isAsked && !isTrusted && !isMultiFactor, sendSuspiciousLoginEvent: isSuspicious };
  const path = "multiFactorRequirementId";
  const lambdaId = application?.lambdaConfiguration[path] ?? tenant.lambdaConfiguration[path];
  if (lambdaId === undefined) return decision;
  const subject = await findTokenSubject(call, user, place);
  const policies = { applicationLoginPolicy: loginPolicy, applicationMultiFactorTrustPolicy: trustPolicy, tenantLoginPolicy };
  const context = { ...question, mfaTrust: describeTrust(call, trust), policies };
  const lambda = { lambdaId, type: "MFARequirement", arguments: { result: decision }, context } as const;
  return (await runForUser(call, subject, lambda)).result as FactorResult;
}

function describeTrust(call: OperationCall, trust: DeviceTrust | undefined): Readonly<Record<string, unknown>> | undefined {
  const trusts = trustsOf(call, trust);
  const { applicationId, expiration: expirationInstant, startInstant } = trusts.at(-1) ?? {};
  if (trust === undefined || startInstant === undefined) return undefined;
  const applications = Object.fromEntries(
    trusts.flatMap((one) => (one.applicationId === undefined ? [] : [[one.applicationId, one.startInstant]])),
  );
  const { recordId: id, tenantId, userId } = trust;
  return { applicationId, expirationInstant, id, startInstants: { applications }, tenantId, userId };
}

/** The factor request of a login. When the user must change the password first, the login permits only that change. */
export function toFactorRequest(
  { authenticationType, changeReason, isMultiFactor, recognition, user }: NewSession,
  trust: DeviceTrust | undefined,
): FactorRequest {
  const mustChange = changeReason !== undefined || parseRecord<User>(user).passwordChangeRequired;
  const authenticationThreats = recognition?.threats ?? [];
  const action = mustChange ? "changePassword" : "login";
  return { action, authenticationThreats, authenticationType, isMultiFactor, trust, user };
}
