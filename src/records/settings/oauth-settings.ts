/** An application as a client of OAuth and OpenID Connect (docs/reference/openid.md#applications). */
export interface OAuthSettings {
  /** Origins of pages that can call the token and userinfo endpoints, such as `https://app.example.com`. Default: none. */
  readonly authorizedOriginURLs: readonly string[];
  /** The redirect URLs of login and logout. Default: none. */
  readonly authorizedRedirectURLs: readonly string[];
  /** Whether the URLs must match exactly (default), or can have `*` in the host and the path. Since 1.43.0. */
  readonly authorizedURLValidationPolicy: "AllowWildcards" | "ExactMatch";
  /** The URL that receives a logout token after the user logs out (OpenID Connect Back-Channel Logout). Default: none. */
  readonly backchannelLogoutURL?: string | undefined;
  /** Whether the token endpoint needs the client secret: always (default), never, or only without PKCE. Since 1.28.0. */
  readonly clientAuthenticationPolicy: "NotRequired" | "NotRequiredWhenUsingPKCE" | "Required";
  /** The client id: the id of the application. */
  readonly clientId?: string | undefined;
  /** The client secret. Default: random. */
  readonly clientSecret?: string | undefined;
  /**
   * When users of third-party applications are asked for consent. `RememberDecision` lasts a year. Default `AlwaysPrompt`.
   * Since 1.50.0.
   */
  readonly consentMode: "AlwaysPrompt" | "NeverPrompt" | "RememberDecision";
  /** Whether refused requests of this client write to the event log. Default false. */
  readonly debug: boolean;
  /** The page where users enter the code of a device. Default: that of the service. */
  readonly deviceVerificationURL?: string | undefined;
  /** The grants that the token endpoint accepts. Default: authorization codes and refresh tokens. */
  readonly enabledGrants: readonly OAuthGrant[];
  /** Whether the scope `offline_access` returns a refresh token. Default true. */
  readonly generateRefreshTokens: boolean;
  /** Whether a logout loads the `logoutURL` of all applications of the session (default), or of the requesting one only. */
  readonly logoutBehavior: "AllApplications" | "RedirectOnly";
  /** The page that ends the application's own session; a logout loads it in a frame (OpenID Connect Front-Channel Logout). */
  readonly logoutURL?: string | undefined;
  /** Whether the authorization code grant needs PKCE. Default `NotRequired`. Since 1.28.0. */
  readonly proofKeyForCodeExchangePolicy: "NotRequired" | "NotRequiredWhenUsingClientAuthentication" | "Required";
  /** Scopes with claims, for third-party applications. Since 1.50.0. */
  readonly providedScopePolicy: { readonly [Name in ProvidedScope]: ScopeRequirement };
  /** Whether the application is the host's own (default), without consent of its users. Since 1.50.0. */
  readonly relationship: "FirstParty" | "ThirdParty";
  /** The earlier form of `clientAuthenticationPolicy`. Default true. */
  readonly requireClientAuthentication: boolean;
  /** Whether only registered users can log in. Default false. */
  readonly requireRegistration: boolean;
  /** `Strict` (default): claims follow scopes. `Compatibility`: the ID token and userinfo contain all claims. Since 1.50.0. */
  readonly scopeHandlingPolicy: "Compatibility" | "Strict";
  /** Whether unknown scopes are ignored (`Allow` and `Remove` alike), or refuse the request (default). Since 1.50.0. */
  readonly unknownScopePolicy: "Allow" | "Reject" | "Remove";
}

/** The settings in a request, all optional. */
export type OAuthRequest = Partial<Omit<OAuthSettings, "providedScopePolicy">> & {
  readonly providedScopePolicy?: { readonly [Name in ProvidedScope]?: Partial<ScopeRequirement> | undefined } | undefined;
};

/** The settings with defaults, except the client authentication, for which there are two members. */
export type GivenOAuthSettings = Omit<OAuthSettings, "clientAuthenticationPolicy"> &
  Partial<Pick<OAuthSettings, "clientAuthenticationPolicy">>;

/** Resolves the two members of client authentication: `clientAuthenticationPolicy` wins. */
export function toOAuthSettings(given: GivenOAuthSettings): OAuthSettings {
  const earlier = given.requireClientAuthentication ? "Required" : "NotRequired";
  const clientAuthenticationPolicy = given.clientAuthenticationPolicy ?? earlier;
  return { ...given, clientAuthenticationPolicy, requireClientAuthentication: clientAuthenticationPolicy === "Required" };
}

/** A grant of the token endpoint. */
export type OAuthGrant = (typeof oauthGrants)[number];

/** A scope with claims. */
export type ProvidedScope = (typeof providedScopes)[number];

/** The settings of one scope. */
interface ScopeRequirement {
  /** Whether the application may request it. Default true. */
  readonly enabled: boolean;
  /** Whether users must agree to it to log in. Default false. */
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

/** The scopes with claims. */
export const providedScopes = ["address", "email", "phone", "profile"] as const;

const isProvided: ScopeRequirement = { enabled: true, required: false };

/** Defaults of applications. */
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

/** Returns the settings of an application, with defaults for applications of earlier versions. */
export function oauthSettingsOf({
  oauthConfiguration,
}: {
  readonly oauthConfiguration?: Partial<OAuthSettings> | undefined;
}): OAuthSettings {
  return { ...defaultOAuthSettings, ...oauthConfiguration };
}
