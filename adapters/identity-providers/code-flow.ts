import { type ProviderLoginResponse, type ProviderLoginStart, type ProviderRedirect, SignInError } from "latchkey";
import * as client from "openid-client";
import { makeClientSecret } from "./apple.js";
import { findConfiguration, type KnownProvider } from "./configuration.js";
import { type LoginTools, type ProviderSettings, textOf } from "./settings.js";

/** What a provider answered: its tokens, and the verified claims of the ID token. */
export interface ProviderTokens {
  readonly accessToken: string | undefined;
  readonly claims: Readonly<Record<string, unknown>> | undefined;
  readonly tokens: Readonly<Record<string, unknown>>;
}

/** A provider with a secret made for this login where it wants that. */
export async function findProvider(settings: ProviderSettings, { host }: LoginTools): Promise<KnownProvider> {
  const secret = settings.record.type === "Apple" ? await makeClientSecret(settings, host) : undefined;
  return findConfiguration(settings, host, secret);
}

/** Begins an authorization code flow, with a nonce and PKCE as far as the provider knows them. */
export async function startCodeFlow(
  settings: ProviderSettings,
  tools: LoginTools,
  login: ProviderLoginStart,
): Promise<ProviderRedirect> {
  const { row, scope } = settings;
  const { configuration, keys } = await findProvider(settings, tools);
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
  { memory, parameters, redirectUri }: ProviderLoginResponse,
): Promise<ProviderTokens> {
  const { configuration, keys } = await findProvider(settings, tools);
  if (redirectUri === undefined) throw new SignInError("refused", "A code needs the redirect_uri that it was sent to.");
  const current = new URL(redirectUri);
  current.search = "";
  for (const name of ["code", "error", "error_description", "iss", "state"])
    if (parameters[name] !== undefined) current.searchParams.set(name, parameters[name]);
  const state = memory === undefined ? undefined : parameters.state;
  // A caller that kept the state itself has compared it.
  if (state === undefined) current.searchParams.delete("state");
  const checks: client.AuthorizationCodeGrantChecks = { idTokenExpected: keys !== undefined };
  if (state !== undefined) checks.expectedState = state;
  if (memory?.nonce !== undefined) checks.expectedNonce = memory.nonce;
  if (memory?.verifier !== undefined) checks.pkceCodeVerifier = memory.verifier;
  const { access_token: accessToken, ...answered } = await client.authorizationCodeGrant(
    configuration,
    current,
    checks,
    // What the query of the registered address holds is part of it.
    new URL(redirectUri).search === "" ? undefined : { redirect_uri: redirectUri },
  );
  const claims = answered.claims();
  const tokens = {
    access_token: accessToken,
    id_token: textOf(answered, "id_token"),
    refresh_token: textOf(answered, "refresh_token"),
  };
  return { accessToken, claims: claims as ProviderTokens["claims"], tokens };
}
