import type { OperationResult } from "../../http/transport/write-response.js";
import type { OperationCall } from "../../operations/operation.js";
import { lazily } from "../../shared/async.js";
import { type SessionTokens, saveRefreshToken, signSessionTokens, toTokenResponse } from "../sessions/session-tokens.js";
import { findLoginScope, findTokenSubject, type LoginScope } from "../tokens/token-subject.js";
import { proofHeaders } from "../validity/proof-header.js";
import { assertReal, assertUsableLogin } from "./assert-usable-login.js";
import { loadUnchanged, type NewSession, proofOfSession } from "./new-session.js";
import { recordLogin } from "./record-login.js";
import { findRequiredStep } from "./required-step.js";
import { validateLogin } from "./user-lambdas.js";

const loadReports = lazily(() => import("../devices/report-login.js"));

/**
 * The answer to a user who proved who he is (docs/reference/tokens.md#login): 200, or 202 when he is not registered to the application, or 203 when the
 * password must be changed first, or 212 and 213 when the email or the registration must be verified first. `place` is that of the login, where it was read before.
 * @throws IdentityError 401 `[invalidCredentials]` when the user was locked out, or got another password, since the proof was checked; 410 past the user's expiry;
 * 409 while an action prevents it; 400 with what a lambda has against the login.
 */
export async function startSession(call: OperationCall, newSession: NewSession, place?: LoginScope): Promise<OperationResult> {
  assertReal(call);
  await assertUsableLogin(call, newSession);
  const known = place ?? (await findLoginScope(call, newSession.user.tenantId ?? "", newSession.applicationId));
  const required = await findRequiredStep(call, newSession.user, known, newSession.changeReason);
  return required ?? openSession(call, newSession, known);
}

/** As {@link startSession}, without checking what the user must do first. */
export async function openSession(call: OperationCall, newSession: NewSession, place?: LoginScope): Promise<OperationResult> {
  const { applicationId, authenticationType, noJwt, recognition, user } = newSession;
  const known = place ?? (await findLoginScope(call, user.tenantId ?? "", applicationId));
  const subject = await findTokenSubject(call, user, known);
  const proof = proofOfSession(newSession);
  await validateLogin(call, subject, newSession);
  const tokens = noJwt ? undefined : await signSessionTokens(call, subject, authenticationType, proof);
  const status = applicationId !== undefined && subject.registration === undefined ? 202 : 200;
  return call.write(async (write) => {
    const fresh = await loadUnchanged(write, { ...newSession, proof }, known);
    await assertUsableLogin(write, { applicationId, user: fresh });
    if (tokens?.refresh !== undefined) await saveRefreshToken(write, subject, tokens.refresh, newSession.metaData);
    const learned = recognition && (await loadReports()).recordDevice(write, fresh, recognition);
    const userJson = await recordLogin(write, fresh, { ...newSession, learned });
    if (recognition?.isNewDevice) await (await loadReports()).reportNewDevice(write, newSession, known, userJson);
    return toAnswer(call, { status, tokens, userJson, proof: proofHeaders(call, user.id, proof) });
  });
}

interface LoginAnswer {
  readonly status: number;
  readonly tokens: SessionTokens | undefined;
  readonly userJson: string;
  readonly proof: OperationResult["headers"];
}

function toAnswer(call: OperationCall, { proof, status, tokens, userJson }: LoginAnswer): OperationResult {
  if (tokens === undefined) return { status, json: `{"user":${userJson}}`, headers: proof };
  const { members, headers } = toTokenResponse(call, tokens);
  const { expirationInstant } = tokens.access;
  const parts = Object.entries({ ...members, tokenExpirationInstant: expirationInstant }).sort(([a], [b]) => (a < b ? -1 : 1));
  const json = parts.map(([name, value]) => `"${name}":${JSON.stringify(value)},`).join("");
  return { status, json: `{${json}"user":${userJson}}`, headers: { ...headers, ...proof } };
}
