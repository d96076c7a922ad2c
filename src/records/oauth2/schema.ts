/** What asks for a token: the form of the token endpoint (docs/reference/oauth.md, RFC 6749, 4.4.2). */
export interface TokenRequest {
  /** `client_credentials`. */
  readonly grant_type: string;
  /** Not said when HTTP Basic says it. */
  readonly client_id?: string | undefined;
  /** The secret of the entity. Leave it out when HTTP Basic carries it. */
  readonly client_secret?: string | undefined;
  /** `target-entity:<id>[:<permission>,<permission>]`, several apart by blanks. Without permissions: all that are granted. */
  readonly scope?: string | undefined;
  /** The tenant of the client. Client ids are unique in the service, so that nobody has to say it. */
  readonly tenantId?: string | undefined;
}

/** A token that was issued (RFC 6749, 5.1). */
export interface TokenResponse {
  /** The access token, a JWT. */
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
  /** The scope of the token; absent when the request named none. */
  readonly scope?: string;
  /** `DPoP` when the request proved a key (RFC 9449), else `Bearer`. */
  readonly token_type: "Bearer" | "DPoP";
}

/** Who the user of a token is (OIDC Core 5.1, 5.3); a lambda may add to it, and take away all but `sub`. */
export interface UserInfoResponse {
  /** The id of the user. */
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** What is asked about a token (docs/reference/tokens.md#access-tokens). */
export interface IntrospectRequest {
  /** The access token to check. */
  readonly token: string;
  /** The client that asks: the application of a user's token, or an entity by its client id. Not said when HTTP Basic says it. */
  readonly client_id?: string | undefined;
  /** The secret of that client. Leave it out with an API key, in process, and for an application that needs none. */
  readonly client_secret?: string | undefined;
}

/** What a token says, or that it is worth nothing. */
export type IntrospectResponse = { readonly active: false } | { readonly active: true; readonly [claim: string]: unknown };
