import { SignInError } from "latchkey";
import { isObject } from "../../internal/objects.js";
import type { ProviderTokens } from "./code-flow.js";
import { readJson } from "./responses.js";
import { endpointOf, type LoginTools, type ProviderSettings, textOf } from "./settings.js";

type Claims = Readonly<Record<string, unknown>>;

/** Returns the provider's claims about the user of an access token; empty without a userinfo endpoint. */
export async function readUserInfo(
  settings: ProviderSettings,
  tools: LoginTools,
  { accessToken, claims, userInfoEndpoint }: ProviderTokens,
): Promise<Claims> {
  const { endpoints, record } = settings;
  if (accessToken === undefined || userInfoEndpoint === undefined) return {};
  const special = Object.hasOwn(specialReaders, record.type) ? specialReaders[record.type] : undefined;
  const info = await (special ?? readUsual)(
    { ...settings, endpoints: { ...endpoints, userinfo_endpoint: userInfoEndpoint } },
    tools,
    accessToken,
  );
  // The access token and the ID token must have the same user (OpenID Connect Core, 5.3.2).
  if (claims !== undefined && info.sub !== claims.sub)
    throw new SignInError("refused", "The identity provider names two users at once.");
  return info;
}

type ReadUserInfo = (settings: ProviderSettings, tools: LoginTools, accessToken: string) => Promise<Claims>;

const readUsual: ReadUserInfo = ({ endpoints }, tools, accessToken) =>
  readJson(tools, endpointOf(endpoints, "userinfo_endpoint"), { headers: { authorization: `Bearer ${accessToken}` } });

const specialReaders: Readonly<Record<string, ReadUserInfo>> = {
  Facebook: async ({ endpoints, record }, tools, accessToken) => {
    const url = endpointOf(endpoints, "userinfo_endpoint");
    url.searchParams.set("fields", textOf(record, "fields") ?? "id,email,first_name,last_name,middle_name,name");
    return readJson(tools, url, { headers: { authorization: `Bearer ${accessToken}` } });
  },
  Xbox: async ({ endpoints }, tools, accessToken) => {
    const Properties = { AuthMethod: "RPS", RpsTicket: `d=${accessToken}`, SiteName: "user.auth.xboxlive.com" };
    const account = { Properties, RelyingParty: "http://auth.xboxlive.com" };
    const user = await postToken(tools, endpointOf(endpoints, "inspection_endpoint"), account);
    const UserTokens = [textOf(user, "Token") ?? ""];
    const game = { Properties: { SandboxId: "RETAIL", UserTokens }, RelyingParty: "http://xboxlive.com" };
    const authorized = await postToken(tools, endpointOf(endpoints, "userinfo_endpoint"), game);
    const { DisplayClaims: shown } = authorized;
    const [player] = isObject(shown) && Array.isArray(shown.xui) ? (shown.xui as readonly unknown[]) : [];
    return isObject(player) ? player : {};
  },
};

function postToken(tools: LoginTools, url: URL, request: object): Promise<Claims> {
  const body = JSON.stringify({ ...request, TokenType: "JWT" });
  return readJson(tools, url, { body, headers: { "content-type": "application/json" }, method: "POST" });
}
