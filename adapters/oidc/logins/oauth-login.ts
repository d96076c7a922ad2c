import type { ProviderLoginResponse, ProviderUser } from "latchkey/ports";
import { nameOf } from "./apple.js";
import { toProviderUser } from "./claims.js";
import { exchangeCode, type ProviderTokens } from "./code-flow.js";
import type { LoginTools, ProviderSettings } from "./settings.js";
import { checkToken } from "./token-checks.js";
import { readUserInfo } from "./user-info.js";

/** Verifies the response of a provider of OAuth 2.0 or OpenID Connect. @throws SignInError and the errors of the library. */
export async function completeOAuth(
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

// A login that started here must end with a code, not a token.
async function readTokens(settings: ProviderSettings, tools: LoginTools, answer: ProviderLoginResponse): Promise<ProviderTokens> {
  const { memory, parameters } = answer;
  const token = parameters.id_token ?? parameters.token;
  if (memory === undefined && parameters.code === undefined && token !== undefined) return checkToken(settings, tools, token);
  return exchangeCode(settings, tools, answer);
}
