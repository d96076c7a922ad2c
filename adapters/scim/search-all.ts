import { searchGroups } from "./groups/list-groups.js";
import { type ListQuery, type ListRequest, listResponse, readListRequest, resolveList } from "./lists/list-query.js";
import { ScimError } from "./schema/errors.js";
import type { ScimCall, ScimResponse, TypeCall } from "./server/call.js";
import { searchUsers } from "./users/list-users.js";

interface ListBody {
  readonly totalResults: number;
  readonly Resources?: readonly object[];
}

type ReadPage = (page: Pick<ListQuery, "count" | "startIndex">) => Promise<ListBody>;

/**
 * POST /.search: users and groups together, users first (RFC 7644, 3.4.3). Leaves out a type that the caller may not read, or
 * that lacks an attribute of the filter. Throws the `ScimError` of the first type when none is left.
 */
export async function searchAll(call: ScimCall): Promise<ScimResponse> {
  const request = await readListRequest(call);
  const { group, user } = call.tenant.types;
  const sources = [
    await openSource({ ...call, type: user }, "/Users", request),
    await openSource({ ...call, type: group }, "/Groups", request),
  ];
  const pages = sources.filter((source) => typeof source === "function");
  const [refusal] = sources;
  if (pages.length === 0 && refusal instanceof ScimError) throw refusal;
  let total = 0;
  const resources: object[] = [];
  for (const read of pages) {
    const left = request.count - resources.length;
    const { Resources = [], totalResults } = await read({ startIndex: Math.max(1, request.startIndex - total), count: left });
    for (const resource of Resources) resources.push(resource);
    total += totalResults;
  }
  return { status: 200, body: listResponse(resources, { total, startIndex: request.startIndex }) };
}

async function openSource(call: TypeCall, endpoint: "/Users" | "/Groups", request: ListRequest): Promise<ReadPage | ScimError> {
  const list = endpoint === "/Users" ? searchUsers : searchGroups;
  try {
    await call.assertReadable(endpoint);
    const query = resolveList(call.type, request);
    return async (page) => (await list(call, { ...query, ...page })).body as ListBody;
  } catch (error) {
    if (error instanceof ScimError) return error;
    throw error;
  }
}
