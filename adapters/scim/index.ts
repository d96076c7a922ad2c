import type { Protocol } from "latchkey/ports";
import { lazily } from "../internal/async.js";
import { isScimAvailable } from "./server/is-available.js";
import { setUpScim } from "./server/set-up.js";

const loadServer = lazily(() => import("./create-server.js"));

export { scimClientTypeId, scimServerTypeId } from "./server/set-up.js";

/** The path of the SCIM endpoints. */
export const scimPath = "/api/scim/resource/v2";

/**
 * A SCIM 2.0 server (RFC 7643, RFC 7644) for directories that provision users and groups:
 * `createIdentityService({ storage, protocols: [scim()] })`. It serves `/api/scim/resource/v2` for tenants with
 * `scimServerConfiguration.enabled`, since version 1.36.0 in the plan `enterprise`. Loaded with its first request.
 */
export function scim(): Protocol {
  return {
    name: "scim",
    path: scimPath,
    isAvailable: isScimAvailable,
    setUp: setUpScim,
    start: async (host) => (await loadServer()).createScimServer(host, scimPath),
  };
}
