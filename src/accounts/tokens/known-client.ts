/** What tokens say of the tenant that they are issued in, and what is asked of it. */
export interface IssuingTenant {
  readonly id: string;
  readonly issuer?: string | undefined;
  readonly state: string;
  readonly jwtConfiguration: { readonly accessTokenKeyId?: string | undefined; readonly timeToLiveInSeconds: number };
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
  /** The lambda of the tenant that populates tokens of clients; undefined for none. */
  readonly populateLambdaId: string | undefined;
  /** What it was granted, by the scope as it was asked for. */
  readonly audiences: Map<string, Audience>;
}
