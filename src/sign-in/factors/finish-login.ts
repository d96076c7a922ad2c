import type { OperationResult } from "../../http/transport/write-response.js";
import { addMembers } from "../../json/canonical-json.js";
import type { OperationCall } from "../../operations/operation.js";
import type { LoginSignals } from "../../people/users/login-history.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { lazily } from "../../shared/async.js";
import { isTracked } from "../devices/is-tracked.js";
import type { NewSession } from "../steps/new-session.js";
import { continueLogin } from "./second-factor.js";

const loadRecognition = lazily(() => import("../devices/recognize-login.js"));

/**
 * The answer to a user who proved who he is, by a password or otherwise: asks for a second factor where one is needed, else as
 * `startSession`. `twoFactorTrustId` is what the device presents. Where devices are tracked, the device and the threats are found out here, for every way to log in.
 */
export async function finishLogin(
  call: OperationCall,
  session: NewSession,
  place: LoginScope,
  twoFactorTrustId: string | undefined,
): Promise<OperationResult> {
  if (!(await isTracked(call, place))) return continueLogin(call, session, place, twoFactorTrustId);
  const { recognizeLogin } = await loadRecognition();
  const { cookie, recognition } = await recognizeLogin(call, session, place);
  const answer = await continueLogin(call, { ...session, recognition }, place, twoFactorTrustId);
  return showThreats(answer, recognition, cookie);
}

/** The answers that show threats: sessions, the right to choose another password, and what a second factor is asked with. */
const showing: ReadonlySet<number> = new Set([200, 202, 203, 242]);

/** An answer to a login, with the threats that were found. */
export function showThreats(result: OperationResult, recognition: LoginSignals | undefined, cookie?: string): OperationResult {
  const { threats: threatsDetected = [] } = recognition ?? {};
  const shows = threatsDetected.length > 0 && showing.has(result.status);
  const json = shows ? addMembers(result.json, { threatsDetected }) : result.json;
  const cookies = [result.headers?.["set-cookie"] ?? [], cookie ?? []].flat();
  const headers = cookies.length === 0 ? result.headers : { ...result.headers, "set-cookie": cookies };
  return { ...result, json, headers };
}
