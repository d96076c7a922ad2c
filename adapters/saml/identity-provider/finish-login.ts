import type { ApiResponse } from "latchkey/ports";
import { statusCodes } from "../messages/names.js";
import type { SamlCall } from "../server/saml-call.js";
import { XmlError } from "../xml/xml-error.js";
import { createLoginResponse } from "./create-login-response.js";
import { isOfBrowser, toCookie } from "./login-cookie.js";
import { type LoginState, openState } from "./login-state.js";
import { postFailure, postResponse, type ResponseTarget, toHeader } from "./post-response.js";
import { findSubject } from "./sign-user-in.js";
import { findSigningKey } from "./signing-key.js";
import { StatusError } from "./status-error.js";
import { writeFailure } from "./write-response.js";

/** Completes the login when the user returns from the pages, and posts the response to the application. @throws XmlError */
export async function finishLogin(call: SamlCall): Promise<ApiResponse> {
  const { host, publicUrl, request } = call;
  const query = new URLSearchParams(request.query);
  const state = await openState(host, query.get("state") ?? "");
  if (state === undefined || state.tenantId !== call.id || !isOfBrowser(state, request))
    throw new XmlError("The login did not begin in this browser, or began more than an hour ago.");
  const to = await call.applications.findById(state.applicationId);
  if (to === undefined) throw new XmlError("The application does not use SAML any more.");
  const { consumerUrl, relayState, requestId } = state;
  const asked = { to, consumerUrl, relayState, requestId };
  const cookie = toCookie(publicUrl, state, 0);
  try {
    return postResponse(asked, await writeAnswer(call, { asked, state }, query), cookie);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return postFailure(call, asked, { error, cookie });
  }
}

/** A login after the user's return from the pages. */
interface ReturnedLogin {
  readonly asked: ResponseTarget;
  readonly state: LoginState;
}

async function writeAnswer(call: SamlCall, { asked, state }: ReturnedLogin, query: URLSearchParams): Promise<string> {
  const { to } = asked;
  const { settings } = to;
  const header = toHeader(call, asked);
  const key = await findSigningKey(call.host, settings.keyId);
  const code = query.get("code");
  if (code === null)
    return writeFailure(header, [statusCodes.responder, toStatusCode(query.get("error"), state)], { key, settings });
  const { host, publicUrl, request } = call;
  const subject = await findSubject(host, to, { code, state, publicUrl, request });
  if (subject === undefined) throw new XmlError("The code of the login is not valid.");
  const { contexts, nameIdFormat } = state;
  return createLoginResponse(host, { to, header, nameIdFormat, contexts, subject });
}

const refusals: Readonly<Record<string, string>> = {
  access_denied: statusCodes.requestDenied,
  consent_required: statusCodes.noPassive,
  interaction_required: statusCodes.noPassive,
  login_required: statusCodes.noPassive,
};

function toStatusCode(error: string | null, { isPassive }: LoginState): string {
  const code = refusals[error ?? ""] ?? statusCodes.authenticationFailed;
  return code === statusCodes.noPassive && !isPassive ? statusCodes.authenticationFailed : code;
}
