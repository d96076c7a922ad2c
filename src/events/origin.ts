import type { Principal } from "../authenticate/principal.js";
import type { WriteCall } from "../operations/operation.js";
import type { Actor, EventInfo } from "./recorded-event.js";

/** What an event says of the call that caused it. */
export interface Origin {
  readonly actor?: Actor;
  readonly info?: EventInfo;
}

/** Who made a call, and from where. */
export function originOf({ principal, request, service }: WriteCall): Origin {
  const ipAddress = request && service.addressOf(request);
  const userAgent = request?.headers["user-agent"];
  const info = { ...(ipAddress !== undefined && { ipAddress }), ...(typeof userAgent === "string" && { userAgent }) };
  return {
    ...(principal && { actor: toActor(principal) }),
    ...(Object.keys(info).length > 0 && { info }),
  };
}

function toActor(principal: Principal): Actor {
  switch (principal.kind) {
    case "apiKey":
      return { type: "apiKey", id: principal.keyId };
    case "client":
      return { type: "client", id: principal.entityId };
    case "user":
      return { type: "user", id: principal.userId };
    default:
      return { type: "host" };
  }
}
