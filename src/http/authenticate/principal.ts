/** The calls that an API key permits: methods by endpoint, or all. */
export type EndpointGrants = ReadonlyMap<string, ReadonlySet<string>> | "all";

/** The addresses that a key works from, by its access list (docs/reference/api-keys.md#access-lists). */
export interface AllowedSource {
  /** The id of the access list. */
  readonly accessListId: string;
  /** Whether the list allows an address; never an unknown one. */
  readonly includes: (address: string | undefined) => boolean;
}

/** The application that embeds the service, calling in process. Bound to a tenant when `tenantId` is given. */
export interface HostPrincipal {
  /** Narrows a principal to the host. */
  readonly kind: "host";
  /** The tenant that its calls are bound to; absent: none, so each call names one. */
  readonly tenantId?: string | undefined;
}

/** The holder of an API key (docs/reference/api-keys.md#fields). */
export interface ApiKeyPrincipal {
  /** Narrows a principal to an API key. */
  readonly kind: "apiKey";
  /** The UUID of the API key. */
  readonly keyId: string;
  /** The tenant that the key is bound to; undefined for a global key. */
  readonly tenantId: string | undefined;
  /** The tenants of a key for several: each call names one of them. Undefined for other keys. */
  readonly tenantIds?: ReadonlySet<string> | undefined;
  /** Whether the key may manage API keys. */
  readonly isKeyManager: boolean;
  /** The endpoints that the key may call. */
  readonly grants: EndpointGrants;
  /** Epoch milliseconds; undefined when the key does not expire. */
  readonly expirationInstant: number | undefined;
  /** The addresses that the key works from; undefined for a key that works from everywhere. */
  readonly source?: AllowedSource | undefined;
}

/** The claims of a verified token. */
export interface TokenClaims {
  /** Epoch seconds. */
  readonly exp: number;
  /** The id of the user or entity. */
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** A user with a token of a login (docs/reference/authentication.md#schemes, JWT). */
export interface UserPrincipal {
  /** Narrows a principal to a user. */
  readonly kind: "user";
  /** The UUID of the user. */
  readonly userId: string;
  /** The UUID of the user's tenant. */
  readonly tenantId: string;
  /** The verified claims of the token. */
  readonly claims: TokenClaims;
}

/** An entity with a token of the client credentials grant (docs/reference/authentication.md#schemes). */
export interface ClientPrincipal {
  /** Narrows a principal to an entity. */
  readonly kind: "client";
  /** The UUID of the client's entity. */
  readonly entityId: string;
  /** The UUID of the entity's tenant. */
  readonly tenantId: string;
  /** The grants from its permissions on the entity of this API. */
  readonly grants: EndpointGrants;
  /** The verified claims of the token. */
  readonly claims: TokenClaims;
}

/** An administrator of a console: the console's host has authenticated the person and defines the grants of the role. */
export interface AdministratorPrincipal {
  /** Narrows a principal to an administrator. */
  readonly kind: "administrator";
  /** The UUID of the user, or the host's name for the administrator: shown in the audit log and events. */
  readonly userId: string;
  /** Administrators act in all tenants. */
  readonly tenantId?: undefined;
  /** Whether the administrator may manage API keys. */
  readonly isKeyManager: boolean;
  /** The endpoints that the administrator may call. */
  readonly grants: EndpointGrants;
}

/**
 * A visitor of the service's own pages, such as those of sign-in, which call on the visitor's behalf. It may call the endpoints
 * in the table of the pages, within the limits of callers without a key. Ids of mails and texts come back to the pages, which do
 * not show them to the visitor.
 */
export interface VisitorPrincipal {
  /** Narrows a principal to a visitor. */
  readonly kind: "visitor";
  /** The tenant of the pages; absent: none, so each call names one. */
  readonly tenantId?: string | undefined;
  /** Visitors never manage API keys. */
  readonly isKeyManager: false;
  /** The endpoints that the pages call. */
  readonly grants: Exclude<EndpointGrants, "all">;
}

/** A lambda that calls the API while it runs. */
export interface LambdaPrincipal {
  /** Narrows a principal to a lambda. */
  readonly kind: "lambda";
  /** The UUID of the lambda. */
  readonly lambdaId: string;
  /** The tenant of the run. */
  readonly tenantId: string;
  /** Lambdas never manage API keys. */
  readonly isKeyManager: false;
  /** The grants from the permissions of the lambda. */
  readonly grants: Exclude<EndpointGrants, "all">;
}

/** The authenticated caller. */
export type Principal =
  | HostPrincipal
  | ApiKeyPrincipal
  | UserPrincipal
  | ClientPrincipal
  | AdministratorPrincipal
  | VisitorPrincipal
  | LambdaPrincipal;

/** The host without a tenant: may do everything. */
export const hostPrincipal: HostPrincipal = Object.freeze({ kind: "host" });

/** The part of a tenant that issuing its tokens needs. */
export interface IssuingTenant {
  readonly id: string;
  readonly issuer?: string | undefined;
  readonly state: string;
  readonly jwtConfiguration: { readonly accessTokenKeyId?: string | undefined; readonly timeToLiveInSeconds: number };
  /** Absent on tenants that an earlier release stored. */
  readonly scimServerConfiguration?: { readonly clientEntityTypeId?: string | undefined } | undefined;
}

/** The audience and rights of a token: the claims `aud`, `permissions` and `scope`; empty without a requested scope. */
export interface Audience {
  readonly aud?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, readonly string[]>>;
  readonly scope?: string;
}

/** An authenticated client: an entity, and its settings for the token endpoint. */
export interface KnownClient {
  readonly entityId: string;
  readonly tenant: IssuingTenant;
  readonly lifetimeSeconds: number;
  /** The key that signs its tokens; undefined for the tenant's. */
  readonly keyId: string | undefined;
  /** Whether it is a client of SCIM, by its type. */
  readonly isScimClient: boolean;
  /** The lambda of the tenant that populates tokens of clients; undefined for none. */
  readonly populateLambdaId: string | undefined;
  /** Granted audiences, by requested scope. */
  readonly audiences: Map<string, Audience>;
}

/** A token that is bound to a key. */
export interface BoundToken {
  readonly token: string;
  readonly thumbprint: string;
}

/** The principal of a token. */
export type TokenPrincipal = UserPrincipal | ClientPrincipal;

/** Whether a principal's grants include all of these: callers can pass on only rights that they have. */
export function hasGrants(principal: Principal | undefined, wanted: EndpointGrants): boolean {
  if (principal === undefined || principal.kind === "user") return false;
  if (principal.kind === "host" || principal.grants === "all") return true;
  if (wanted === "all") return false;
  const { grants } = principal;
  return [...wanted].every(([endpoint, methods]) => [...methods].every((method) => grants.get(endpoint)?.has(method) ?? false));
}
