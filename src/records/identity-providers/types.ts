import type { LambdaType } from "../../availability/lambda-types.js";

/** The types of identity providers (docs/reference/identity-providers.md#types). */
export const identityProviderTypes = [
  "Apple",
  "EpicGames",
  "ExternalJWT",
  "Facebook",
  "Google",
  "HYPR",
  "LinkedIn",
  "Nintendo",
  "OpenIDConnect",
  "SAMLv2",
  "SAMLv2IdPInitiated",
  "SonyPSN",
  "Steam",
  "Twitch",
  "Twitter",
  "Xbox",
] as const;

/** The type of an identity provider, which determines its protocol. */
export type IdentityProviderType = (typeof identityProviderTypes)[number];

/** How a login by a provider finds its user (docs/reference/identity-providers.md#linking). */
export const linkingStrategyNames = [
  "CreatePendingLink",
  "Disabled",
  "LinkAnonymously",
  "LinkByEmail",
  "LinkByEmailForExistingUser",
  "LinkByUsername",
  "LinkByUsernameForExistingUser",
] as const;

/** How a login by a provider finds its user. */
export type LinkingStrategy = (typeof linkingStrategyNames)[number];

/** The properties of one type of identity providers. */
export interface IdentityProviderTypeRow {
  /** Members beside those of every type. */
  readonly members: readonly string[];
  /** The required members, with the error of a missing one. */
  readonly required: Readonly<Record<string, "blank" | "missing">>;
  /** The members that settings of an application can override. */
  readonly applicationMembers: readonly string[];
  /** The type of its lambda. */
  readonly lambda: LambdaType;
  /** The claim `authenticationType` of tokens. */
  readonly authenticationType: string;
  /** The default strategy. Default `LinkByEmail`. */
  readonly linkingStrategy?: LinkingStrategy;
}

const client = { client_id: "blank", client_secret: "blank" } as const;
const button = { buttonText: "blank" } as const;

/** A type with OAuth client credentials. */
function oauthClient(
  row: Pick<IdentityProviderTypeRow, "authenticationType" | "lambda">,
  more: readonly string[] = [],
): IdentityProviderTypeRow {
  const own = ["buttonText", "client_id", "client_secret", "scope"];
  return { ...row, members: [...own, ...more], required: { ...button, ...client }, applicationMembers: own };
}

const samlMembers = [
  "assertionConfiguration",
  "assertionDecryptionConfiguration",
  "buttonImageURL",
  "buttonText",
  "domains",
  "emailClaim",
  "idpEndpoint",
  "idpInitiatedConfiguration",
  "issuer",
  "keyId",
  "loginHintConfiguration",
  "nameIdFormat",
  "postRequest",
  "requestSigningKeyId",
  "signRequest",
  "uniqueIdClaim",
  "useNameIdForEmail",
  "usernameClaim",
  "verificationKeyIds",
  "xmlSignatureC14nMethod",
];

/** All types of identity providers. */
export const identityProviderTypeRows: Readonly<Record<IdentityProviderType, IdentityProviderTypeRow>> = {
  Apple: {
    members: ["bundleId", "buttonText", "keyId", "scope", "servicesId", "teamId"],
    required: { ...button, keyId: "missing", servicesId: "blank", teamId: "blank" },
    applicationMembers: ["bundleId", "buttonText", "keyId", "scope", "servicesId", "teamId"],
    lambda: "AppleReconcile",
    authenticationType: "APPLE",
  },
  EpicGames: oauthClient({ lambda: "EpicGamesReconcile", authenticationType: "EPICGAMES" }),
  ExternalJWT: {
    members: [
      ...["claimMap", "defaultKeyId", "domains", "headerKeyParameter", "keys", "maxTokenAgeInSeconds", "oauth2", "tokenType"],
      "uniqueIdentityClaim",
    ],
    required: { headerKeyParameter: "blank", uniqueIdentityClaim: "blank" },
    applicationMembers: [],
    lambda: "ExternalJWTReconcile",
    authenticationType: "FEDERATED_JWT",
  },
  Facebook: {
    members: ["appId", "buttonText", "client_secret", "fields", "loginMethod", "permissions"],
    required: { ...button, appId: "blank", client_secret: "blank" },
    applicationMembers: ["appId", "buttonText", "client_secret", "fields", "permissions"],
    lambda: "FacebookReconcile",
    authenticationType: "FACEBOOK",
  },
  Google: oauthClient({ lambda: "GoogleReconcile", authenticationType: "GOOGLE" }, ["loginMethod", "properties"]),
  HYPR: {
    members: ["relyingPartyApplicationId", "relyingPartyURL"],
    required: { relyingPartyApplicationId: "blank", relyingPartyURL: "blank" },
    applicationMembers: ["relyingPartyApplicationId", "relyingPartyURL"],
    lambda: "HYPRReconcile",
    authenticationType: "HYPR",
    linkingStrategy: "CreatePendingLink",
  },
  LinkedIn: oauthClient({ lambda: "LinkedInReconcile", authenticationType: "LINKEDIN" }),
  Nintendo: oauthClient({ lambda: "NintendoReconcile", authenticationType: "NINTENDO" }, [
    "emailClaim",
    "uniqueIdClaim",
    "usernameClaim",
  ]),
  OpenIDConnect: {
    members: ["attributeMappings", "buttonImageURL", "buttonText", "domains", "oauth2", "postRequest"],
    required: { ...button, "oauth2.client_id": "blank" },
    applicationMembers: ["buttonImageURL", "buttonText", "oauth2"],
    lambda: "OpenIDReconcile",
    authenticationType: "OPENID_CONNECT",
  },
  SAMLv2: {
    members: samlMembers,
    required: { ...button, idpEndpoint: "blank", keyId: "missing" },
    applicationMembers: ["buttonImageURL", "buttonText"],
    lambda: "SAMLv2Reconcile",
    authenticationType: "SAMLv2",
  },
  SAMLv2IdPInitiated: {
    members: [
      ...["assertionDecryptionConfiguration", "assertionConfiguration", "emailClaim", "issuer", "keyId", "uniqueIdClaim"],
      ...["useNameIdForEmail", "usernameClaim", "verificationKeyIds"],
    ],
    required: { issuer: "blank", keyId: "missing" },
    applicationMembers: [],
    lambda: "SAMLv2Reconcile",
    authenticationType: "SAMLv2",
  },
  SonyPSN: oauthClient({ lambda: "SonyPSNReconcile", authenticationType: "SONYPSN" }),
  Steam: {
    members: ["apiMode", "buttonText", "client_id", "scope", "webAPIKey"],
    required: { ...button, client_id: "blank", webAPIKey: "blank" },
    applicationMembers: ["apiMode", "buttonText", "client_id", "scope", "webAPIKey"],
    lambda: "SteamReconcile",
    authenticationType: "STEAM",
    linkingStrategy: "LinkAnonymously",
  },
  Twitch: oauthClient({ lambda: "TwitchReconcile", authenticationType: "TWITCH" }),
  Twitter: {
    members: ["buttonText", "consumerKey", "consumerSecret"],
    required: { ...button, consumerKey: "blank", consumerSecret: "blank" },
    applicationMembers: ["buttonText", "consumerKey", "consumerSecret"],
    lambda: "TwitterReconcile",
    authenticationType: "TWITTER",
    linkingStrategy: "CreatePendingLink",
  },
  Xbox: oauthClient({ lambda: "XboxReconcile", authenticationType: "XBOX" }),
};

/** The members with secrets, by path in a provider or in its settings for an application. */
export const identityProviderSecrets = ["client_secret", "consumerSecret", "oauth2.client_secret", "webAPIKey"] as const;

/** The members that refer to keys. `keys` is not here: it maps names in token headers to keys. */
export const identityProviderKeyPaths = [
  "assertionDecryptionConfiguration.keyTransportDecryptionKeyId",
  "defaultKeyId",
  "keyId",
  "requestSigningKeyId",
] as const;
