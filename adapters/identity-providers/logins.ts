import { SignInError } from "latchkey";
import type { ProviderLoginResponse, ProviderLoginStart, ProviderRedirect, ProviderUser } from "latchkey/operations";
import { nameOf } from "./apple.js";
import { toProviderUser } from "./claims.js";
import { exchangeCode, type ProviderTokens, startCodeFlow } from "./code-flow.js";
import { withSignInErrors } from "./errors.js";
import { completeExternalJwt } from "./external-jwt.js";
import { completeHypr, startHypr } from "./hypr.js";
import { type LoginTools, type ProviderSettings, settingsOf } from "./settings.js";
import { completeSteam } from "./steam.js";
import { checkToken } from "./token-checks.js";
import { completeTwitter, startTwitter } from "./twitter.js";
import { readUserInfo } from "./user-info.js";

/** A type that speaks neither OAuth 2.0 nor OpenID Connect. */
interface SpecialType {
  readonly start?: (tools: LoginTools, login: ProviderLoginStart) => Promise<ProviderRedirect>;
  readonly complete: (tools: LoginTools, answer: ProviderLoginResponse) => Promise<ProviderUser>;
}

const specialTypes: Readonly<Record<string, SpecialType>> = {
  ExternalJWT: { complete: completeExternalJwt },
  HYPR: { start: startHypr, complete: completeHypr },
  Steam: { complete: completeSteam },
  Twitter: { start: startTwitter, complete: completeTwitter },
};

/** Begins a login. @throws SignInError. */
export function startLogin(tools: LoginTools, login: ProviderLoginStart): Promise<ProviderRedirect> {
  const { provider } = login;
  const settings = settingsOf(tools, provider);
  if (settings !== undefined) return withSignInErrors(() => startCodeFlow(settings, tools, login));
  const start = Object.hasOwn(specialTypes, provider.type) ? specialTypes[provider.type]?.start : undefined;
  if (start === undefined)
    throw new SignInError("refused", `A login by ${provider.type} begins with its own software: send its token.`);
  return withSignInErrors(() => start(tools, login));
}

/** Verifies what came back. @throws SignInError. */
export function completeLogin(tools: LoginTools, answer: ProviderLoginResponse): Promise<ProviderUser> {
  const settings = settingsOf(tools, answer.provider);
  if (settings !== undefined) return withSignInErrors(() => completeOAuth(settings, tools, answer));
  const special = Object.hasOwn(specialTypes, answer.provider.type) ? specialTypes[answer.provider.type] : undefined;
  if (special === undefined) throw new SignInError("unavailable", `Nobody speaks the protocol of ${answer.provider.type}.`);
  return withSignInErrors(() => special.complete(tools, answer));
}

async function completeOAuth(
  settings: ProviderSettings,
  tools: LoginTools,
  answer: ProviderLoginResponse,
): Promise<ProviderUser> {
  const { parameters } = answer;
  const tokens = await readTokens(settings, tools, answer);
  const info = await readUserInfo(settings, tools, tokens);
  const ofApple = settings.record.type === "Apple" ? nameOf(parameters) : {};
  const claims = { ...ofApple, ...info, ...tokens.claims };
  const { argument } = settings.row;
  const ofOpenId = settings.record.type === "OpenIDConnect" && { id_token: tokens.claims, tokens: tokens.tokens };
  const shown = argument === "idToken" ? (tokens.claims ?? claims) : claims;
  const lambdaArguments = { [argument]: shown, ...ofOpenId };
  const token = typeof tokens.tokens.refresh_token === "string" ? tokens.tokens.refresh_token : tokens.accessToken;
  return toProviderUser(settings, claims, { lambdaArguments, token });
}

// A login that was started ends with a code: a token in its place was not asked for.
async function readTokens(settings: ProviderSettings, tools: LoginTools, answer: ProviderLoginResponse): Promise<ProviderTokens> {
  const { memory, parameters } = answer;
  const token = parameters.id_token ?? parameters.token;
  if (memory === undefined && parameters.code === undefined && token !== undefined) return checkToken(settings, tools, token);
  return exchangeCode(settings, tools, answer);
}
