/** The client of OAuth and OpenID Connect that an application is (docs/reference/openid.md#applications). */
export interface OAuthSettings {
  /** Origins such as `https://app.example.com` whose pages may call the token and userinfo endpoints. Default: none. */
  readonly authorizedOriginURLs: readonly string[];
  /** The URLs that a login and a logout may lead back to. Default: none. */
  readonly authorizedRedirectURLs: readonly string[];
  /** Whether those URLs count as they are (default), or may have `*` in the host and the path. Since 1.43.0. */
  readonly authorizedURLValidationPolicy: "AllowWildcards" | "ExactMatch";
  /** Where the service sends a logout token once the user has logged out (OpenID Connect Back-Channel Logout). Default: nowhere. */
  readonly backchannelLogoutURL?: string | undefined;
  /** Whether the token endpoint needs the client secret: always (default), never, or where no code verifier proves the client. Since 1.28.0. */
  readonly clientAuthenticationPolicy: "NotRequired" | "NotRequiredWhenUsingPKCE" | "Required";
  /** The id of the client: that of the application. */
  readonly clientId?: string | undefined;
  /** The secret of the client; random when absent. */
  readonly clientSecret?: string | undefined;
  /** When users of third-party applications are asked for consent. `RememberDecision` counts for a year. Default `AlwaysPrompt`. Since 1.50.0. */
  readonly consentMode: "AlwaysPrompt" | "NeverPrompt" | "RememberDecision";
  /** Whether the event log has why requests of this client are refused. Default false. */
  readonly debug: boolean;
  /** The page where users enter the code of a device. Default: that of the service. */
  readonly deviceVerificationURL?: string | undefined;
  /** What may be exchanged for tokens. Default: authorization codes and refresh tokens. */
  readonly enabledGrants: readonly OAuthGrant[];
  /** Whether the scope `offline_access` gives a refresh token. Default true. */
  readonly generateRefreshTokens: boolean;
  /** Whether a logout ends with the pages `logoutURL` of all applications of the session (default), or of the one that asked. */
  readonly logoutBehavior: "AllApplications" | "RedirectOnly";
  /** The page of the application that ends its own session; a logout loads it in a frame (OpenID Connect Front-Channel Logout). */
  readonly logoutURL?: string | undefined;
  /** Whether the authorization code grant needs PKCE. Default `NotRequired`. Since 1.28.0. */
  readonly proofKeyForCodeExchangePolicy: "NotRequired" | "NotRequiredWhenUsingClientAuthentication" | "Required";
  /** What becomes of scopes that a third-party application asks for by their claims. Since 1.50.0. */
  readonly providedScopePolicy: { readonly [Name in ProvidedScope]: ScopeRequirement };
  /** Whether the application is the host's own (default), whose users are asked for no consent. Since 1.50.0. */
  readonly relationship: "FirstParty" | "ThirdParty";
  /** The earlier form of `clientAuthenticationPolicy`. Default true. */
  readonly requireClientAuthentication: boolean;
  /** Whether only users who are registered to the application may log in. Default false. */
  readonly requireRegistration: boolean;
  /** `Strict` (default): claims follow scopes. `Compatibility`: the ID token and userinfo have all claims. Since 1.50.0. */
  readonly scopeHandlingPolicy: "Compatibility" | "Strict";
  /** Whether a scope that does not exist is left out, by `Allow` and `Remove` alike, or the request is refused (default). Since 1.50.0. */
  readonly unknownScopePolicy: "Allow" | "Reject" | "Remove";
}

/** The settings as a caller gives them: what is left out has its default. */
export type OAuthRequest = Partial<Omit<OAuthSettings, "providedScopePolicy">> & {
  readonly providedScopePolicy?: { readonly [Name in ProvidedScope]?: Partial<ScopeRequirement> | undefined } | undefined;
};

/** The settings with all defaults but that of the client's authentication, which two members say. */
export type GivenOAuthSettings = Omit<OAuthSettings, "clientAuthenticationPolicy"> &
  Partial<Pick<OAuthSettings, "clientAuthenticationPolicy">>;

/** The settings that a caller gives, with both forms of how the client authenticates: `clientAuthenticationPolicy` wins. */
export function toOAuthSettings(given: GivenOAuthSettings): OAuthSettings {
  const earlier = given.requireClientAuthentication ? "Required" : "NotRequired";
  const clientAuthenticationPolicy = given.clientAuthenticationPolicy ?? earlier;
  return { ...given, clientAuthenticationPolicy, requireClientAuthentication: clientAuthenticationPolicy === "Required" };
}

/** What a client can exchange for tokens. */
export type OAuthGrant = (typeof oauthGrants)[number];

/** A scope that stands for claims. */
export type ProvidedScope = (typeof providedScopes)[number];

/** Whether users may be asked for a scope, and whether they must agree. */
interface ScopeRequirement {
  /** Whether the application may ask for it. Default true. */
  readonly enabled: boolean;
  /** Whether a user who refuses it cannot log in. Default false. */
  readonly required: boolean;
}

/** The grants that an application can enable. */
export const oauthGrants = [
  "authorization_code",
  "implicit",
  "password",
  "refresh_token",
  "urn:ietf:params:oauth:grant-type:device_code",
] as const;

/** The scopes that stand for claims. */
export const providedScopes = ["address", "email", "phone", "profile"] as const;

const isProvided: ScopeRequirement = { enabled: true, required: false };

/** What an application that says nothing has. */
export const defaultOAuthSettings: OAuthSettings = {
  authorizedOriginURLs: [],
  authorizedRedirectURLs: [],
  authorizedURLValidationPolicy: "ExactMatch",
  clientAuthenticationPolicy: "Required",
  consentMode: "AlwaysPrompt",
  debug: false,
  enabledGrants: ["authorization_code", "refresh_token"],
  generateRefreshTokens: true,
  logoutBehavior: "AllApplications",
  proofKeyForCodeExchangePolicy: "NotRequired",
  providedScopePolicy: { address: isProvided, email: isProvided, phone: isProvided, profile: isProvided },
  relationship: "FirstParty",
  requireClientAuthentication: true,
  requireRegistration: false,
  scopeHandlingPolicy: "Strict",
  unknownScopePolicy: "Reject",
};

/** The settings of an application. One that an earlier version stored lacks them: it has the defaults. */
export function oauthSettingsOf({
  oauthConfiguration,
}: {
  readonly oauthConfiguration?: Partial<OAuthSettings> | undefined;
}): OAuthSettings {
  return { ...defaultOAuthSettings, ...oauthConfiguration };
}
