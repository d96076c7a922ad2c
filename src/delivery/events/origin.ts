import type { Principal } from "../../http/authenticate/principal.js";
import type { WriteCall } from "../../operations/operation.js";
import type { Actor, Origin } from "./recorded-event.js";

/** The part of a call that says where it comes from. */
type Caused = Pick<WriteCall, "service"> & Partial<Pick<WriteCall, "origin" | "principal" | "request">>;

/** Who made a call, and from where. */
export function originOf({ origin, principal, request, service }: Caused): Origin {
  if (origin !== undefined) return origin;
  const ipAddress = request && service.addressOf(request);
  const userAgent = request?.headers["user-agent"];
  const info = { ...(ipAddress !== undefined && { ipAddress }), ...(typeof userAgent === "string" && { userAgent }) };
  return {
    ...(principal && { actor: toActor(principal) }),
    ...(Object.keys(info).length > 0 && { info }),
  };
}

/** Who made a call, in a word: `host`, or the type and the id of the caller. */
export function nameOfCaller({ principal }: Pick<WriteCall, "principal">): string {
  const { type, id }: Actor = principal === undefined ? { type: "host" } : toActor(principal);
  return id === undefined ? type : `${type}:${id}`;
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
