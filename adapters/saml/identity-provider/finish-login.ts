import type { ApiResponse } from "latchkey";
import { statusCodes } from "../names.js";
import { postForm } from "../server/responses.js";
import type { SamlCall } from "../server/saml-call.js";
import { XmlError } from "../xml/xml-error.js";
import { createLoginResponse } from "./create-login-response.js";
import { isOfBrowser, toCookie } from "./login-cookie.js";
import { type LoginState, openState } from "./login-state.js";
import type { SamlApplication } from "./saml-applications.js";
import { findSubject } from "./sign-user-in.js";
import { findSigningKey } from "./signing-key.js";
import { newMessageId, type ResponseHeader, writeFailure } from "./write-response.js";

/** A login whose user came back from the pages. */
interface ReturnedLogin {
  readonly call: SamlCall;
  readonly state: LoginState;
  readonly to: SamlApplication;
  readonly header: ResponseHeader;
}

/** Takes the user who comes back from the pages, and posts the response to the application. @throws XmlError */
export async function finishLogin(call: SamlCall): Promise<ApiResponse> {
  const { host, publicUrl, request } = call;
  const query = new URLSearchParams(request.query);
  const state = await openState(host, query.get("state") ?? "");
  if (state === undefined || state.tenantId !== call.id || !isOfBrowser(state, request))
    throw new XmlError("The login did not begin in this browser, or began more than an hour ago.");
  const to = await call.applications.findById(state.applicationId);
  if (to === undefined) throw new XmlError("The application does not use SAML any more.");
  const issuer = `${publicUrl}/samlv2/${state.tenantId}`;
  const { consumerUrl, requestId } = state;
  const header = { id: newMessageId(), issuer, consumerUrl, requestId, now: host.clock() };
  const response = await writeAnswer({ call, state, to, header }, query);
  const fields = { SAMLResponse: Buffer.from(response).toString("base64"), RelayState: state.relayState };
  return postForm(consumerUrl, fields, toCookie(publicUrl, state, 0));
}

async function writeAnswer(login: ReturnedLogin, query: URLSearchParams): Promise<string> {
  const { call, state, to, header } = login;
  const { settings } = to;
  const key = await findSigningKey(call.host, settings.keyId);
  const code = query.get("code");
  if (code === null) return writeFailure(header, toStatusCode(query.get("error"), state), { key, settings });
  const { host, publicUrl, request } = call;
  const subject = await findSubject(host, to, { code, state, publicUrl, request });
  if (subject === undefined) throw new XmlError("The code of the login is not valid.");
  return createLoginResponse(host, { to, header, nameIdFormat: state.nameIdFormat, subject });
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
