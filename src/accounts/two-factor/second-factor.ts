import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { presentMethod } from "../../resources/users/two-factor-state.js";
import { lazily } from "../../shared/async.js";
import type { NewSession } from "../login/new-session.js";
import { savePendingLogin } from "../login/pending-logins.js";
import { publishSecondFactor } from "../login/record-login.js";
import { runForUser } from "../login/user-lambdas.js";
import { findTokenSubject, type LoginScope } from "../tokens/token-subject.js";
import { stateOf } from "./user-factor.js";

/**
 * The answer that asks for a second factor (docs/reference/tokens.md#login: 242), once the password was right; undefined when none is needed. The
 * `twoFactorId` in it stands for this login until it is finished or the tenant's `twoFactorIdTimeToLiveInSeconds` are over.
 * @throws IdentityError 400 `[LambdaFailed]`.
 */
export async function findSecondFactor(
  call: OperationCall,
  newSession: NewSession,
  place: LoginScope,
): Promise<OperationResult | undefined> {
  const { methods } = stateOf(newSession.user);
  if (!(await isRequired(call, newSession, place, methods.length > 0))) return undefined;
  const { clock, random } = call.service.runtime;
  const lifetimeSeconds = place.tenant.externalIdentifierConfiguration.twoFactorIdTimeToLiveInSeconds;
  const expirationInstant = clock() + lifetimeSeconds * 1_000;
  const twoFactorId = Buffer.from(random(32)).toString("base64url");
  await call.write(async (write) => {
    await savePendingLogin(write, newSession, { twoFactorId, expirationInstant });
    await publishSecondFactor(write, "challenge", newSession);
  });
  const isLegacy = call.service.availability.behaves("legacyTwoFactor");
  const json = toCanonicalJson(isLegacy ? { twoFactorId } : { methods: methods.map(presentMethod), twoFactorId });
  return { status: 242, json };
}

interface Requirement {
  readonly required: boolean;
  readonly sendSuspiciousLoginEvent: boolean;
}

const loadReports = lazily(() => import("../devices/report-login.js"));

// Required from users who have a second factor, unless a lambda decides otherwise: the application's, else the tenant's. It decides as well
// whether the login is reported as suspicious, which it is anyway where a threat was found that is more than a new device.
async function isRequired(call: OperationCall, session: NewSession, place: LoginScope, hasMethods: boolean): Promise<boolean> {
  const isSuspicious = session.recognition?.threats.some((threat) => threat !== "UnrecognizedDevice") === true;
  const asked: Requirement = { required: hasMethods, sendSuspiciousLoginEvent: isSuspicious };
  const decided = await decide(call, session, place, asked);
  if (decided.sendSuspiciousLoginEvent) await (await loadReports()).reportSuspiciousLogin(call, session, place);
  return decided.required;
}

async function decide(call: OperationCall, session: NewSession, place: LoginScope, asked: Requirement): Promise<Requirement> {
  const { authenticationType, changeReason, recognition, user } = session;
  const { tenant, application } = place;
  const path = "multiFactorRequirementId";
  const lambdaId = application?.lambdaConfiguration[path] ?? tenant.lambdaConfiguration[path];
  if (lambdaId === undefined) return asked;
  const subject = await findTokenSubject(call, user, place);
  const newSession = { lambdaId, type: "MFARequirement", arguments: { result: asked } } as const;
  const authenticationThreats = recognition?.threats ?? [];
  const context = { action: actionOf(user, changeReason), authenticationThreats, authenticationType, policies: {} };
  return (await runForUser(call, subject, { ...newSession, context })).result as Requirement;
}

// A login of who must choose another password first is good for that and nothing else.
function actionOf(user: NewSession["user"], changeReason: NewSession["changeReason"]): "changePassword" | "login" {
  return changeReason !== undefined || parseRecord<{ readonly passwordChangeRequired: boolean }>(user).passwordChangeRequired
    ? "changePassword"
    : "login";
}
