/** The test method of a provider: a new tab, a pasted token, a push confirmation, or only the page of an application. */
export type TestKind = "redirect" | "token" | "push" | "page";

/** The return path of users from a provider: the OAuth callback, the SAML assertion endpoint, or none. */
export type ReturnKind = "callback" | "assertions" | "none";

/** The data that the console has about a type of providers. */
export interface ProviderType {
  /** The members that identify the service at the provider. */
  readonly credentials: readonly string[];
  /** Further members of the login. */
  readonly more?: readonly string[];
  /** The members that name the claims for the identity of a user. */
  readonly claims?: readonly string[];
  readonly hasDomains?: boolean;
  readonly hasButton?: boolean;
  /** The members that an application can override. */
  readonly ofApplication: readonly string[];
  readonly lambda: string;
  readonly returns: ReturnKind;
  readonly test: TestKind;
  readonly initial?: Readonly<Record<string, unknown>>;
}

const client = ["client_id", "client_secret", "scope"];

function oauthClient(lambda: string, more: Partial<ProviderType> = {}): ProviderType {
  return {
    credentials: client,
    ofApplication: ["buttonText", ...client],
    lambda,
    returns: "callback",
    test: "redirect",
    ...more,
  };
}

const oauth2 = (...names: readonly string[]): readonly string[] => names.map((name) => `oauth2.${name}`);

const openIdCredentials = oauth2("issuer", "client_id", "client_secret", "client_authentication_method", "scope");
const openIdClaims = oauth2("uniqueIdClaim", "emailClaim", "emailVerifiedClaim", "usernameClaim");
const endpoints = oauth2("authorization_endpoint", "token_endpoint", "userinfo_endpoint");
const claims = ["uniqueIdClaim", "emailClaim", "usernameClaim"];
const samlClaims = [...claims, "useNameIdForEmail"];
const decryption = ["assertionDecryptionConfiguration", "assertionConfiguration"];

/** All types of providers, the most common first. */
export const providerTypes: Readonly<Record<string, ProviderType>> = {
  OpenIDConnect: {
    credentials: openIdCredentials,
    more: [...endpoints, "postRequest", "buttonImageURL"],
    claims: [...openIdClaims, "attributeMappings"],
    hasDomains: true,
    ofApplication: ["buttonImageURL", "buttonText", "oauth2"],
    lambda: "OpenIDReconcile",
    returns: "callback",
    test: "redirect",
    initial: { oauth2: { client_authentication_method: "client_secret_basic", scope: "openid email profile" } },
  },
  SAMLv2: {
    credentials: ["idpEndpoint", "keyId"],
    more: [
      ...[
        "issuer",
        "nameIdFormat",
        "postRequest",
        "signRequest",
        "requestSigningKeyId",
        "xmlSignatureC14nMethod",
        "verificationKeyIds",
      ],
      ...["idpInitiatedConfiguration", "loginHintConfiguration", "buttonImageURL", ...decryption],
    ],
    claims: samlClaims,
    hasDomains: true,
    ofApplication: ["buttonImageURL", "buttonText"],
    lambda: "SAMLv2Reconcile",
    returns: "assertions",
    test: "page",
  },
  Google: oauthClient("GoogleReconcile", { more: ["loginMethod", "properties"] }),
  Apple: {
    credentials: ["servicesId", "teamId", "keyId", "bundleId", "scope"],
    ofApplication: ["bundleId", "buttonText", "keyId", "scope", "servicesId", "teamId"],
    lambda: "AppleReconcile",
    returns: "callback",
    test: "page",
  },
  Facebook: {
    credentials: ["appId", "client_secret", "permissions", "fields"],
    more: ["loginMethod"],
    ofApplication: ["appId", "buttonText", "client_secret", "fields", "permissions"],
    lambda: "FacebookReconcile",
    returns: "callback",
    test: "redirect",
  },
  LinkedIn: oauthClient("LinkedInReconcile"),
  Twitter: {
    credentials: ["consumerKey", "consumerSecret"],
    ofApplication: ["buttonText", "consumerKey", "consumerSecret"],
    lambda: "TwitterReconcile",
    returns: "callback",
    test: "redirect",
  },
  Twitch: oauthClient("TwitchReconcile"),
  Steam: {
    credentials: ["client_id", "webAPIKey", "apiMode", "scope"],
    ofApplication: ["apiMode", "buttonText", "client_id", "scope", "webAPIKey"],
    lambda: "SteamReconcile",
    returns: "callback",
    test: "redirect",
  },
  Xbox: oauthClient("XboxReconcile"),
  SonyPSN: oauthClient("SonyPSNReconcile"),
  Nintendo: oauthClient("NintendoReconcile", { claims }),
  EpicGames: oauthClient("EpicGamesReconcile"),
  ExternalJWT: {
    credentials: ["headerKeyParameter", "keys", "defaultKeyId", ...oauth2("issuer", "client_id")],
    more: ["tokenType", "maxTokenAgeInSeconds", ...oauth2("authorization_endpoint", "token_endpoint")],
    claims: ["uniqueIdentityClaim", "claimMap"],
    hasDomains: true,
    hasButton: false,
    ofApplication: [],
    lambda: "ExternalJWTReconcile",
    returns: "none",
    test: "token",
    initial: { headerKeyParameter: "kid", uniqueIdentityClaim: "email" },
  },
  SAMLv2IdPInitiated: {
    credentials: ["issuer", "keyId"],
    more: ["verificationKeyIds", ...decryption],
    claims: samlClaims,
    hasButton: false,
    ofApplication: [],
    lambda: "SAMLv2Reconcile",
    returns: "assertions",
    test: "page",
  },
  HYPR: {
    credentials: ["relyingPartyApplicationId", "relyingPartyURL"],
    hasButton: false,
    ofApplication: ["relyingPartyApplicationId", "relyingPartyURL"],
    lambda: "HYPRReconcile",
    returns: "none",
    test: "push",
  },
};

/** Returns the members of a form by section: those of the type between those of all types. */
export function sectionsOf(type: ProviderType): Readonly<Record<string, readonly string[]>> {
  const { claims: own = [], credentials, hasButton = true, hasDomains = false, more = [] } = type;
  return {
    basics: ["name", "enabled", "tenantId", ...(hasButton ? ["buttonText"] : [])],
    credentials,
    ...(own.length > 0 && { claims: own }),
    linking: ["linkingStrategy", "lambdaConfiguration.reconcileId"],
    ...(hasDomains && { domains: ["domains"] }),
    applications: ["applicationConfiguration"],
    tenants: ["tenantConfiguration"],
    more: [...more, "debug"],
  };
}
