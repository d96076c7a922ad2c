import type { OperationResult } from "../../http/transport/write-response.js";
import { addMembers } from "../../json/canonical-json.js";
import type { OperationCall } from "../../operations/operation.js";
import type { LoginSignals } from "../../people/users/login-history.js";
import type { LoginScope } from "../../sessions/subjects/token-subject.js";
import { lazily } from "../../shared/async.js";
import { isTracked } from "../devices/is-tracked.js";
import { continueLogin, type FirstFactorLogin } from "./second-factor.js";

const loadRecognition = lazily(() => import("../devices/recognize-login.js"));

/**
 * Answers a user after the first factor: asks for a second factor if required, else as `startSession`. When devices are tracked,
 * detects the device and threats here, for every way to log in.
 */
export async function finishLogin(call: OperationCall, login: FirstFactorLogin, place: LoginScope): Promise<OperationResult> {
  if (!(await isTracked(call, place))) return continueLogin(call, login, place);
  const { recognizeLogin } = await loadRecognition();
  const { cookie, recognition } = await recognizeLogin(call, login, place);
  const answer = await continueLogin(call, { ...login, recognition }, place);
  return showThreats(answer, recognition, cookie);
}

/** The statuses of responses that show threats: sessions, a required password change, and the request for a second factor. */
const showing: ReadonlySet<number> = new Set([200, 202, 203, 242]);

/** Adds the detected threats to the response of a login. */
export function showThreats(result: OperationResult, recognition: LoginSignals | undefined, cookie?: string): OperationResult {
  const { threats: threatsDetected = [] } = recognition ?? {};
  const shows = threatsDetected.length > 0 && showing.has(result.status);
  const json = shows ? addMembers(result.json, { threatsDetected }) : result.json;
  const cookies = [result.headers?.["set-cookie"] ?? [], cookie ?? []].flat();
  const headers = cookies.length === 0 ? result.headers : { ...result.headers, "set-cookie": cookies };
  return { ...result, json, headers };
}
