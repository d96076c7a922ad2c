/** What one API key may call: methods by endpoint, or everything. */
export type EndpointGrants = ReadonlyMap<string, ReadonlySet<string>> | "all";

/** Where a key works from: what its access list says (docs/reference/api-keys.md#access-lists). */
export interface AllowedSource {
  /** The id of the access list. */
  readonly accessListId: string;
  /** Whether the list lets an address in; an address that nobody knows never. */
  readonly includes: (address: string | undefined) => boolean;
}

/** The application that embeds the service, calling in process. Bound to a tenant when `tenantId` is given. */
export interface HostPrincipal {
  /** Narrows a principal to the host. */
  readonly kind: "host";
  /** The tenant that its calls are bound to; absent: none, so calls name one. */
  readonly tenantId?: string | undefined;
}

/** The holder of an API key (docs/reference/api-keys.md#fields). */
export interface ApiKeyPrincipal {
  /** Narrows a principal to an API key. */
  readonly kind: "apiKey";
  /** The UUID of the API key. */
  readonly keyId: string;
  /** The tenant the key is bound to; undefined for a global key. */
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

/** The claims of a token that was verified. */
export interface TokenClaims {
  /** Epoch seconds. */
  readonly exp: number;
  /** The id of the user or entity. */
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** A user who presents a token of a login (docs/reference/authentication.md#schemes, JWT). */
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

/** An entity that presents a token of the client credentials grant (docs/reference/authentication.md#schemes). */
export interface ClientPrincipal {
  /** Narrows a principal to an entity. */
  readonly kind: "client";
  /** The UUID of the entity that is the client. */
  readonly entityId: string;
  /** The UUID of the entity's tenant. */
  readonly tenantId: string;
  /** What its permissions on the entity of this API amount to. */
  readonly grants: EndpointGrants;
  /** The verified claims of the token. */
  readonly claims: TokenClaims;
}

/** A person who administrates by a console: its host has authenticated the person, and says what the role grants. */
export interface AdministratorPrincipal {
  /** Narrows a principal to an administrator. */
  readonly kind: "administrator";
  /** The UUID of the user, or what the host calls the person: the audit log and events name it. */
  readonly userId: string;
  /** Administrators act in all tenants. */
  readonly tenantId?: undefined;
  /** Whether the person may manage API keys. */
  readonly isKeyManager: boolean;
  /** The endpoints that the person may call. */
  readonly grants: EndpointGrants;
}

/**
 * Somebody at a front door of the service, such as its pages of sign-in, for whom the door calls. It may call what the table of the door
 * lists, within the limits of callers without a key. Ids of mails and texts come back to the door, which keeps them from the visitor.
 */
export interface VisitorPrincipal {
  /** Narrows a principal to a visitor. */
  readonly kind: "visitor";
  /** The tenant whose door it is; absent: none, so calls name one. */
  readonly tenantId?: string | undefined;
  /** Visitors never manage API keys. */
  readonly isKeyManager: false;
  /** The endpoints that the door calls. */
  readonly grants: Exclude<EndpointGrants, "all">;
}

/** A lambda that calls the API while it runs. */
export interface LambdaPrincipal {
  /** Narrows a principal to a lambda. */
  readonly kind: "lambda";
  /** The UUID of the lambda. */
  readonly lambdaId: string;
  /** The tenant that the run is for. */
  readonly tenantId: string;
  /** Lambdas never manage API keys. */
  readonly isKeyManager: false;
  /** What the permissions of the lambda amount to. */
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

/** What tokens say of the tenant that they are issued in, and what is asked of it. */
export interface IssuingTenant {
  readonly id: string;
  readonly issuer?: string | undefined;
  readonly state: string;
  readonly jwtConfiguration: { readonly accessTokenKeyId?: string | undefined; readonly timeToLiveInSeconds: number };
  /** Absent where an earlier release stored the tenant. */
  readonly scimServerConfiguration?: { readonly clientEntityTypeId?: string | undefined } | undefined;
}

/** Whom a token is for, and what it allows: the claims `aud`, `permissions` and `scope`; empty where no scope was asked for. */
export interface Audience {
  readonly aud?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, readonly string[]>>;
  readonly scope?: string;
}

/** A client that has proved who it is: an entity, and what the token endpoint asks about it. */
export interface KnownClient {
  readonly entityId: string;
  readonly tenant: IssuingTenant;
  /** Seconds. */
  readonly lifetimeSeconds: number;
  /** The key that its tokens are signed with; undefined for the tenant's. */
  readonly keyId: string | undefined;
  /** Whether it is a client of SCIM, by its type. */
  readonly isScimClient: boolean;
  /** The lambda of the tenant that populates tokens of clients; undefined for none. */
  readonly populateLambdaId: string | undefined;
  /** What it was granted, by the scope as it was asked for. */
  readonly audiences: Map<string, Audience>;
}

/** A token that is bound to a key. */
export interface BoundToken {
  readonly token: string;
  readonly thumbprint: string;
}

/** The principal that a token stands for. */
export type TokenPrincipal = UserPrincipal | ClientPrincipal;

/** Whether a principal's grants include all of these: a caller must hold the rights that it passes on. */
export function hasGrants(principal: Principal | undefined, wanted: EndpointGrants): boolean {
  if (principal === undefined || principal.kind === "user") return false;
  if (principal.kind === "host" || principal.grants === "all") return true;
  if (wanted === "all") return false;
  const { grants } = principal;
  return [...wanted].every(([endpoint, methods]) => [...methods].every((method) => grants.get(endpoint)?.has(method) ?? false));
}
