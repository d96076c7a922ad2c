import { SignInError } from "latchkey";
import type { ProviderLoginResponse, ProviderUser } from "latchkey/ports";
import { isObject } from "../../internal/objects.js";
import { readJson } from "./responses.js";
import { endpointOf, type LoginTools, textOf } from "./settings.js";

const hosts = { Partner: "https://partner.steam-api.com", Public: "https://api.steampowered.com" };

function urlOf({ endpoints }: LoginTools, { provider }: ProviderLoginResponse, path: string): URL {
  const usual = textOf(provider, "apiMode") === "Partner" ? hosts.Partner : hosts.Public;
  const url = new URL(path, endpointOf({ issuer: endpoints.Steam?.issuer ?? usual }, "issuer"));
  url.searchParams.set("key", textOf(provider, "webAPIKey") ?? "");
  return url;
}

/**
 * Verifies a session ticket of a game for this application (`client_id` is its app id). Access tokens are not accepted, because
 * they do not name their application.
 */
export async function completeSteam(tools: LoginTools, answer: ProviderLoginResponse): Promise<ProviderUser> {
  const ticket = answer.parameters.token ?? "";
  if (!/^[\da-f]+$/i.test(ticket))
    throw new SignInError("refused", "A login by Steam needs a session ticket, in hexadecimal digits.");
  const url = urlOf(tools, answer, "/ISteamUserAuth/AuthenticateUserTicket/v1/");
  url.searchParams.set("appid", textOf(answer.provider, "client_id") ?? "");
  url.searchParams.set("ticket", ticket);
  const { response } = await readJson(tools, url);
  const params = isObject(response) && isObject(response.params) ? response.params : {};
  const id = textOf(params, "steamid");
  if (id === undefined || params.result !== "OK") throw new SignInError("refused", "Steam does not know the session ticket.");
  return toUser(id, { ...(await readPlayer(tools, answer, id)), ...params });
}

async function readPlayer(
  tools: LoginTools,
  answer: ProviderLoginResponse,
  id: string,
): Promise<Readonly<Record<string, unknown>>> {
  const url = urlOf(tools, answer, "/ISteamUser/GetPlayerSummaries/v2/");
  url.searchParams.set("steamids", id);
  const { response } = await readJson(tools, url);
  const players = isObject(response) && Array.isArray(response.players) ? (response.players as readonly unknown[]) : [];
  const player = players.find((one) => textOf(one, "steamid") === id);
  return isObject(player) ? player : {};
}

function toUser(id: string, userInfo: Readonly<Record<string, unknown>>): ProviderUser {
  const displayName = textOf(userInfo, "personaname");
  const profile = { fullName: textOf(userInfo, "realname"), imageUrl: textOf(userInfo, "avatarfull") };
  return { displayName, id, isEmailVerified: false, lambdaArguments: { userInfo }, profile, username: displayName };
}
