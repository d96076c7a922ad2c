import type { ApiResponse } from "latchkey/ports";
import type { FoundRoute } from "../../http/routes.js";
import { readClaims } from "../../http/unverified-tokens.js";
import type { Exchange } from "../exchange/exchange.js";

/**
 * Returns an answer of the token endpoint whose `expires_in` is that of its access token, in seconds from now. The library reckons by settings
 * that it read a moment before, and a repeated answer has the time of the first one.
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
