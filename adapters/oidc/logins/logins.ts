import { SignInError } from "latchkey";
import type { ProviderLoginResponse, ProviderLoginStart, ProviderRedirect, ProviderUser } from "latchkey/ports";
import { startCodeFlow } from "./code-flow.js";
import { completeExternalJwt } from "./external-jwt.js";
import { completeHypr, startHypr } from "./hypr.js";
import { completeOAuth } from "./oauth-login.js";
import { withSignInErrors } from "./responses.js";
import { type LoginTools, settingsOf } from "./settings.js";
import { completeSteam } from "./steam.js";
import { completeTwitter, startTwitter } from "./twitter.js";

/** A provider type with a protocol other than OAuth 2.0 and OpenID Connect. */
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

/** Starts a login. @throws SignInError. */
export function startLogin(tools: LoginTools, login: ProviderLoginStart): Promise<ProviderRedirect> {
  const { provider } = login;
  const settings = settingsOf(tools, provider);
  if (settings !== undefined) return withSignInErrors(() => startCodeFlow(settings, tools, login));
  const start = Object.hasOwn(specialTypes, provider.type) ? specialTypes[provider.type]?.start : undefined;
  if (start === undefined)
    throw new SignInError("refused", `A login by ${provider.type} begins with its own software: send its token.`);
  return withSignInErrors(() => start(tools, login));
}

/** Verifies the response of a provider. @throws SignInError. */
export function completeLogin(tools: LoginTools, answer: ProviderLoginResponse): Promise<ProviderUser> {
  const settings = settingsOf(tools, answer.provider);
  if (settings !== undefined) return withSignInErrors(() => completeOAuth(settings, tools, answer));
  const special = Object.hasOwn(specialTypes, answer.provider.type) ? specialTypes[answer.provider.type] : undefined;
  if (special === undefined) throw new SignInError("unavailable", `Nobody speaks the protocol of ${answer.provider.type}.`);
  return withSignInErrors(() => special.complete(tools, answer));
}
