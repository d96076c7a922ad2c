import { type CallOptions, type ClientPrincipal, IdentityError, type Principal } from "latchkey";
import type { ApiRequest, ProtocolCache, ProtocolHost } from "latchkey/ports";
import { isObject } from "../internal/objects.js";
import { ScimError } from "./schema/errors.js";
import { createResourceTypes, type ResourceTypes } from "./schema/schemas.js";
import type { ConverterIds, ScimTenant } from "./server/call.js";
import { ifFound } from "./server/if-found.js";
import { scimVisitor } from "./server/visitor.js";

/** The access that a request needs: an endpoint for the grants of API keys, and the permission of a client's token. */
export interface RequestedAccess {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly endpoint: string;
  /** Such as `scim:user:read`; undefined when any SCIM permission suffices. */
  readonly permission: string | undefined;
  readonly request: ApiRequest;
}

/** The access of an authorized caller to a tenant. */
export interface Access {
  /** The caller with the grants that operations need. */
  readonly principal: Principal;
  /** The caller as authenticated. */
  readonly caller: Principal;
  readonly tenant: ScimTenant;
  readonly options: CallOptions;
}

const allMethods: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/** The grants of operations on users and groups: the caller's SCIM rights were checked before. */
const operationGrants: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    "/api/user",
    "/api/user/search",
    "/api/user/registration",
    "/api/group",
    "/api/group/search",
    "/api/group/member",
    "/api/group/member/search",
  ].map((endpoint) => [endpoint, allMethods]),
);

/**
 * Returns the access of a caller and the tenant. Throws `ScimError` 401 without a valid credential, 403 without the permission or
 * when SCIM is off for the tenant, 400 for an unknown tenant.
 */
export async function resolveAccess(host: ProtocolHost, caller: Principal, asked: RequestedAccess): Promise<Access> {
  if (caller.kind === "user")
    throw new ScimError(403, undefined, "A user's token cannot provision. Send a client's token or an API key.");
  const own = caller.kind === "client" ? await findTenant(host, caller.tenantId) : undefined;
  const allowed =
    caller.kind === "client" ? grantToClient(caller, asked, own && (await findPermissions(host, caller, own))) : caller;
  const tenantId = bindTenant(host, allowed, asked) ?? (await findOnlyTenant(host));
  const tenant = tenantId === own?.settings.id ? own : await findTenant(host, tenantId);
  if (tenant === undefined) throw new ScimError(403, undefined, turnedOff);
  return { caller, principal: withGrants(caller), tenant: tenant.settings, options: { tenantId: tenant.settings.id } };
}

// Directories show the detail of a refusal; the API only answers 401.
function bindTenant(host: ProtocolHost, caller: Principal, asked: RequestedAccess): string | undefined {
  try {
    return host.authorize(caller, asked, asked.request);
  } catch (error) {
    if (!(error instanceof IdentityError) || error.status !== 401) throw error;
    const rule = "Check the endpoints and the tenant of the key, and the tenant header.";
    throw new ScimError(403, undefined, `The caller may not ${asked.method} ${asked.endpoint} here. ${rule}`);
  }
}

const turnedOff = "SCIM is turned off for this tenant. Set tenant.scimServerConfiguration.enabled to true.";

function withGrants(principal: Principal): Principal {
  return principal.kind === "host" || principal.kind === "user" ? principal : { ...principal, grants: operationGrants };
}

// The rights of a client are its permissions on the SCIM server entity of its tenant: undefined where SCIM is off.
function grantToClient(client: ClientPrincipal, asked: RequestedAccess, held: readonly string[] | undefined): Principal {
  const isAllowed = held?.some(
    (name) => name === asked.permission || (asked.permission === undefined && name.startsWith("scim:")),
  );
  if (!isAllowed) throw new ScimError(403, undefined, held === undefined ? turnedOff : missingPermission(asked));
  return { ...client, grants: new Map([[asked.endpoint, new Set([asked.method])]]) };
}

function missingPermission({ permission = "scim:…" }: RequestedAccess): string {
  return `The token does not have the permission ${permission} on an entity of the tenant's SCIM server type.`;
}

async function findPermissions(
  host: ProtocolHost,
  { claims, entityId, tenantId }: ClientPrincipal,
  { configuration: { clientEntityTypeId, serverEntityTypeId } }: EnabledTenant,
): Promise<readonly string[]> {
  const permissions = isObject(claims.permissions) ? claims.permissions : {};
  const targets = [claims.aud].flat().filter((id): id is string => typeof id === "string" && Object.hasOwn(permissions, id));
  const ids = [entityId, ...targets].filter(isUuid);
  const read = (): Promise<ReadonlyMap<string, string>> => host.findEntityTypes(tenantId, ids);
  const types = await cachesOf(host).entityTypes.find([tenantId, ...ids].join(" "), read);
  if (clientEntityTypeId === undefined || types?.get(entityId) !== clientEntityTypeId) return [];
  for (const id of targets) {
    const names = permissions[id];
    if (types.get(id) !== serverEntityTypeId || !Array.isArray(names)) continue;
    return names.filter((name) => typeof name === "string");
  }
  return [];
}

// Claims of a token may contain any text.
function isUuid(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
}

async function findOnlyTenant(host: ProtocolHost): Promise<string> {
  const { tenants } = await host.as(scimVisitor).tenants.search({ search: { numberOfResults: 2 } });
  const [tenant, another] = tenants;
  if (tenant !== undefined && another === undefined) return tenant.id;
  throw new ScimError(400, "invalidValue", "Name the tenant: use a key of one tenant, or send the tenant header.");
}

interface ScimConfiguration {
  readonly clientEntityTypeId?: string | undefined;
  readonly serverEntityTypeId?: string | undefined;
}

interface EnabledTenant {
  readonly settings: ScimTenant;
  readonly configuration: ScimConfiguration;
}

interface AccessCaches {
  /** The types of entities, keyed by the ids of the tenant and the entities. */
  readonly entityTypes: ProtocolCache<ReadonlyMap<string, string>>;
  readonly tenants: ProtocolCache<EnabledTenant>;
}

const caches = new WeakMap<ProtocolHost, AccessCaches>();

function cachesOf(host: ProtocolHost): AccessCaches {
  const made = caches.get(host) ?? { entityTypes: host.createCache(), tenants: host.createCache() };
  caches.set(host, made);
  return made;
}

function findTenant(host: ProtocolHost, tenantId: string): Promise<EnabledTenant | undefined> {
  return cachesOf(host).tenants.find(tenantId, () => readTenant(host, tenantId));
}

async function readTenant(host: ProtocolHost, tenantId: string): Promise<EnabledTenant | undefined> {
  const found = await ifFound(host.as(scimVisitor).tenants.retrieve({ tenantId }));
  // Tenants of earlier releases lack these settings.
  const configuration: (ScimConfiguration & { enabled: boolean; schemas: object }) | undefined =
    found?.tenant.scimServerConfiguration;
  if (found === undefined || configuration?.enabled !== true || found.tenant.state !== "Active") return undefined;
  const { lambdaConfiguration: lambdas, searchConfiguration } = found.tenant;
  const membersOf = (family: "users" | "groups"): ReadonlySet<string> =>
    new Set(["scim.externalId", ...(searchConfiguration?.searchableData[family] ?? [])]);
  const converters: Readonly<Record<string, ConverterIds>> = {
    User: { request: lambdas.scimUserRequestConverterId, response: lambdas.scimUserResponseConverterId },
    EnterpriseUser: {
      request: lambdas.scimEnterpriseUserRequestConverterId,
      response: lambdas.scimEnterpriseUserResponseConverterId,
    },
    Group: { request: lambdas.scimGroupRequestConverterId, response: lambdas.scimGroupResponseConverterId },
  };
  const searchable = { users: membersOf("users"), groups: membersOf("groups") };
  const verifiesEmail = found.tenant.emailConfiguration?.verifyEmail === true;
  const types = typesOf(host, tenantId, configuration.schemas);
  return { configuration, settings: { id: tenantId, types, converters, searchable, verifiesEmail } };
}

const known = new WeakMap<ProtocolHost, Map<string, { readonly text: string; readonly types: ResourceTypes }>>();

// Custom schemas are parsed again when they change; their problems are recorded then, once.
function typesOf(host: ProtocolHost, tenantId: string, schemas: object): ResourceTypes {
  const byTenant = known.get(host) ?? new Map();
  known.set(host, byTenant);
  const text = JSON.stringify(schemas);
  const before = byTenant.get(tenantId);
  if (before?.text === text) return before.types;
  const types = createResourceTypes(schemas);
  byTenant.set(tenantId, { text, types });
  for (const problem of types.problems) {
    const message = `SCIM left out a schema of tenant ${tenantId}: ${problem}`;
    host.recordEvent({ type: "Error", message }).catch((err: unknown) => host.logger.error({ err }, "event was not recorded"));
  }
  return types;
}
