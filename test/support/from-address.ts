import { toApiRequest } from "../../src/http/transport/inject.js";
import { Caller } from "./caller.js";
import type { World } from "./world.js";

/** A caller with this remote address; undefined for a transport without addresses. */
export function callerAt(
  { identity }: Pick<World, "identity">,
  remoteAddress: string | undefined,
  headers: Readonly<Record<string, string>>,
): Caller {
  const inject: typeof identity.inject = async (request) => {
    const response = await identity.handle({ ...toApiRequest(request), remoteAddress });
    return response ?? { status: 404, headers: {}, body: "" };
  };
  return new Caller({ inject }, headers);
}
