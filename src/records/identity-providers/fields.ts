import type { BaseRecord } from "../../operations/family/family.js";
import type { IdentityProviderType, LinkingStrategy } from "./types.js";

/** A provider's endpoints and claims by OAuth 2.0 and OpenID Connect. */
export interface IdentityProviderOAuth2 {
  /** Where browsers go; not needed with an `issuer`. */
  readonly authorization_endpoint?: string | undefined;
  /** How the service authenticates at the token endpoint. Default `client_secret_basic`; `none` for a client without a secret. */
  readonly client_authentication_method?: "client_secret_basic" | "client_secret_post" | "none" | undefined;
  /** The name that the reference has for it; where both are there, this one counts. */
  readonly clientAuthenticationMethod?: "client_secret_basic" | "client_secret_post" | "none" | undefined;
  /** The client id; required for `OpenIDConnect`. */
  readonly client_id?: string | undefined;
  /** The client secret. Sealed in the storage. */
  readonly client_secret?: string | undefined;
  /** The claim with the email address. Default `email`. */
  readonly emailClaim?: string | undefined;
  /** The claim that says whether the address is verified. Default `email_verified`. */
  readonly emailVerifiedClaim?: string | undefined;
  /** The issuer: its discovery document has the endpoints. */
  readonly issuer?: string | undefined;
  /** The scope that is asked for. Default `openid email profile`. */
  readonly scope?: string | undefined;
  /** Where codes become tokens; not needed with an `issuer`. */
  readonly token_endpoint?: string | undefined;
  /** The claim that identifies the user. Default `sub`. */
  readonly uniqueIdClaim?: string | undefined;
  /** Where access tokens become claims. Without an `issuer` it is needed, since ID tokens cannot be verified. */
  readonly userinfo_endpoint?: string | undefined;
  /** The claim with the name for logins. Default `preferred_username`. */
  readonly usernameClaim?: string | undefined;
}

/** The members that only some types have (docs/reference/identity-providers.md#types). Members of other types are not stored. */
export interface IdentityProviderTypeFields {
  /** `Steam`: which of its hosts is asked. Default `Public`. */
  readonly apiMode?: "Partner" | "Public" | undefined;
  /** `Facebook`: the client id. */
  readonly appId?: string | undefined;
  /** Other addresses that an assertion may be for, beside the service's own. */
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
  /** Which claim becomes which member of a new user, by the claim. */
  readonly attributeMappings?: Readonly<Record<string, string>> | undefined;
  /** `Apple`: the id of an app, whose tokens are taken too. */
  readonly bundleId?: string | undefined;
  /** The picture of the button: a text for login pages. */
  readonly buttonImageURL?: string | undefined;
  /** The text of the button. */
  readonly buttonText?: string | undefined;
  /** Which claim becomes which member of the user, such as `{ "dept": "UserData", "first_name": "firstName" }`. */
  readonly claimMap?: Readonly<Record<string, string>> | undefined;
  /** The id that the provider gave this service. */
  readonly client_id?: string | undefined;
  /** Sealed in the storage. */
  readonly client_secret?: string | undefined;
  /** `Twitter`: the id that the provider gave this service. */
  readonly consumerKey?: string | undefined;
  /** Sealed in the storage. */
  readonly consumerSecret?: string | undefined;
  /** The key for tokens that name none. */
  readonly defaultKeyId?: string | undefined;
  /** Domains whose users are sent here, in lower case. No two providers of a tenant have the same. */
  readonly domains?: readonly string[] | undefined;
  /** The claim or attribute with the address. */
  readonly emailClaim?: string | undefined;
  /** `Facebook`: what is asked of the user, separated by commas. */
  readonly fields?: string | undefined;
  /** The header of a token that names its key, such as `kid`. */
  readonly headerKeyParameter?: string | undefined;
  /** `SAMLv2`: where browsers go. */
  readonly idpEndpoint?: string | undefined;
  /** Whether logins may begin at the provider, and the issuer that it names. */
  readonly idpInitiatedConfiguration?: { readonly enabled: boolean; readonly issuer?: string | undefined } | undefined;
  /** The issuer of assertions. */
  readonly issuer?: string | undefined;
  /** `Apple`: the private key of the team. SAML: the key whose certificate verifies assertions. */
  readonly keyId?: string | undefined;
  /** The ids of keys by the name that tokens have for them. */
  readonly keys?: Readonly<Record<string, string>> | undefined;
  /** Whether the provider receives what the user typed, and by which parameter. */
  readonly loginHintConfiguration?: { readonly enabled: boolean; readonly parameterName?: string | undefined } | undefined;
  /** How login pages open the provider. */
  readonly loginMethod?: "UsePopup" | "UseRedirect" | "UseVendorJavaScript" | undefined;
  /** `ExternalJWT`: how long ago, by its claim `iat`, a token may have been issued; 1 to 31,536,000. Default: any time. */
  readonly maxTokenAgeInSeconds?: number | undefined;
  /** The format of the name that is asked for. */
  readonly nameIdFormat?: string | undefined;
  /** Endpoints and claims. */
  readonly oauth2?: IdentityProviderOAuth2 | undefined;
  /** `Facebook`: the scope that is asked for. */
  readonly permissions?: string | undefined;
  /** Whether the provider answers by a form that the browser posts. Default false. */
  readonly postRequest?: boolean | undefined;
  /** `Google`: settings of its own software, for login pages. */
  readonly properties?: { readonly api?: string | undefined; readonly button?: string | undefined } | undefined;
  /** `HYPR`: the id of the application there. */
  readonly relyingPartyApplicationId?: string | undefined;
  /** `HYPR`: where it is. */
  readonly relyingPartyURL?: string | undefined;
  /** The key that signs requests. */
  readonly requestSigningKeyId?: string | undefined;
  /** The scope that is asked for. Default by type. */
  readonly scope?: string | undefined;
  /** `Apple`: the client id. */
  readonly servicesId?: string | undefined;
  /** Whether requests are signed. Default false. */
  readonly signRequest?: boolean | undefined;
  /** `Apple`: the team that the key belongs to. */
  readonly teamId?: string | undefined;
  /** `ExternalJWT`: the `typ` of the header of a token, such as `at+jwt`. Default: any. */
  readonly tokenType?: string | undefined;
  /** The claim or attribute that identifies the user. */
  readonly uniqueIdClaim?: string | undefined;
  /** The claim that identifies the user: `email`, `username` or another one. */
  readonly uniqueIdentityClaim?: string | undefined;
  /** Whether the name of the subject is its address. Default false. */
  readonly useNameIdForEmail?: boolean | undefined;
  /** SAML: further keys whose certificates verify assertions, such as the next one of the provider. At most 10. */
  readonly verificationKeyIds?: readonly string[] | undefined;
  /** The claim or attribute with the name for logins. */
  readonly usernameClaim?: string | undefined;
  /** Sealed in the storage. */
  readonly webAPIKey?: string | undefined;
  /** How XML is made canonical before it is signed. */
  readonly xmlSignatureC14nMethod?: "exclusive" | "exclusive_with_comments" | "inclusive" | "inclusive_with_comments" | undefined;
}

/** What a provider does for one application; members of its type that stand here count in place of the provider's own. */
export interface IdentityProviderApplication extends IdentityProviderTypeFields {
  /** Whether a user who is not registered is registered by the login. Default true. */
  readonly createRegistration: boolean;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether users of the application log in by the provider. Default false. */
  readonly enabled: boolean;
}

/** What a provider does in one tenant. */
export interface IdentityProviderTenant {
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether and how much links of one user to the provider are limited. Default: they are not; 42. */
  readonly limitUserLinkCount: { readonly enabled: boolean; readonly maximumLinks: number };
}

/** What a caller may say about an identity provider (docs/reference/identity-providers.md#fields). */
export interface IdentityProviderFields extends IdentityProviderTypeFields {
  /** By the id of the application. Default `{}`. */
  readonly applicationConfiguration: Readonly<Record<string, IdentityProviderApplication>>;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether each login is an entry of the event log. Default false. */
  readonly debug: boolean;
  /** Whether anybody logs in by it. Default false. */
  readonly enabled: boolean;
  /** The lambda that may change users and registrations at their login: of the kind of the type. */
  readonly lambdaConfiguration: { readonly reconcileId?: string | undefined };
  /** How a login finds its user. Default by type, most `LinkByEmail`. */
  readonly linkingStrategy: LinkingStrategy;
  /** Unique in the tenant, and among global providers, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** By the id of the tenant. Default `{}`. */
  readonly tenantConfiguration: Readonly<Record<string, IdentityProviderTenant>>;
  /** The tenant that the provider belongs to. Absent: it serves applications of all tenants. Fixed after creation. */
  readonly tenantId?: string | undefined;
  /** Fixed after creation. */
  readonly type: IdentityProviderType;
}

/** An identity provider on the wire (docs/reference/identity-providers.md). */
export interface IdentityProvider extends BaseRecord, IdentityProviderFields {}

/** The members of a type that have members of their own. */
type NestedFields = "assertionDecryptionConfiguration" | "idpInitiatedConfiguration" | "loginHintConfiguration";

type Destination = NonNullable<IdentityProviderTypeFields["assertionConfiguration"]>["destination"];

/** What a caller may say of the members of a type. */
type GivenTypeFields = Omit<IdentityProviderTypeFields, NestedFields | "assertionConfiguration"> & {
  readonly [Name in NestedFields]?: Partial<NonNullable<IdentityProviderTypeFields[Name]>> | undefined;
} & { readonly assertionConfiguration?: { readonly destination?: Partial<Destination> | undefined } | undefined };

/** What a caller may say of what a provider does for one application. */
type GivenApplication = GivenTypeFields & Partial<Omit<IdentityProviderApplication, keyof IdentityProviderTypeFields>>;

/** The body of POST and PUT. */
export interface IdentityProviderRequest {
  /** The fields; the name, the type and what the type needs are required. */
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

/** A request whose defaults are filled in. */
export interface ParsedIdentityProviderRequest {
  readonly identityProvider: IdentityProviderFields;
}
