/** Ports for logins through other systems: identity providers, and connectors to directories that store passwords. */
import type { KeyObject } from "node:crypto";
import type { Clock, Logger, Random } from "./runtime.js";

/**
 * The reason for a failed login. `refused`: the response or token is invalid (400). `unavailable`: the other system does not
 * respond as expected (502). `pending`: the user has not decided yet; repeat the call (409).
 */
export type SignInFailure = "pending" | "refused" | "unavailable";

/** Thrown by identity provider clients and connectors. Any other error counts as `unavailable`. */
export class SignInError extends Error {
  /** The reason, which sets the response of the service. */
  readonly reason: SignInFailure;

  constructor(reason: SignInFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SignInError";
    this.reason = reason;
  }
}

/** A key of the service, decrypted. */
export interface SignInKey {
  /** The UUID of the key. */
  readonly id: string;
  /** The key id in the header `kid` of tokens. */
  readonly kid: string;
  /** The algorithm to sign and verify with; undefined for a key of the type `Secret`. */
  readonly alg: string | undefined;
  /** The X.509 certificate, in PEM. */
  readonly certificate: string | undefined;
  /** The private key, or the secret of an HMAC key; undefined for a key that can only verify. */
  readonly signingKey: KeyObject | undefined;
  /** The public key, or the secret of an HMAC key. */
  readonly verificationKey: KeyObject | undefined;
}

/** Services for identity provider clients and connectors. */
export interface SignInHost {
  /**
   * Calls a URL as in the Fetch standard, through the outbound guard. Returns redirects instead of following them, and obeys the
   * signal of the request. Throws a `SignInError` after 10 seconds, for a response of more than 1 MiB, and when there is no
   * response.
   */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Resolves a host name once and returns the address to connect to, for protocols other than HTTP: a later DNS change cannot
   * redirect the connection. Throws a `SignInError` for an unknown name, and for a private address unless the host allows these.
   */
  readonly assertAddress: (hostname: string, port: number) => Promise<string>;
  /** Returns the stored key with this id, such as the `keyId` of a provider; undefined when there is none. */
  readonly findKey: (keyId: string) => Promise<SignInKey | undefined>;
  /** The service's root URL for browsers, without a trailing slash: the option `publicUrl`; undefined without it. */
  readonly publicUrl: string | undefined;
  /** Returns the time in epoch milliseconds. */
  readonly clock: Clock;
  /** Returns random bytes from a cryptographic source. */
  readonly random: Random;
  /** Writes to the service's log. */
  readonly logger: Logger;
}

/**
 * A stored identity provider or connector, with decrypted secrets. Its members are those of the API; those of
 * `applicationConfiguration` for the application of the login are already merged in.
 */
export interface SignInRecord {
  /** The UUID of the record. */
  readonly id: string;
  /** The name in the administration. */
  readonly name: string;
  /** The type, such as `OpenIDConnect`, `Google` or `LDAP`. */
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The start of a login. */
export interface ProviderLoginStart {
  /** The provider, with its settings for the application. */
  readonly provider: SignInRecord;
  /** The application that the user logs in to. */
  readonly applicationId: string;
  /** The tenant of the application. */
  readonly tenantId: string;
  /** The URL that the provider sends the user back to; empty for a provider without a browser, such as a push to a phone. */
  readonly redirectUri: string;
  /** A random value that the provider returns with the user. */
  readonly state: string;
  /** The login id that the user typed before. */
  readonly loginHint?: string | undefined;
}

/** The next step of a started login. */
export interface ProviderRedirect {
  /** The URL at the provider; absent for a login without a browser. */
  readonly url?: string | undefined;
  /** The fields of a form that the browser posts to `url`. Absent: the browser follows the URL. */
  readonly formFields?: Readonly<Record<string, string>> | undefined;
  /** Values for `complete`, such as the PKCE verifier: stored until then, and returned once. */
  readonly memory: Readonly<Record<string, string>>;
}

/** A provider's response to a login, or a provider's token from a caller. */
export interface ProviderLoginResponse {
  /** The provider, with its settings for the application. */
  readonly provider: SignInRecord;
  /** The application that the user logs in to. */
  readonly applicationId: string;
  /** The tenant of the application. */
  readonly tenantId: string;
  /** The redirect URI of the start, else `redirect_uri` of the caller's `data`; absent when the caller already has the token. */
  readonly redirectUri?: string | undefined;
  /**
   * The parameters from the provider by the browser, or the caller's `data`: `code`, `state`, `SAMLResponse`, `id_token`,
   * `token`.
   */
  readonly parameters: Readonly<Record<string, string>>;
  /** The values that `start` returned; absent for a login that did not start here. */
  readonly memory?: Readonly<Record<string, string>> | undefined;
}

/** A user's verified data at the provider. */
export interface ProviderUser {
  /** The user's id at the provider, unchanged: 1 to 255 characters. */
  readonly id: string;
  /** The email address of the user. */
  readonly email?: string | undefined;
  /** Whether the provider states that the address belongs to the user. */
  readonly isEmailVerified: boolean;
  /** The username. */
  readonly username?: string | undefined;
  /** The display name of the account, for the link. */
  readonly displayName?: string | undefined;
  /** Members of a new user in the API, such as `firstName` and `imageUrl`. */
  readonly profile: Readonly<Record<string, unknown>>;
  /** A token of the provider, stored with the link. */
  readonly token?: string | undefined;
  /** The arguments of the reconcile lambda besides `user`, `registration` and `context`, such as `id_token`. */
  readonly lambdaArguments: Readonly<Record<string, unknown>>;
  /**
   * An id that must not be used twice, such as that of an assertion, and the end of its check, in epoch milliseconds. The service
   * refuses a second login with the same id, provider and tenant.
   */
  readonly useOnce?: { readonly id: string; readonly expirationInstant: number } | undefined;
}

/** Implements the protocol of some types of identity providers. */
export interface IdentityProviderClient {
  /** The types of identity providers that it supports. */
  readonly types: readonly string[];
  /** Those types that are polled: callers repeat the completing call until the user has decided. Default: none. */
  readonly polledTypes?: readonly string[] | undefined;
  /**
   * Starts a login. @throws SignInError `unavailable` for a provider that does not respond as expected, `refused` for one without
   * such logins.
   */
  start(login: ProviderLoginStart, host: SignInHost): Promise<ProviderRedirect>;
  /**
   * Verifies the response of a provider. Do not trust `parameters`: any client can send them.
   * @throws SignInError `refused` for an invalid response, `unavailable` for a provider that does not respond, `pending`.
   */
  complete(answer: ProviderLoginResponse, host: SignInHost): Promise<ProviderUser>;
}

/** A password for a connector to check. */
export interface ConnectorLogin {
  /** The connector, with `sslCertificate`: trusted certificates in PEM besides the system's, if there are any. */
  readonly connector: SignInRecord;
  /** The user's input, trimmed. */
  readonly loginId: string;
  /** The password; never empty. */
  readonly password: string;
}

/** The user of a connector with a correct password. */
export interface ConnectorUser {
  /** Members of the user in the API; with `id`, a UUID, when the other system chooses it. */
  readonly user: Readonly<Record<string, unknown>>;
  /**
   * The user's permanent id in the other system if it is not a UUID, such as the `entryUUID` of an LDAP entry. The service
   * derives the user's id from it, so that a changed email address does not create another user.
   */
  readonly identifier?: string | undefined;
  /** The attributes of the directory entry, for the reconcile lambda. */
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

/** Checks passwords against another system. */
export interface PasswordConnector {
  /** The type of connector that it supports, such as `LDAP`. */
  readonly type: string;
  /**
   * Returns the user; undefined for an unknown login id or a wrong password. @throws SignInError `unavailable` for a system that
   * does not respond.
   */
  authenticate(login: ConnectorLogin, host: SignInHost): Promise<ConnectorUser | undefined>;
}
