/** Ports for logins that another system decides: identity providers, and connectors to directories that hold passwords. */
import type { KeyObject } from "node:crypto";
import type { Clock, Logger, Random } from "./runtime.js";

/**
 * Why a login by another system came to nothing. `refused`: the answer or the token is not valid (400). `unavailable`: the other system does not
 * answer as it should (502). `pending`: the user has not decided yet, and the call may be repeated (409).
 */
export type SignInFailure = "pending" | "refused" | "unavailable";

/** Thrown by those who speak to other systems. Any other error counts as `unavailable`. */
export class SignInError extends Error {
  /** What the caller learns. */
  readonly reason: SignInFailure;

  constructor(reason: SignInFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SignInError";
    this.reason = reason;
  }
}

/** A key of the service, opened. */
export interface SignInKey {
  /** The UUID of the key. */
  readonly id: string;
  /** By what tokens name the key. */
  readonly kid: string;
  /** The `alg` of what the key signs, and the only one to verify by; undefined for a key of the type `Secret`. */
  readonly alg: string | undefined;
  /** X.509 in PEM. */
  readonly certificate: string | undefined;
  /** The private half, or the secret of an HMAC key; undefined for a key that can only verify. */
  readonly signingKey: KeyObject | undefined;
  /** The public half, or the secret of an HMAC key. */
  readonly verificationKey: KeyObject | undefined;
}

/** What the service offers to those who call other systems. */
export interface SignInHost {
  /**
   * Calls an URL as the Fetch standard says, through the guard for outbound addresses: redirects are returned and not followed, and the
   * signal of the request is obeyed. Throws a `SignInError` after 10 seconds, for an answer of more than 1 MiB, and where there is none.
   */
  readonly fetch: typeof globalThis.fetch;
  /**
   * For what does not speak HTTP: the address to connect to, looked up once, so that the name cannot lead elsewhere afterwards.
   * Throws a `SignInError` for a private address where the host does not allow it, and for a name that cannot be looked up.
   */
  readonly assertAddress: (hostname: string, port: number) => Promise<string>;
  /** The stored key with this id, such as `keyId` of a provider; undefined for none. */
  readonly findKey: (keyId: string) => Promise<SignInKey | undefined>;
  /** The service's root URL as browsers reach it, without a slash at its end: the option `publicUrl`; undefined where the host does not say it. */
  readonly publicUrl: string | undefined;
  /** Returns the time in epoch milliseconds. */
  readonly clock: Clock;
  /** Returns random bytes. */
  readonly random: Random;
  /** Writes lines of the service's log. */
  readonly logger: Logger;
}

/**
 * An identity provider or a connector as it is stored, with its secrets in clear. Its members are those of the API. What a provider says in
 * `applicationConfiguration` for the application of the login stands in place of its own members already.
 */
export interface SignInRecord {
  readonly id: string;
  readonly name: string;
  /** Such as `OpenIDConnect`, `Google` or `LDAP`. */
  readonly type: string;
  readonly [member: string]: unknown;
}

/** A login that begins. */
export interface ProviderLoginStart {
  readonly provider: SignInRecord;
  /** The application that the user logs in to. */
  readonly applicationId: string;
  /** The tenant of the application. */
  readonly tenantId: string;
  /** Where the provider sends the user back to; empty for a provider without a browser, such as a push to a phone. */
  readonly redirectUri: string;
  /** A random value that comes back with the user. */
  readonly state: string;
  /** The login id that the user typed before. */
  readonly loginHint?: string | undefined;
}

/** Where the browser goes. */
export interface ProviderRedirect {
  /** The URL at the provider; absent for a login without a browser. */
  readonly url?: string | undefined;
  /** The fields of a form that the browser posts to `url`; absent: it follows the URL. */
  readonly formFields?: Readonly<Record<string, string>> | undefined;
  /** What `complete` needs, such as the PKCE verifier: stored until then, and given back once. */
  readonly memory: Readonly<Record<string, string>>;
}

/** A user who comes back from a provider, or a caller who has a token of it. */
export interface ProviderLoginResponse {
  readonly provider: SignInRecord;
  readonly applicationId: string;
  readonly tenantId: string;
  /** The one of the start, else `redirect_uri` of the caller's `data`; absent where the caller has the token already. */
  readonly redirectUri?: string | undefined;
  /** What the provider sent by the browser, or the `data` of the caller: `code`, `state`, `SAMLResponse`, `id_token`, `token`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** What `start` returned; absent for a login that did not start here. */
  readonly memory?: Readonly<Record<string, string>> | undefined;
}

/** What a provider says of a user, verified. */
export interface ProviderUser {
  /** The user's id at the provider, as it writes it: 1 to 255 characters. */
  readonly id: string;
  readonly email?: string | undefined;
  /** Whether the provider says that the address belongs to the user. */
  readonly isEmailVerified: boolean;
  readonly username?: string | undefined;
  readonly displayName?: string | undefined;
  /** Members of the user in the API, such as `firstName` and `imageUrl`, for a new user. */
  readonly profile: Readonly<Record<string, unknown>>;
  /** A token of the provider, stored with the link. */
  readonly token?: string | undefined;
  /** The arguments of the reconcile lambda beside `user`, `registration` and `context`, such as `id_token`. */
  readonly lambdaArguments: Readonly<Record<string, unknown>>;
  /**
   * What must not be presented twice, such as the id of an assertion, and until when it is remembered, in epoch milliseconds. The service
   * refuses a login whose id was used with the same provider in the same tenant.
   */
  readonly useOnce?: { readonly id: string; readonly expirationInstant: number } | undefined;
}

/** Speaks the protocol of identity providers of some types. */
export interface IdentityProviderClient {
  /** The types of identity providers that it serves. */
  readonly types: readonly string[];
  /** Those of them whose login is finished by repeated calls until the user decided. Default: none. */
  readonly polledTypes?: readonly string[] | undefined;
  /** Begins a login. @throws SignInError `unavailable` for a provider that does not answer as it should, `refused` for one that has no such logins. */
  start(login: ProviderLoginStart, host: SignInHost): Promise<ProviderRedirect>;
  /**
   * Verifies the answer of a provider, which is never trusted: `parameters` come from anybody.
   * @throws SignInError `refused` for an answer that is not valid, `unavailable` for a provider that does not answer, `pending`.
   */
  complete(answer: ProviderLoginResponse, host: SignInHost): Promise<ProviderUser>;
}

/** A password that a connector checks. */
export interface ConnectorLogin {
  readonly connector: SignInRecord;
  readonly loginId: string;
  /** Never empty. */
  readonly password: string;
}

/** The user of a connector whose password is right. */
export interface ConnectorUser {
  /** Members of the user in the API; `id`, a UUID, where the other system chooses it. */
  readonly user: Readonly<Record<string, unknown>>;
  /**
   * What the other system knows the user by for good, where that is no UUID of a user, such as `entryUUID` of an entry. The id of the user is
   * made of it, so that a new address does not make another user.
   */
  readonly identifier?: string | undefined;
  /** The attributes of the entry, for the reconcile lambda. */
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

/** Checks passwords against another system. */
export interface PasswordConnector {
  /** The type of connector that it serves, such as `LDAP`. */
  readonly type: string;
  /** Returns the user; undefined for an unknown login id or a wrong password. @throws SignInError `unavailable` for a system that does not answer. */
  authenticate(login: ConnectorLogin, host: SignInHost): Promise<ConnectorUser | undefined>;
}
