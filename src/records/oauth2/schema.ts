/** The form of the token endpoint (docs/reference/oauth.md, RFC 6749, 4.4.2). */
export interface TokenRequest {
  /** `client_credentials`. */
  readonly grant_type: string;
  /** Absent with HTTP Basic. */
  readonly client_id?: string | undefined;
  /** The secret of the entity. Absent with HTTP Basic. */
  readonly client_secret?: string | undefined;
  /** `target-entity:<id>[:<permission>,<permission>]`, several separated by blanks. Without permissions: all granted ones. */
  readonly scope?: string | undefined;
  /** The tenant of the client. Optional, since client ids are unique in the service. */
  readonly tenantId?: string | undefined;
}

/** An issued token (RFC 6749, 5.1). */
export interface TokenResponse {
  /** The access token, a JWT. */
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
  /** The scope of the token; absent if the request had none. */
  readonly scope?: string;
  /** `DPoP` if the request proved a key (RFC 9449), else `Bearer`. */
  readonly token_type: "Bearer" | "DPoP";
}

/** Claims of the user of a token (OIDC Core 5.1, 5.3). A lambda can add claims, and remove all except `sub`. */
export interface UserInfoResponse {
  /** The id of the user. */
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** The form of the introspection endpoint (docs/reference/tokens.md#access-tokens). */
export interface IntrospectRequest {
  /** The access token to check. */
  readonly token: string;
  /** The calling client: the application of a user's token, or an entity by its client id. Absent with HTTP Basic. */
  readonly client_id?: string | undefined;
  /** The secret of that client. Absent with an API key, in process, and for an application that needs none. */
  readonly client_secret?: string | undefined;
}

/** The claims of a token, or `active: false` for an invalid one. */
export type IntrospectResponse = { readonly active: false } | { readonly active: true; readonly [claim: string]: unknown };
