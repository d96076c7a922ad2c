import { SignInError } from "latchkey";
import type { ProviderLoginResponse, ProviderLoginStart, ProviderRedirect } from "latchkey/ports";
import * as client from "openid-client";
import { makeClientSecret } from "./apple.js";
import { findConfiguration, type KnownProvider } from "./configuration.js";
import { type LoginTools, type ProviderSettings, textOf } from "./settings.js";

/** The tokens of a provider, and the verified claims of its ID token. */
export interface ProviderTokens {
  readonly accessToken: string | undefined;
  readonly claims: Readonly<Record<string, unknown>> | undefined;
  readonly tokens: Readonly<Record<string, unknown>>;
  /** The userinfo endpoint; undefined for a provider without one. */
  readonly userInfoEndpoint: string | undefined;
}

/** Returns the provider, with a client secret for this login where required. */
export async function findProvider(settings: ProviderSettings, { host }: LoginTools): Promise<KnownProvider> {
  const secret = settings.record.type === "Apple" ? await makeClientSecret(settings, host) : undefined;
  return findConfiguration(settings, host, secret);
}

/** Starts an authorization code flow, with a nonce and PKCE where the provider supports them. */
export async function startCodeFlow(
  settings: ProviderSettings,
  tools: LoginTools,
  login: ProviderLoginStart,
): Promise<ProviderRedirect> {
  const { row, scope } = settings;
  const { configuration, keys } = await findProvider(settings, tools);
  toRedirect(login.redirectUri);
  const random = (): string => Buffer.from(tools.host.random(32)).toString("base64url");
  const memory: Record<string, string> = { ...(keys && { nonce: random() }), ...(row.usesPkce && { verifier: random() }) };
  const parameters: Record<string, string> = {
    ...row.parameters,
    redirect_uri: login.redirectUri,
    response_type: "code",
    scope,
    state: login.state,
  };
  if (memory.nonce !== undefined) parameters.nonce = memory.nonce;
  if (login.loginHint !== undefined) parameters.login_hint = login.loginHint;
  if (settings.record.postRequest === true) parameters.response_mode = "form_post";
  if (memory.verifier !== undefined)
    Object.assign(parameters, {
      code_challenge: await client.calculatePKCECodeChallenge(memory.verifier),
      code_challenge_method: "S256",
    });
  return { url: client.buildAuthorizationUrl(configuration, parameters).href, memory };
}

/**
 * Exchanges a code. The library checks state, issuer, audience, nonce, times and the signature of the ID token.
 * @throws SignInError and the errors of the library.
 */
export async function exchangeCode(
  settings: ProviderSettings,
  tools: LoginTools,
  answer: ProviderLoginResponse,
): Promise<ProviderTokens> {
  const { parameters, redirectUri } = answer;
  const { configuration, keys } = await findProvider(settings, tools);
  if (redirectUri === undefined) throw new SignInError("refused", "A code needs the redirect_uri that it was sent to.");
  const current = toRedirect(redirectUri);
  for (const name of ["code", "error", "error_description", "iss"])
    if (parameters[name] !== undefined) current.searchParams.set(name, parameters[name]);
  const answered = await client.authorizationCodeGrant(configuration, current, toChecks(answer, keys !== undefined, current));
  const tokens = Object.fromEntries(["access_token", "id_token", "refresh_token"].map((name) => [name, textOf(answered, name)]));
  const userInfoEndpoint = settings.endpoints.userinfo_endpoint ?? configuration.serverMetadata().userinfo_endpoint;
  return { accessToken: tokens.access_token, claims: answered.claims() as ProviderTokens["claims"], tokens, userInfoEndpoint };
}

// A caller that started the login itself has compared the state, and passes its nonce and verifier.
function toChecks(
  { memory, parameters }: ProviderLoginResponse,
  idTokenExpected: boolean,
  current: URL,
): client.AuthorizationCodeGrantChecks {
  const { nonce, verifier } = memory ?? { nonce: parameters.nonce, verifier: parameters.code_verifier };
  const checks: client.AuthorizationCodeGrantChecks = { idTokenExpected };
  if (nonce !== undefined) checks.expectedNonce = nonce;
  if (verifier !== undefined) checks.pkceCodeVerifier = verifier;
  if (memory === undefined) return checks;
  const { state } = parameters;
  if (state === undefined) throw new SignInError("refused", "The user came back without the state of the login.");
  // The service found the stored login by this state.
  current.searchParams.set("state", state);
  checks.expectedState = state;
  return checks;
}

// The library sends the URL without its query to the token endpoint.
function toRedirect(redirectUri: string): URL {
  const url = URL.parse(redirectUri);
  if (url === null || url.search !== "" || url.hash !== "")
    throw new SignInError("refused", "The redirect_uri must be a URL without a query and a fragment.");
  return url;
}
