/** What one API key may call: methods by endpoint, or everything. */
export type EndpointGrants = ReadonlyMap<string, ReadonlySet<string>> | "all";

/** The application that embeds the service, calling in process. Bound to a tenant when `tenantId` is given. */
export interface HostPrincipal {
  readonly kind: "host";
  readonly tenantId?: string | undefined;
}

/** The holder of an API key (reference 2.1). */
export interface ApiKeyPrincipal {
  readonly kind: "apiKey";
  readonly keyId: string;
  /** The tenant the key is bound to; undefined for a global key. */
  readonly tenantId: string | undefined;
  readonly isKeyManager: boolean;
  readonly grants: EndpointGrants;
  /** Epoch milliseconds; undefined when the key does not expire. */
  readonly expirationInstant: number | undefined;
}

/** The authenticated caller. */
export type Principal = HostPrincipal | ApiKeyPrincipal;

/** The host without a tenant: may do everything. */
export const hostPrincipal: HostPrincipal = Object.freeze({ kind: "host" });
