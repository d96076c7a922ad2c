import { jwtVerify } from "jose";
import { SignInError } from "latchkey";
import { isObject } from "../../internal/objects.js";
import { findProvider, type ProviderTokens } from "./code-flow.js";
import { clockTolerance } from "./configuration.js";
import { readJson } from "./responses.js";
import { endpointOf, type LoginTools, type ProviderSettings, textOf } from "./settings.js";

/** Asymmetric algorithms only: a secret chosen by an attacker must never verify a token. */
export const publicKeyAlgorithms: string[] = [
  "EdDSA",
  "Ed25519",
  "ES256",
  "ES384",
  "ES512",
  "PS256",
  "PS384",
  "PS512",
  "RS256",
  "RS384",
  "RS512",
];

/**
 * Checks a token that the caller already has: an ID token for this client, or an access token that the provider confirms for this
 * client. An access token of unknown origin is refused: another site could log its users in here.
 */
export async function checkToken(settings: ProviderSettings, tools: LoginTools, token: string): Promise<ProviderTokens> {
  if (token.split(".").length === 3 && settings.endpoints.issuer !== undefined) return checkIdToken(settings, tools, token);
  const check = Object.hasOwn(accessTokenChecks, settings.record.type) ? accessTokenChecks[settings.record.type] : undefined;
  if (check === undefined)
    throw new SignInError("refused", `Access tokens of ${settings.record.type} do not say whom they are for: send a code.`);
  if ((await check(settings, tools, token)) !== settings.clientId)
    throw new SignInError("refused", "The access token is for another client.");
  const { userinfo_endpoint: userInfoEndpoint = await discoveredEndpoint(settings, tools) } = settings.endpoints;
  return { accessToken: token, claims: undefined, tokens: { access_token: token }, userInfoEndpoint };
}

async function discoveredEndpoint(settings: ProviderSettings, tools: LoginTools): Promise<string | undefined> {
  return (await findProvider(settings, tools)).configuration.serverMetadata().userinfo_endpoint;
}

async function checkIdToken(settings: ProviderSettings, tools: LoginTools, token: string): Promise<ProviderTokens> {
  const { configuration, keys } = await findProvider(settings, tools);
  if (keys === undefined) throw new SignInError("refused", "The identity provider publishes no keys for its tokens.");
  const bundleId = textOf(settings.record, "bundleId");
  const { payload } = await jwtVerify(token, keys, {
    algorithms: publicKeyAlgorithms,
    // Apple's apps have another client id than web sites.
    audience: bundleId === undefined ? settings.clientId : [settings.clientId, bundleId],
    clockTolerance,
    currentDate: new Date(tools.host.clock()),
    issuer: configuration.serverMetadata().issuer,
    requiredClaims: ["exp", "iat", "sub"],
  });
  const { azp } = payload;
  if (azp !== undefined && azp !== settings.clientId && azp !== bundleId && Array.isArray(payload.aud) && payload.aud.length > 1)
    throw new SignInError("refused", "The ID token was issued to another client.");
  return { accessToken: undefined, claims: payload, tokens: { id_token: token }, userInfoEndpoint: undefined };
}

/** Returns the client of an access token, according to the provider. */
type AccessTokenCheck = (settings: ProviderSettings, tools: LoginTools, token: string) => Promise<string | undefined>;

const accessTokenChecks: Readonly<Record<string, AccessTokenCheck>> = {
  Facebook: async ({ clientId, clientSecret, endpoints }, tools, token) => {
    const url = endpointOf(endpoints, "inspection_endpoint");
    url.searchParams.set("input_token", token);
    url.searchParams.set("access_token", `${clientId}|${clientSecret}`);
    const { data } = await readJson(tools, url);
    return isObject(data) && data.is_valid === true ? textOf(data, "app_id") : undefined;
  },
  Google: async ({ endpoints }, tools, token) => {
    const url = endpointOf(endpoints, "inspection_endpoint");
    url.searchParams.set("access_token", token);
    return textOf(await readJson(tools, url), "aud");
  },
  Twitch: async ({ endpoints }, tools, token) =>
    textOf(
      await readJson(tools, endpointOf(endpoints, "inspection_endpoint"), { headers: { authorization: `OAuth ${token}` } }),
      "client_id",
    ),
};
