import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { withMembers } from "../../operations/family/record-steps.js";
import type { OperationCall } from "../../operations/operation.js";
import { type DeviceTrust, findTrust } from "../../sessions/one-time-ids/trusts.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { reportSuspiciousLogin } from "../issuing/report-login.js";
import { startSession } from "../issuing/start-session.js";
import type { NewSession } from "../steps/new-session.js";
import { savePendingLogin } from "../steps/pending-logins.js";
import { publishSecondFactor } from "../steps/record-login.js";
import { checkSecondFactor, describeMethods, toFactorRequest } from "./check-factor.js";

/** A login after its first factor. */
export interface FirstFactorLogin extends NewSession {
  /** The trust that the device presents. */
  readonly twoFactorTrustId?: string | undefined;
}

/**
 * Answers a user after a correct first factor (docs/reference/tokens.md#login): 242 if a second one is required, else as
 * {@link startSession}.
 * @throws IdentityError as {@link startSession}; 400 `[LambdaFailed]`.
 */
export async function continueLogin(
  call: OperationCall,
  { twoFactorTrustId, ...newSession }: FirstFactorLogin,
  place: LoginScope,
): Promise<OperationResult> {
  const trust = await findTrust(call, newSession.user, twoFactorTrustId);
  const challenge = await findSecondFactor(call, { newSession, trust }, place);
  if (challenge !== undefined) return challenge;
  const answer = await startSession(call, newSession, place);
  return trust === undefined ? answer : withMembers(answer, { twoFactorTrustId });
}

// The `twoFactorId` identifies this login until it finishes or expires.
async function findSecondFactor(
  call: OperationCall,
  { newSession, trust }: { readonly newSession: NewSession; readonly trust: DeviceTrust | undefined },
  place: LoginScope,
): Promise<OperationResult | undefined> {
  const { required, sendSuspiciousLoginEvent } = await checkSecondFactor(call, toFactorRequest(newSession, trust), place);
  if (sendSuspiciousLoginEvent) await reportSuspiciousLogin(call, newSession, place);
  if (!required) return undefined;
  const seconds = place.tenant.externalIdentifierConfiguration.twoFactorIdTimeToLiveInSeconds;
  const { twoFactorId } = await call.write(async (write) => {
    const saved = await savePendingLogin(write, { ...newSession, trustRecordId: trust?.recordId }, seconds);
    await publishSecondFactor(write, "challenge", newSession);
    return saved;
  });
  if (call.service.availability.behaves("legacyTwoFactor")) return { status: 242, json: toCanonicalJson({ twoFactorId }) };
  const methods = await describeMethods(call, newSession, place);
  return { status: 242, json: toCanonicalJson({ ...methods, twoFactorId }) };
}
