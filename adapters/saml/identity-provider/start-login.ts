import type { ApiResponse } from "latchkey";
import { redirect } from "../server/responses.js";
import type { SamlCall } from "../server/saml-call.js";
import { XmlError } from "../xml/xml-error.js";
import { toCookie } from "./login-cookie.js";
import { type LoginState, lifetimeSeconds, sealState } from "./login-state.js";
import { findConsumer, type LoginRequest, readLoginRequest } from "./read-request.js";
import { toAuthorizeUrl } from "./sign-user-in.js";

/** Takes the request of an application, and lets its user log in. @throws XmlError */
export async function startLogin(call: SamlCall): Promise<ApiResponse> {
  const { applications, host, id: tenantId, publicUrl, request } = call;
  const url = `${publicUrl}/samlv2/login/${tenantId}`;
  return letLogIn(call, await readLoginRequest(request, { host, applications, tenantId, url }));
}

/** Begins a login without a request, for an application that allows it. @throws XmlError */
export async function startInitiatedLogin(call: SamlCall): Promise<ApiResponse> {
  const to = await call.applications.findById(call.id);
  if (to?.settings.initiatedLogin.enabled !== true) throw new XmlError("The application has no logins that begin here.");
  const query = new URLSearchParams(call.request.query);
  const relayState = query.get("RelayState") ?? undefined;
  const { nameIdFormat } = to.settings.initiatedLogin;
  const consumerUrl = findConsumer(to, undefined);
  const asked = { id: undefined, isForced: false, isPassive: false, loginHint: undefined };
  return letLogIn(call, { ...asked, to, consumerUrl, nameIdFormat, relayState: relayState?.slice(0, 1_024) });
}

async function letLogIn({ host, publicUrl }: SamlCall, asked: LoginRequest): Promise<ApiResponse> {
  const { application } = asked.to;
  const state: LoginState = {
    applicationId: application.id,
    tenantId: application.tenantId,
    consumerUrl: asked.consumerUrl,
    requestId: asked.id,
    nameIdFormat: asked.nameIdFormat,
    relayState: asked.relayState,
    isPassive: asked.isPassive,
    codeVerifier: randomText(),
    nonce: randomText(),
  };
  const sealed = await sealState(host, state);
  const url = toAuthorizeUrl(publicUrl, state, { sealed, options: asked });
  return redirect(303, url, toCookie(publicUrl, state, lifetimeSeconds));
}

function randomText(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
}
