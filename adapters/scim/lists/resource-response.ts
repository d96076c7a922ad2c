import { projectResource } from "../schema/project.js";
import type { ScimResource } from "../schema/schemas.js";
import { locationOf, type ScimResponse, type TypeCall } from "../server/call.js";
import { matchesVersion, versionOf, withVersion } from "../server/versions.js";
import { readProjection } from "./list-query.js";

/** Returns the response with a whole resource: its version, and the requested attributes. */
export function toResourceResponse(call: TypeCall, status: 200 | 201, resource: ScimResource): ScimResponse {
  const isRead = call.request.method === "GET" || call.request.method === "HEAD";
  const ifNoneMatch = isRead ? call.request.headers["if-none-match"] : undefined;
  const headers = { etag: versionOf(resource), location: locationOf(call, String(resource.id)) };
  if (ifNoneMatch !== undefined && matchesVersion(String(ifNoneMatch), resource)) return { status: 304, headers };
  return { status, body: projectResource(call.type, withVersion(resource), readProjection(call)), headers };
}

/** Returns the response with an incomplete resource, such as a group without members: without a version. */
export function toPartialResponse(call: TypeCall, status: 200 | 201, resource: ScimResource): ScimResponse {
  const headers = { location: locationOf(call, String(resource.id)) };
  return { status, body: projectResource(call.type, resource, readProjection(call)), headers };
}
