/** Ports for logins that another system decides: identity providers, and connectors to directories that hold passwords. */
import type { Clock, Logger, Random } from "./runtime.js";

/** What the service offers to those who call other systems. */
export interface SignInHost {
  /**
   * Calls an URL as the Fetch standard says, through the guard for outbound addresses: no redirects are followed, answers have at most 1 MiB,
   * and 10 seconds without an answer are an error.
   */
  readonly fetch: typeof globalThis.fetch;
  /** Refuses private addresses where the host does not allow them; for what does not speak HTTP. */
  readonly assertAddress: (hostname: string, port: number) => Promise<void>;
  /** Returns the time in epoch milliseconds. */
  readonly clock: Clock;
  /** Returns random bytes. */
  readonly random: Random;
  /** Writes lines of the service's log. */
  readonly logger: Logger;
}

/** An identity provider or a connector as it is stored, with its secrets in clear. Its members are those of the API. */
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
  /** The application that the user logs in to: a provider may have settings of its own for it in `applicationConfiguration`. */
  readonly applicationId: string;
  /** Where the provider sends the user back to. */
  readonly redirectUri: string;
  /** A random value that comes back with the user. */
  readonly state: string;
  /** The login id that the user typed before. */
  readonly loginHint?: string | undefined;
}

/** Where the browser goes. */
export interface ProviderRedirect {
  /** The URL at the provider. */
  readonly url: string;
  /** The fields of a form that the browser posts to `url`; absent: it follows the URL. */
  readonly formFields?: Readonly<Record<string, string>> | undefined;
  /** What `complete` needs, such as the PKCE verifier: stored until then, and given back once. */
  readonly memory: Readonly<Record<string, string>>;
}

/** A user who comes back from a provider, or a caller who has a token of it. */
export interface ProviderLoginResponse {
  readonly provider: SignInRecord;
  readonly applicationId: string;
  /** The one of the start; absent where the caller has the token already. */
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
}

/** Speaks the protocol of identity providers of some types. */
export interface IdentityProviderClient {
  /** The types of identity providers that it serves. */
  readonly types: readonly string[];
  /** Begins a login. @throws IdentityError 502 for a provider that does not answer as it should. */
  start(login: ProviderLoginStart, host: SignInHost): Promise<ProviderRedirect>;
  /** Verifies the answer of a provider. @throws IdentityError 400 for one that is not valid, 502 for a provider that does not answer. */
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
  /** Members of the user in the API; `id` where the other system chooses it. */
  readonly user: Readonly<Record<string, unknown>>;
  /** The attributes of the entry, for the reconcile lambda. */
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

/** Checks passwords against another system. */
export interface PasswordConnector {
  /** The type of connector that it serves, such as `LDAP`. */
  readonly type: string;
  /** Returns the user; undefined for an unknown login id or a wrong password. @throws IdentityError 502 for a system that does not answer. */
  authenticate(login: ConnectorLogin, host: SignInHost): Promise<ConnectorUser | undefined>;
}
