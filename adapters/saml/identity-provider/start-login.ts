import type { ApiResponse } from "latchkey/ports";
import { redirect } from "../server/responses.js";
import type { SamlCall } from "../server/saml-call.js";
import { XmlError } from "../xml/xml-error.js";
import { toCookie } from "./login-cookie.js";
import { type LoginState, lifetimeSeconds, sealState } from "./login-state.js";
import { readNameIdFormat } from "./name-id-formats.js";
import { postFailure } from "./post-response.js";
import { findConsumer, type LoginRequest, readLoginRequest } from "./read-request.js";
import { assertPossible } from "./requested-context.js";
import { toAuthorizeUrl } from "./sign-user-in.js";
import { StatusError } from "./status-error.js";

/** Reads the request of an application and starts its user's login. @throws XmlError */
export async function startLogin(call: SamlCall): Promise<ApiResponse> {
  const { applications, host, id: tenantId, publicUrl, request } = call;
  const url = `${publicUrl}/samlv2/login/${tenantId}`;
  return letLogIn(call, await readLoginRequest(request, { host, applications, tenantId, url }));
}

/** Starts a login without a request, for an application that allows it. @throws XmlError */
export async function startInitiatedLogin(call: SamlCall): Promise<ApiResponse> {
  const to = await call.applications.findById(call.id);
  if (to?.settings.initiatedLogin.enabled !== true) throw new XmlError("The application has no logins that begin here.");
  const query = new URLSearchParams(call.request.query);
  const relayState = query.get("RelayState") ?? undefined;
  const { nameIdFormat } = to.settings.initiatedLogin;
  const consumerUrl = findConsumer(to, { url: undefined, index: undefined });
  const asked = { requestId: undefined, contexts: undefined, isForced: false, isPassive: false, loginHint: undefined };
  return letLogIn(call, { ...asked, to, consumerUrl, nameIdFormat, relayState: relayState?.slice(0, 1_024) });
}

/** Starts the login, or returns an error to the application at once when no login can meet the request. */
async function letLogIn(call: SamlCall, asked: LoginRequest): Promise<ApiResponse> {
  try {
    assertPossible(asked.contexts);
    return await redirectToPages(call, { ...asked, nameIdFormat: readNameIdFormat(asked.nameIdFormat) });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return postFailure(call, asked, { error });
  }
}

async function redirectToPages({ host, publicUrl }: SamlCall, asked: LoginRequest): Promise<ApiResponse> {
  const { application } = asked.to;
  const state: LoginState = {
    applicationId: application.id,
    tenantId: application.tenantId,
    consumerUrl: asked.consumerUrl,
    requestId: asked.requestId,
    nameIdFormat: asked.nameIdFormat,
    contexts: asked.contexts,
    relayState: asked.relayState,
    isPassive: asked.isPassive,
    codeVerifier: randomText(host),
    nonce: randomText(host),
  };
  const sealed = await sealState(host, state);
  const url = toAuthorizeUrl(publicUrl, state, { sealed, options: asked });
  return redirect(303, url, toCookie(publicUrl, state, lifetimeSeconds));
}

function randomText({ random }: SamlCall["host"]): string {
  return Buffer.from(random(32)).toString("base64url");
}
