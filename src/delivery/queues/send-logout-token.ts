import type { ServiceContext } from "../../operations/service-context.js";
import type { MessageOutcome } from "../../ports/event-transport.js";
import { signJws } from "../../security/compact-jws.js";
import { isTokenKey } from "../../security/keys/loaded-keys.js";
import { toMessageOutcome } from "../http-client/message-outcome.js";
import type { LogoutMessage } from "./message-kinds.js";

const lifetimeSeconds = 120;
const timeoutMs = 2_500;

/** Signs and sends logout tokens (OpenID Connect Back-Channel Logout, 2.4). Signing at the last moment keeps each fresh. */
export function sendLogoutToken(service: ServiceContext): (message: LogoutMessage) => Promise<MessageOutcome> {
  return async (message) => {
    const { applicationId: aud, issuer: iss, sid, tenantId: tid, userId: sub } = message;
    const key = await service.openKeys.byId(message.keyId);
    if (!isTokenKey(key)) return { kind: "refused", reason: "the key is gone" };
    const iat = Math.floor(service.runtime.clock() / 1_000);
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
    const claims = { aud, events, exp: iat + lifetimeSeconds, iat, iss, jti: service.runtime.newId(), sid, sub, tid };
    const token = await signJws(key.alg, key.signingKey, { kid: key.kid, typ: "logout+jwt" }, claims);
    const outcome = await service.http.send({
      method: "POST",
      url: message.url,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ logout_token: token }).toString(),
      connectTimeoutMs: timeoutMs,
      timeoutMs,
    });
    return toMessageOutcome(outcome);
  };
}
