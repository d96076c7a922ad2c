// Every route of SCIM: what a client and an API key need for it, and a request that succeeds with it.
import { scimPath } from "latchkey/scim";
import { createGroup, createUser, groupSchema, patchOf, type ScimCall, userSchema } from "./directory.js";

/** A route, and a request for it. */
export interface ScimRouteCase {
  readonly method: string;
  /** `{user}` and `{group}` stand for ids. */
  readonly path: string;
  /** The permission that a client needs; undefined where any of SCIM is enough. */
  readonly permission: string | undefined;
  /** The endpoint of grants of API keys, and their method. */
  readonly endpoint: string;
  readonly grant: string;
  readonly body?: object;
  readonly status: number;
}

const searchBody = { schemas: ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"], count: 10 };

type Row = readonly [method: string, path: string, action: string, grant: string, status: number, body?: object];

function ofType(
  endpoint: string,
  subject: string,
  { id, resource, changed }: { id: string; resource: object; changed: object },
): readonly ScimRouteCase[] {
  const patch = patchOf({ op: "replace", value: { externalId: "changed" } });
  const rows: readonly Row[] = [
    ["GET", endpoint, "read", "GET", 200],
    ["POST", `${endpoint}/.search`, "read", "GET", 200, searchBody],
    ["GET", `${endpoint}/${id}`, "read", "GET", 200],
    ["POST", endpoint, "create", "POST", 201, resource],
    ["PUT", `${endpoint}/${id}`, "update", "PUT", 200, changed],
    ["PATCH", `${endpoint}/${id}`, "update", "PATCH", endpoint === "/Groups" ? 204 : 200, patch],
    ["DELETE", `${endpoint}/${id}`, "delete", "DELETE", 204],
  ];
  return rows.map(([method, path, action, grant, status, body]) => {
    const permission = `scim:${subject}:${action}`;
    return { method, path, permission, endpoint: scimPath + endpoint, grant, status, ...(body !== undefined && { body }) };
  });
}

const user = (userName: string) => ({ schemas: [userSchema], userName });
const group = (displayName: string) => ({ schemas: [groupSchema], displayName });
const ofUsers = { id: "{user}", resource: user("new@example.com"), changed: user("changed@example.com") };

const discovery = [
  ["ServiceProviderConfig", "service-provider-config", ""],
  ["ResourceTypes", "resource-types", ""],
  ["ResourceTypes", "resource-types", "/User"],
  ["Schemas", "schemas", ""],
  ["Schemas", "schemas", `/${userSchema}`],
] as const;

const bulk = { schemas: ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"], Operations: [] };

/** All routes. */
export const scimRoutes: readonly ScimRouteCase[] = [
  ...ofType("/Users", "user", ofUsers),
  ...ofType("/EnterpriseUsers", "enterprise:user", ofUsers),
  ...ofType("/Groups", "group", { id: "{group}", resource: group("New"), changed: group("Changed") }),
  ...discovery.map(
    ([name, subject, more]): ScimRouteCase => ({
      method: "GET",
      path: `/${name}${more}`,
      permission: `scim:${subject}:read`,
      endpoint: `${scimPath}/${name}`,
      grant: "GET",
      status: 200,
    }),
  ),
  {
    method: "POST",
    path: "/.search",
    permission: undefined,
    endpoint: `${scimPath}/.search`,
    grant: "POST",
    body: searchBody,
    status: 200,
  },
  { method: "POST", path: "/Bulk", permission: undefined, endpoint: `${scimPath}/Bulk`, grant: "POST", body: bulk, status: 200 },
];

interface Ids {
  readonly user: string;
  readonly group: string;
}

/** Sends the requests of routes, of which each that succeeds leaves the users and groups as they were; returns their statuses. */
export async function sendRoutes(call: ScimCall, setUp: ScimCall, routes: readonly ScimRouteCase[]): Promise<readonly number[]> {
  let ids = await makeIds(setUp);
  const statuses: number[] = [];
  for (const route of routes) {
    const path = route.path.replace("{user}", ids.user).replace("{group}", ids.group);
    const { status, text } = await call(route.method, path, route.body);
    statuses.push(status);
    if (status === 201) await setUp("DELETE", `${route.path}/${(JSON.parse(text) as { readonly id: string }).id}`);
    if (status !== 204 || route.method !== "DELETE") continue;
    await removeIds(setUp, ids);
    ids = await makeIds(setUp);
  }
  await removeIds(setUp, ids);
  return statuses;
}

async function makeIds(setUp: ScimCall): Promise<Ids> {
  return { user: await createUser(setUp, "old@example.com"), group: await createGroup(setUp, "Old") };
}

async function removeIds(setUp: ScimCall, { group: groupId, user: userId }: Ids): Promise<void> {
  await setUp("DELETE", `/Users/${userId}`);
  await setUp("DELETE", `/Groups/${groupId}`);
}
