import { isObjectOrList } from "../../shared/objects.js";
import { foldText } from "../../shared/text.js";
import type { EndpointGrants, TokenClaims } from "../authenticate/principal.js";
import { isOptional, type Method, type Route } from "../route/define-route.js";

/** The host's names for permissions on the entity of this API, each with the calls that it permits, such as `GET:/api/group`. */
export type EntityPermissions = Readonly<Record<string, readonly string[]>>;

/** The permissions that a grant on the entity of this API may name, and their grants. */
export interface ApiPermissions {
  /** Finds a permission in its canonical spelling, ignoring the case of `name`. Undefined when there is none. */
  findName(name: string): string | undefined;
  /** The grants of a client with these permissions. Ignores unknown names. */
  toGrants(names: readonly string[]): Exclude<EndpointGrants, "all">;
}

type PermittedRoute = Pick<Route<unknown>, "method" | "endpoint" | "access">;

/**
 * The permissions of an API with these routes: `<METHOD>:<endpoint>` for each that a key of one tenant may call, and the host's
 * own names.
 * @throws TypeError when a name of the host cannot be part of a scope, or has calls that are no permissions.
 */
export function createApiPermissions(routes: readonly PermittedRoute[], own: EntityPermissions): ApiPermissions {
  const ownCalls = new Map(Object.entries(own));
  // Most services never have a client: the first one builds the names.
  let known: ReadonlyMap<string, string> | undefined;
  const findName = (name: string): string | undefined => {
    known ??= new Map([...namesOf(routes), ...ownCalls.keys()].map((spelled) => [foldText(spelled), spelled]));
    return known.get(foldText(name));
  };
  for (const [name, calls] of ownCalls) {
    assertOwnName(name);
    const stray = calls.find((call) => !namesOf(routes).includes(call));
    if (stray !== undefined) throw new TypeError(`entityPermissions["${name}"] holds ${stray}, which no client may call.`);
  }
  return { findName, toGrants: (names) => toGrants(names.flatMap((name) => ownCalls.get(name) ?? name)) };
}

function namesOf(routes: readonly PermittedRoute[]): readonly string[] {
  return [...new Set(routes.filter(isOpenToClients).map(({ method, endpoint }) => `${method}:${endpoint}`))];
}

// A token is bound to its entity's tenant, so it never permits calls for callers without a tenant.
function isOpenToClients({ access, method }: PermittedRoute): boolean {
  if (access === "shared") return method === "GET";
  return access === "tenant" || access === "tenantOrUser" || isOptional(access);
}

function assertOwnName(name: string): void {
  if (!/^[^\s,\p{C}]{1,191}$/u.test(name) || callShape.test(name))
    throw new TypeError(`entityPermissions must not name ${JSON.stringify(name)}: no blanks, commas or METHOD:/path.`);
}

const callShape = /^(GET|POST|PUT|PATCH|DELETE):(\/.*)$/;

function toGrants(calls: readonly string[]): Exclude<EndpointGrants, "all"> {
  const grants = new Map<string, Set<Method>>();
  for (const call of calls) {
    const [, method, endpoint] = callShape.exec(call) ?? [];
    if (method === undefined || endpoint === undefined) continue;
    const methods = grants.get(endpoint) ?? new Set();
    grants.set(endpoint, methods.add(method as Method));
  }
  return grants;
}

/** The permissions of a token on an entity: none unless the entity is in its audience. */
export function permissionsIn({ aud, permissions }: TokenClaims, entityId: string): readonly string[] {
  if (![aud].flat().includes(entityId) || !isObjectOrList(permissions)) return [];
  const named: unknown = Object.hasOwn(permissions, entityId) ? Reflect.get(permissions, entityId) : undefined;
  return Array.isArray(named) ? named.filter((name) => typeof name === "string") : [];
}
