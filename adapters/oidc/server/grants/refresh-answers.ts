import type { ApiResponse } from "latchkey/ports";
import type { FoundRoute } from "../../http/routes.js";
import type { Exchange } from "../exchange/exchange.js";

/**
 * Returns the response to a refresh. Within the grace period, a replaced token gets the stored response again: two tabs refresh
 * at once, and responses get lost. The library has already checked the client, its proof and the token. After the grace period, a
 * reuse of the token ends its session.
 */
export async function answerRefresh(exchange: Exchange, { name }: FoundRoute, response: ApiResponse): Promise<ApiResponse> {
  const { params, unit } = exchange;
  const presented = params.get("refresh_token");
  if (name !== "token" || params.get("grant_type") !== "refresh_token" || presented === null) return response;
  if (response.status === 200) {
    await keep(exchange, presented, response);
    return response;
  }
  const kept = unit.isRevoking ? await unit.findAnswer(presented) : undefined;
  if (kept === undefined) return response;
  unit.discard();
  exchange.refusal = undefined;
  return { ...response, status: 200, body: kept };
}

async function keep({ client, tenant, unit }: Exchange, presented: string, { body }: ApiResponse): Promise<void> {
  const { refresh_token: successor } = JSON.parse(body) as { readonly refresh_token?: string };
  if (successor === undefined || successor === presented) unit.noteUse(presented);
  else await unit.keepAnswer(presented, { body, successor }, tenant.lifetimes(client?.id ?? "").graceSeconds);
}
