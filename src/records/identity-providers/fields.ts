import type { BaseRecord } from "../../operations/family/family.js";
import type { IdentityProviderType, LinkingStrategy } from "./types.js";

/** A provider's endpoints and claims of OAuth 2.0 and OpenID Connect. */
export interface IdentityProviderOAuth2 {
  /** The authorization endpoint; not needed with an `issuer`. */
  readonly authorization_endpoint?: string | undefined;
  /** How the service authenticates at the token endpoint. Default `client_secret_basic`; `none` for a client without a secret. */
  readonly client_authentication_method?: "client_secret_basic" | "client_secret_post" | "none" | undefined;
  /** The same setting by its name in the reference; this one wins. */
  readonly clientAuthenticationMethod?: "client_secret_basic" | "client_secret_post" | "none" | undefined;
  /** The client id; required for `OpenIDConnect`. */
  readonly client_id?: string | undefined;
  /** The client secret. Sealed in the storage. */
  readonly client_secret?: string | undefined;
  /** The claim with the email address. Default `email`. */
  readonly emailClaim?: string | undefined;
  /** The claim that marks the address as verified. Default `email_verified`. */
  readonly emailVerifiedClaim?: string | undefined;
  /** The issuer. Its discovery document names the endpoints. */
  readonly issuer?: string | undefined;
  /** The requested scope. Default `openid email profile`. */
  readonly scope?: string | undefined;
  /** The token endpoint; not needed with an `issuer`. */
  readonly token_endpoint?: string | undefined;
  /** The claim that identifies the user. Default `sub`. */
  readonly uniqueIdClaim?: string | undefined;
  /** The userinfo endpoint. Required without an `issuer`, since ID tokens cannot be verified then. */
  readonly userinfo_endpoint?: string | undefined;
  /** The claim with the login name. Default `preferred_username`. */
  readonly usernameClaim?: string | undefined;
}

/** Members of only some types (docs/reference/identity-providers.md#types). Members of other types are not stored. */
export interface IdentityProviderTypeFields {
  /** `Steam`: the API host. Default `Public`. */
  readonly apiMode?: "Partner" | "Public" | undefined;
  /** `Facebook`: the client id. */
  readonly appId?: string | undefined;
  /** Further destinations that an assertion may have, beside the service's own. */
  readonly assertionConfiguration?:
    | {
        readonly destination: {
          readonly alternates: readonly string[];
          readonly policy: "AllowAlternates" | "Disabled" | "Enabled";
        };
      }
    | undefined;
  /** Whether assertions are encrypted, and the key that decrypts them. */
  readonly assertionDecryptionConfiguration?:
    | { readonly enabled: boolean; readonly keyTransportDecryptionKeyId?: string | undefined }
    | undefined;
  /** The member of a new user for each claim. */
  readonly attributeMappings?: Readonly<Record<string, string>> | undefined;
  /** `Apple`: the id of an app; its tokens are accepted too. */
  readonly bundleId?: string | undefined;
  /** The URL of the button's image, for login pages. */
  readonly buttonImageURL?: string | undefined;
  /** The text of the button. */
  readonly buttonText?: string | undefined;
  /** The member of the user for each claim, such as `{ "dept": "UserData", "first_name": "firstName" }`. */
  readonly claimMap?: Readonly<Record<string, string>> | undefined;
  /** The client id of this service at the provider. */
  readonly client_id?: string | undefined;
  /** Sealed in the storage. */
  readonly client_secret?: string | undefined;
  /** `Twitter`: the client id of this service at the provider. */
  readonly consumerKey?: string | undefined;
  /** Sealed in the storage. */
  readonly consumerSecret?: string | undefined;
  /** The key for tokens that do not name one. */
  readonly defaultKeyId?: string | undefined;
  /** Email domains of the users of this provider, in lower case. Unique in the tenant. */
  readonly domains?: readonly string[] | undefined;
  /** The claim or attribute with the address. */
  readonly emailClaim?: string | undefined;
  /** `Facebook`: the requested fields of the user, separated by commas. */
  readonly fields?: string | undefined;
  /** The header of a token that names its key, such as `kid`. */
  readonly headerKeyParameter?: string | undefined;
  /** `SAMLv2`: the single sign-on URL of the provider. */
  readonly idpEndpoint?: string | undefined;
  /** Whether logins may begin at the provider, and the issuer of their assertions. */
  readonly idpInitiatedConfiguration?: { readonly enabled: boolean; readonly issuer?: string | undefined } | undefined;
  /** The issuer of assertions. */
  readonly issuer?: string | undefined;
  /** `Apple`: the private key of the team. SAML: the key with the certificate that verifies assertions. */
  readonly keyId?: string | undefined;
  /** The ids of keys, by their name in tokens. */
  readonly keys?: Readonly<Record<string, string>> | undefined;
  /** Whether to pass the typed login id to the provider, and the parameter for it. */
  readonly loginHintConfiguration?: { readonly enabled: boolean; readonly parameterName?: string | undefined } | undefined;
  /** How login pages open the provider. */
  readonly loginMethod?: "UsePopup" | "UseRedirect" | "UseVendorJavaScript" | undefined;
  /** `ExternalJWT`: the maximum age of a token by its claim `iat`, 1 to 31,536,000. Default: unlimited. */
  readonly maxTokenAgeInSeconds?: number | undefined;
  /** The requested format of the name id. */
  readonly nameIdFormat?: string | undefined;
  /** Endpoints and claims. */
  readonly oauth2?: IdentityProviderOAuth2 | undefined;
  /** `Facebook`: the requested scope. */
  readonly permissions?: string | undefined;
  /** Whether the provider responds with a form that the browser posts. Default false. */
  readonly postRequest?: boolean | undefined;
  /** `Google`: settings of its own scripts, for login pages. */
  readonly properties?: { readonly api?: string | undefined; readonly button?: string | undefined } | undefined;
  /** `HYPR`: the id of the relying party application. */
  readonly relyingPartyApplicationId?: string | undefined;
  /** `HYPR`: the URL of the server. */
  readonly relyingPartyURL?: string | undefined;
  /** The key that signs requests. */
  readonly requestSigningKeyId?: string | undefined;
  /** The requested scope. Default by type. */
  readonly scope?: string | undefined;
  /** `Apple`: the client id. */
  readonly servicesId?: string | undefined;
  /** Whether requests are signed. Default false. */
  readonly signRequest?: boolean | undefined;
  /** `Apple`: the team of the key. */
  readonly teamId?: string | undefined;
  /** `ExternalJWT`: the required `typ` header of a token, such as `at+jwt`. Default: any. */
  readonly tokenType?: string | undefined;
  /** The claim or attribute that identifies the user. */
  readonly uniqueIdClaim?: string | undefined;
  /** The claim that identifies the user: `email`, `username` or another one. */
  readonly uniqueIdentityClaim?: string | undefined;
  /** Whether the name id is the email address. Default false. */
  readonly useNameIdForEmail?: boolean | undefined;
  /** SAML: further keys with certificates that verify assertions, such as the provider's next one. At most 10. */
  readonly verificationKeyIds?: readonly string[] | undefined;
  /** The claim or attribute with the login name. */
  readonly usernameClaim?: string | undefined;
  /** Sealed in the storage. */
  readonly webAPIKey?: string | undefined;
  /** The canonicalization of signed XML. */
  readonly xmlSignatureC14nMethod?: "exclusive" | "exclusive_with_comments" | "inclusive" | "inclusive_with_comments" | undefined;
}

/** Settings of a provider for one application. Members of its type override the provider's own. */
export interface IdentityProviderApplication extends IdentityProviderTypeFields {
  /** Whether a login registers an unregistered user. Default true. */
  readonly createRegistration: boolean;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether users of the application can log in by the provider. Default false. */
  readonly enabled: boolean;
}

/** Settings of a provider for one tenant. */
export interface IdentityProviderTenant {
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The limit of links of one user to the provider. Default: disabled; 42. */
  readonly limitUserLinkCount: { readonly enabled: boolean; readonly maximumLinks: number };
}

/** Writable fields of an identity provider (docs/reference/identity-providers.md#fields). */
export interface IdentityProviderFields extends IdentityProviderTypeFields {
  /** Settings by application id. Default `{}`. */
  readonly applicationConfiguration: Readonly<Record<string, IdentityProviderApplication>>;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether each login writes to the event log. Default false. */
  readonly debug: boolean;
  /** Whether the provider accepts logins. Default false. */
  readonly enabled: boolean;
  /** The lambda that can change users and registrations at a login; its type depends on the type of the provider. */
  readonly lambdaConfiguration: { readonly reconcileId?: string | undefined };
  /** How a login finds its user. Default by type, mostly `LinkByEmail`. */
  readonly linkingStrategy: LinkingStrategy;
  /** Unique in the tenant, and among global providers, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** Settings by tenant id. Default `{}`. */
  readonly tenantConfiguration: Readonly<Record<string, IdentityProviderTenant>>;
  /** The tenant of the provider. Absent: it serves applications of all tenants. Fixed after creation. */
  readonly tenantId?: string | undefined;
  /** Fixed after creation. */
  readonly type: IdentityProviderType;
}

/** An identity provider on the wire (docs/reference/identity-providers.md). */
export interface IdentityProvider extends BaseRecord, IdentityProviderFields {}

/** Members of a type that are objects. */
type NestedFields = "assertionDecryptionConfiguration" | "idpInitiatedConfiguration" | "loginHintConfiguration";

type Destination = NonNullable<IdentityProviderTypeFields["assertionConfiguration"]>["destination"];

/** The members of a type in a request. */
type GivenTypeFields = Omit<IdentityProviderTypeFields, NestedFields | "assertionConfiguration"> & {
  readonly [Name in NestedFields]?: Partial<NonNullable<IdentityProviderTypeFields[Name]>> | undefined;
} & { readonly assertionConfiguration?: { readonly destination?: Partial<Destination> | undefined } | undefined };

/** The settings for one application in a request. */
type GivenApplication = GivenTypeFields & Partial<Omit<IdentityProviderApplication, keyof IdentityProviderTypeFields>>;

/** The body of POST and PUT. */
export interface IdentityProviderRequest {
  /** The fields; the name, the type and the required fields of the type are required. */
  readonly identityProvider: GivenTypeFields &
    Partial<Omit<IdentityProviderFields, keyof IdentityProviderTypeFields | "applicationConfiguration" | "tenantConfiguration">> &
    Pick<IdentityProviderFields, "name" | "type"> & {
      readonly applicationConfiguration?: Readonly<Record<string, GivenApplication>> | undefined;
      readonly tenantConfiguration?:
        | Readonly<
            Record<
              string,
              {
                readonly data?: Readonly<Record<string, unknown>> | undefined;
                readonly limitUserLinkCount?: Partial<IdentityProviderTenant["limitUserLinkCount"]> | undefined;
              }
            >
          >
        | undefined;
    };
}

export type ParsedIdentityProviderRequest = { readonly identityProvider: IdentityProviderFields };
