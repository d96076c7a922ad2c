import type { OperationResult } from "../../http/transport/write-response.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import type { Proof } from "../../records/refresh-tokens/schema.js";
import { bindingOf } from "../../sessions/subjects/presented-token.js";
import { findLoginScope, findTokenSubject, type LoginScope, type TokenSubject } from "../../sessions/subjects/token-subject.js";
import { proofHeaders } from "../../sessions/validity/proof-header.js";
import { assertUsableLogin } from "../steps/assert-usable-login.js";
import { loadUnchanged, type NewSession, proofOfSession } from "../steps/new-session.js";
import { recordLogin } from "../steps/record-login.js";
import { validateLogin } from "../steps/user-lambdas.js";
import { recordDevice, reportNewDevice } from "./report-login.js";
import { type SessionTokens, saveRefreshToken, signSession, toTokenResponse } from "./session-tokens.js";

/** Begins the session of a user without remaining steps. @throws IdentityError as `startSession`. */
export async function openSession(call: OperationCall, newSession: NewSession, place?: LoginScope): Promise<OperationResult> {
  const { applicationId, authenticationType, noJwt, user } = newSession;
  const known = place ?? (await findLoginScope(call, user.tenantId ?? "", applicationId));
  const subject = await findTokenSubject(call, user, known);
  const proof = proofOfSession(newSession);
  await validateLogin(call, subject, newSession);
  const origin = noJwt ? undefined : { authenticationType, proof, jkt: (await bindingOf(call))?.jkt };
  const tokens = origin && (await signSession(call, subject, origin));
  const userJson = await call.write((write) => saveSession(write, { ...newSession, proof }, { subject, tokens }));
  return toAnswer(call, { applicationId, subject, tokens, userJson, proof });
}

// Checks again in the transaction: an administrator may have acted since the proof.
async function saveSession(
  call: WriteCall,
  newSession: NewSession & { readonly proof: Proof },
  { subject, tokens }: Pick<LoginAnswer, "subject" | "tokens">,
): Promise<string> {
  const { applicationId, metaData, recognition } = newSession;
  const fresh = await loadUnchanged(call, newSession, subject);
  await assertUsableLogin(call, { applicationId, user: fresh });
  if (tokens?.refresh !== undefined) await saveRefreshToken(call, subject, { ...tokens.refresh, metaData });
  const learned = recognition && recordDevice(call, fresh, recognition);
  const userJson = await recordLogin(call, fresh, { ...newSession, learned });
  if (recognition?.isNewDevice) await reportNewDevice(call, subject, { session: newSession, userJson });
  return userJson;
}

interface LoginAnswer extends Pick<NewSession, "applicationId"> {
  readonly subject: TokenSubject;
  readonly tokens: SessionTokens | undefined;
  readonly userJson: string;
  readonly proof: Proof;
}

function toAnswer(call: OperationCall, login: LoginAnswer): OperationResult {
  const { applicationId, proof: shown, subject, tokens, userJson } = login;
  const status = applicationId !== undefined && subject.registration === undefined ? 202 : 200;
  const proof = proofHeaders(call, subject.user.id, shown);
  if (tokens === undefined) return { status, json: `{"user":${userJson}}`, headers: proof };
  const { members, headers } = toTokenResponse(call, tokens);
  const { expirationInstant } = tokens.access;
  const parts = Object.entries({ ...members, tokenExpirationInstant: expirationInstant }).sort(([a], [b]) => (a < b ? -1 : 1));
  const json = parts.map(([name, value]) => `"${name}":${JSON.stringify(value)},`).join("");
  return { status, json: `{${json}"user":${userJson}}`, headers: { ...headers, ...proof } };
}
