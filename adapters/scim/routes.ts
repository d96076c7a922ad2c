import { createGroup, removeGroup, replaceGroup, retrieveGroup } from "./groups/change-group.js";
import { listGroups } from "./groups/list-groups.js";
import { patchGroup } from "./groups/patch-group.js";
import { retrieveConfiguration, retrieveResourceTypes, retrieveSchemas } from "./metadata.js";
import { ScimError } from "./schema/errors.js";
import { searchAll } from "./search-all.js";
import type { ResourceCall, ScimCall, ScimResponse, TypeCall } from "./server/call.js";
import { listUsers } from "./users/list-users.js";
import { createUser, patchUser, removeUser, replaceUser, retrieveUser } from "./users/user-operations.js";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The handler of a request, and the access that it needs. */
export type ScimRoute = {
  readonly method: Method;
  /** The path below the root for the grants of API keys, such as `/Users`. */
  readonly endpoint: string;
  /** The permission that a client's token needs, such as `scim:user:read`; undefined when any SCIM permission suffices. */
  readonly permission: string | undefined;
} & ({ readonly kind: "call"; readonly run: (call: ScimCall) => Promise<ScimResponse> } | { readonly kind: "bulk" });

type Run<Call extends ScimCall> = (call: Call) => Promise<ScimResponse>;

interface ResourceOperations {
  readonly typeOf: (call: ScimCall) => TypeCall["type"];
  /** The part of the permission between `scim:` and the action. */
  readonly subject: string;
  readonly list: Run<TypeCall>;
  readonly create: Run<TypeCall>;
  readonly retrieve: Run<ResourceCall>;
  readonly replace: Run<ResourceCall>;
  readonly patch: Run<ResourceCall>;
  readonly remove: Run<ResourceCall>;
}

const ofUsers = {
  list: listUsers,
  create: createUser,
  retrieve: retrieveUser,
  replace: replaceUser,
  patch: patchUser,
  remove: removeUser,
} as const;

const resources: Readonly<Record<string, ResourceOperations>> = {
  "/Users": { ...ofUsers, typeOf: ({ tenant }) => tenant.types.user, subject: "user" },
  "/EnterpriseUsers": { ...ofUsers, typeOf: ({ tenant }) => tenant.types.enterpriseUser, subject: "enterprise:user" },
  "/Groups": {
    typeOf: ({ tenant }) => tenant.types.group,
    subject: "group",
    list: listGroups,
    create: createGroup,
    retrieve: retrieveGroup,
    replace: replaceGroup,
    patch: patchGroup,
    remove: removeGroup,
  },
};

const discovery: Readonly<Record<string, (call: ScimCall, id: string | undefined) => Promise<ScimResponse>>> = {
  "/ServiceProviderConfig": retrieveConfiguration,
  "/ResourceTypes": retrieveResourceTypes,
  "/Schemas": retrieveSchemas,
};

const discoveryPermissions: Readonly<Record<string, string>> = {
  "/ServiceProviderConfig": "scim:service-provider-config:read",
  "/ResourceTypes": "scim:resource-types:read",
  "/Schemas": "scim:schemas:read",
};

/**
 * Returns the route of a method and a path below the root. Names in paths are case-insensitive. Throws `ScimError` 404, 405 or
 * 501.
 */
export function matchRoute(method: string, path: string): ScimRoute {
  const [, name = "", id, ...more] = path.split("/");
  if (more.length > 0) throw notFound();
  const endpoint = `/${name}`;
  const lower = endpoint.toLowerCase();
  if (lower === "/me") throw new ScimError(501, undefined, "/Me is not supported: clients are no users.");
  const found = findByName(resources, lower);
  if (found !== undefined) return matchResource(method, found, id);
  const read = findByName(discovery, lower);
  if (read !== undefined) return matchDiscovery(method, read[0], (call) => read[1](call, id));
  if (lower === "/bulk" && id === undefined) return { ...postOnly(method, "/Bulk"), kind: "bulk" };
  if (lower === "/.search" && id === undefined) return { ...postOnly(method, "/.search"), kind: "call", run: searchAll };
  throw notFound();
}

const patterns = [...Object.keys(resources), ...Object.keys(discovery), "/Bulk", "/.search"];

/** Returns the pattern of a path below the root, for lines of the log: it contains no id. */
export function toPattern(path: string): string {
  const [, name = "", id] = path.toLowerCase().split("/");
  const known = patterns.find((pattern) => pattern.toLowerCase() === `/${name}`);
  return known === undefined ? "/*" : known + (id === undefined ? "" : "/:id");
}

function findByName<Row>(table: Readonly<Record<string, Row>>, lower: string): readonly [string, Row] | undefined {
  return Object.entries(table).find(([name]) => name.toLowerCase() === lower);
}

function matchResource(
  method: string,
  [endpoint, operations]: readonly [string, ResourceOperations],
  id: string | undefined,
): ScimRoute {
  const { subject, typeOf } = operations;
  const typed = (run: Run<TypeCall>) => (call: ScimCall) => run({ ...call, type: typeOf(call) });
  const toRoute = (verb: Method, action: string, run: Run<ScimCall>): ScimRoute => {
    return { kind: "call", method: verb, endpoint, permission: `scim:${subject}:${action}`, run };
  };
  if (id?.toLowerCase() === ".search") {
    assertMethod(method, ["POST"]);
    return toRoute("GET", "read", typed(operations.list));
  }
  if (id === undefined) {
    const verb = assertMethod(method, ["GET", "POST"]);
    return verb === "GET" ? toRoute("GET", "read", typed(operations.list)) : toRoute("POST", "create", typed(operations.create));
  }
  const verb = assertMethod(method, ["GET", "PUT", "PATCH", "DELETE"]);
  const [action, run] = byVerb(operations)[verb];
  return toRoute(verb, action, (call) => run({ ...call, type: typeOf(call), id: toId(id) }));
}

function byVerb({ patch, remove, replace, retrieve }: ResourceOperations) {
  return {
    GET: ["read", retrieve],
    PUT: ["update", replace],
    PATCH: ["update", patch],
    DELETE: ["delete", remove],
  } as const;
}

// Only UUIDs identify resources.
function toId(text: string): string {
  const id = text.toLowerCase();
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) throw notFound();
  return id;
}

function matchDiscovery(method: string, endpoint: string, run: Run<ScimCall>): ScimRoute {
  assertMethod(method, ["GET"]);
  return { kind: "call", method: "GET", endpoint, permission: discoveryPermissions[endpoint], run };
}

// The inner operations, or the searched types, require their own permissions.
function postOnly(method: string, endpoint: string): Pick<ScimRoute, "endpoint" | "method" | "permission"> {
  return { method: assertMethod(method, ["POST"]), endpoint, permission: undefined };
}

// HEAD is handled like GET; the transport omits the body.
function assertMethod<Allowed extends Method>(method: string, allowed: readonly Allowed[]): Allowed {
  const found = allowed.find((one) => one === (method === "HEAD" ? "GET" : method));
  if (found === undefined) throw new ScimError(405, undefined, `The path allows ${allowed.join(", ")}.`);
  return found;
}

function notFound(): ScimError {
  return new ScimError(404, undefined, "There is no such endpoint or resource.");
}
