import type { ApiResponse } from "latchkey/ports";
import type { FoundRoute } from "../../http/routes.js";
import { readClaims } from "../../http/unverified-tokens.js";
import type { Exchange } from "../exchange/exchange.js";

/**
 * Sets `expires_in` of a token response to the remaining seconds of its access token. The library uses settings that it read
 * earlier, and a repeated response still has the value of the first one.
 */
export function stateLifetime({ core, unit }: Exchange, { name }: FoundRoute, response: ApiResponse): ApiResponse {
  if (name !== "token" || response.status !== 200) return response;
  const answer = JSON.parse(response.body) as { readonly access_token?: string };
  const { access_token: token } = answer;
  const { exp, iat } = readClaims(token);
  if (typeof exp !== "number") return response;
  const since = unit.accessToken === token ? Number(iat) : Math.floor(core.clock() / 1_000);
  return { ...response, body: JSON.stringify({ ...answer, expires_in: Math.max(0, exp - since) }) };
}
