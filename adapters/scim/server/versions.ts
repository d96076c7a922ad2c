import { createHash } from "node:crypto";
import { toCanonicalJson } from "latchkey";
import { ScimError } from "../schema/errors.js";
import type { ScimResource } from "../schema/schemas.js";
import type { ScimCall } from "./call.js";

/**
 * Returns the version of a whole resource, for `meta.version` and the header `ETag` (RFC 7644, 3.14). It changes with each
 * attribute except `groups`, which change through the groups.
 */
export function versionOf(resource: ScimResource): string {
  const { groups: _groups, ...rest } = resource;
  return `W/"${createHash("sha256").update(toCanonicalJson(rest)).digest("base64url").slice(0, 27)}"`;
}

/** Returns a resource with its version in `meta`. */
export function withVersion(resource: ScimResource): ScimResource {
  return { ...resource, meta: { ...(resource.meta as object), version: versionOf(resource) } };
}

/** Returns the header `If-Match` of a request; undefined without one. */
export function readIfMatch({ request }: Pick<ScimCall, "request">): string | undefined {
  const header = request.headers["if-match"];
  return header === undefined ? undefined : String(header);
}

/** Throws `ScimError` 412 when `If-Match` does not name the version of a whole resource. */
export function assertVersion(ifMatch: string | undefined, resource: ScimResource): void {
  if (ifMatch === undefined || matchesVersion(ifMatch, resource)) return;
  throw new ScimError(412, undefined, "The resource has changed. Read it again.");
}

/** Whether a list of versions, such as that of `If-None-Match`, contains the version of a resource. */
export function matchesVersion(header: string, resource: ScimResource): boolean {
  const wanted = versionOf(resource).slice(2);
  return header.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === wanted);
}
