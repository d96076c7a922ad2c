import { SignInError } from "latchkey";
import type { ProviderLoginStart, ProviderRedirect, SignInHost } from "latchkey/ports";
import { signElement } from "../signatures/sign-xml.js";
import { createLibrary, findPrivateKey, type LoginSettings } from "./login-library.js";
import { readProviderSettings } from "./provider-settings.js";
import { findConsumerUrl, findEntityId } from "./urls.js";

/** The most bytes of RelayState (saml-bindings-2.0, 3.4.3). */
const maxRelayStateBytes = 80;

/**
 * Returns the redirect with an authentication request: in the query of a URL, or in a form to post.
 * @throws SignInError `refused` for a provider with only IdP-initiated logins, and for a `state` above the limit of SAML.
 */
export async function startLogin(start: ProviderLoginStart, host: SignInHost): Promise<ProviderRedirect> {
  const settings = readProviderSettings(start.provider);
  if (!settings.hasRequests || settings.endpoint === undefined)
    throw new SignInError("refused", "The identity provider starts its logins itself.");
  if (Buffer.byteLength(start.state) > maxRelayStateBytes) throw new SignInError("refused", "SAML carries a state of 80 bytes.");
  const requestId = `_${Buffer.from(host.random(20)).toString("hex")}`;
  const { publicUrl } = host;
  const consumerUrl = findConsumerUrl(settings, { redirectUri: start.redirectUri, isInitiated: false, publicUrl });
  const login = { settings, consumerUrl, entityId: findEntityId(settings, publicUrl), requestId };
  const redirect = await (settings.isPosted ? toForm(login, start, host) : toUrl(login, start, host));
  return { ...redirect, memory: { requestId } };
}

type Redirect = Omit<ProviderRedirect, "memory">;

async function toUrl(login: LoginSettings, { state, loginHint }: ProviderLoginStart, host: SignInHost): Promise<Redirect> {
  const { signingKeyId, loginHintParameter } = login.settings;
  const privateKey = signingKeyId && (await findPrivateKey(signingKeyId, host));
  const library = await createLibrary(login, host, privateKey ? { privateKey } : {});
  const additionalParams = loginHint && loginHintParameter ? { [loginHintParameter]: loginHint } : {};
  return { url: await library.getAuthorizeUrlAsync(state, undefined, { additionalParams }) };
}

// By default, the library compresses posted requests, which the binding forbids, and has only one canonical form for signatures.
async function toForm(login: LoginSettings, { state }: ProviderLoginStart, host: SignInHost): Promise<Redirect> {
  const { canonicalForm, endpoint, signingKeyId } = login.settings;
  const library = await createLibrary(login, host, { skipRequestCompression: true });
  const formFields = (await library.getAuthorizeMessageAsync(state)) as {
    readonly SAMLRequest: string;
    readonly RelayState: string;
  };
  if (signingKeyId === undefined) return { url: endpoint, formFields };
  const document = Buffer.from(formFields.SAMLRequest, "base64").toString();
  const privateKey = await findPrivateKey(signingKeyId, host);
  const signed = signElement({ document, name: "AuthnRequest", canonicalForm, privateKey });
  return { url: endpoint, formFields: { ...formFields, SAMLRequest: Buffer.from(signed).toString("base64") } };
}
