import type * as z from "zod";
import {
  data,
  flag,
  id,
  integer,
  list,
  map,
  name,
  object,
  option,
  requiredIfEnabled,
  type Schema,
  serviceUrl,
  text,
  textSet,
} from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import { isObject, valueAt } from "../../shared/objects.js";
import {
  type IdentityProviderType,
  identityProviderTypeRows,
  identityProviderTypes,
  type LinkingStrategy,
  linkingStrategies,
} from "./types.js";

/** A provider's endpoints and claims by OAuth 2.0 and OpenID Connect. */
export interface IdentityProviderOAuth2 {
  /** Where browsers go; not needed with an `issuer`. */
  readonly authorization_endpoint?: string | undefined;
  /** How the service authenticates at the token endpoint. Default `client_secret_basic`; `none` for a client without a secret. */
  readonly client_authentication_method?: "client_secret_basic" | "client_secret_post" | "none" | undefined;
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
export interface TypedIdentityProviderFields {
  readonly apiMode?: "Partner" | "Public" | undefined;
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
  readonly assertionDecryptionConfiguration?:
    | { readonly enabled: boolean; readonly keyTransportDecryptionKeyId?: string | undefined }
    | undefined;
  /** Which claim becomes which member of a new user, by the claim. */
  readonly attributeMappings?: Readonly<Record<string, string>> | undefined;
  readonly bundleId?: string | undefined;
  readonly buttonImageURL?: string | undefined;
  readonly buttonText?: string | undefined;
  /** Which claim becomes which member of the user, such as `{ "dept": "UserData", "first_name": "firstName" }`. */
  readonly claimMap?: Readonly<Record<string, string>> | undefined;
  readonly client_id?: string | undefined;
  /** Sealed in the storage. */
  readonly client_secret?: string | undefined;
  readonly consumerKey?: string | undefined;
  /** Sealed in the storage. */
  readonly consumerSecret?: string | undefined;
  /** The key for tokens that name none. */
  readonly defaultKeyId?: string | undefined;
  /** Domains whose users are sent here, in lower case. No two providers of a tenant have the same. */
  readonly domains?: readonly string[] | undefined;
  readonly emailClaim?: string | undefined;
  readonly fields?: string | undefined;
  /** The header of a token that names its key, such as `kid`. */
  readonly headerKeyParameter?: string | undefined;
  readonly idpEndpoint?: string | undefined;
  readonly idpInitiatedConfiguration?: { readonly enabled: boolean; readonly issuer?: string | undefined } | undefined;
  readonly issuer?: string | undefined;
  readonly keyId?: string | undefined;
  /** The ids of keys by the name that tokens have for them. */
  readonly keys?: Readonly<Record<string, string>> | undefined;
  readonly loginHintConfiguration?: { readonly enabled: boolean; readonly parameterName?: string | undefined } | undefined;
  readonly loginMethod?: "UsePopup" | "UseRedirect" | "UseVendorJavaScript" | undefined;
  readonly nameIdFormat?: string | undefined;
  readonly oauth2?: IdentityProviderOAuth2 | undefined;
  readonly permissions?: string | undefined;
  /** Whether the provider answers by a form that the browser posts. Default false. */
  readonly postRequest?: boolean | undefined;
  readonly properties?: { readonly api?: string | undefined; readonly button?: string | undefined } | undefined;
  readonly relyingPartyApplicationId?: string | undefined;
  readonly relyingPartyURL?: string | undefined;
  readonly requestSigningKeyId?: string | undefined;
  readonly scope?: string | undefined;
  readonly servicesId?: string | undefined;
  readonly signRequest?: boolean | undefined;
  readonly teamId?: string | undefined;
  readonly uniqueIdClaim?: string | undefined;
  /** The claim that identifies the user: `email`, `username` or another one. */
  readonly uniqueIdentityClaim?: string | undefined;
  readonly useNameIdForEmail?: boolean | undefined;
  readonly usernameClaim?: string | undefined;
  /** Sealed in the storage. */
  readonly webAPIKey?: string | undefined;
  readonly xmlSignatureC14nMethod?: "exclusive" | "exclusive_with_comments" | "inclusive" | "inclusive_with_comments" | undefined;
}

/** What a provider does for one application; members of its type that stand here count in place of the provider's own. */
export interface IdentityProviderApplication extends TypedIdentityProviderFields {
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
export interface IdentityProviderFields extends TypedIdentityProviderFields {
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

/** What a caller may leave out of what a provider does for one application. */
type GivenApplication = Partial<IdentityProviderApplication>;

/** The body of POST and PUT. */
export interface IdentityProviderRequest {
  /** The fields; the name, the type and what the type needs are required. */
  readonly identityProvider: Partial<Omit<IdentityProviderFields, "applicationConfiguration" | "tenantConfiguration">> &
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

const shortText = (): z.ZodOptional<z.ZodString> => text().max(1_000, { error: "tooLong" }).optional();
const url = (): z.ZodOptional<z.ZodString> => serviceUrl().max(8_000, { error: "tooLong" }).optional();
const texts = (): Schema<Record<string, string> | undefined> => map(text().max(1_000, { error: "tooLong" })).optional();

/** A name of hosts that users have addresses at; no address itself. */
const domain = (): z.ZodString =>
  text()
    .trim()
    .toLowerCase()
    .max(255, { error: "tooLong" })
    .regex(/^[^\s@,;/]+$/, { error: "invalid" });

const oauth2 = () =>
  object({
    authorization_endpoint: url(),
    client_authentication_method: option(["client_secret_basic", "client_secret_post", "none"]).optional(),
    client_id: shortText(),
    client_secret: shortText(),
    emailClaim: shortText(),
    emailVerifiedClaim: shortText(),
    issuer: url(),
    scope: shortText(),
    token_endpoint: url(),
    uniqueIdClaim: shortText(),
    userinfo_endpoint: url(),
    usernameClaim: shortText(),
  });

const samlShape = () => ({
  assertionConfiguration: object({
    destination: object({
      alternates: textSet().default([]),
      policy: option(["AllowAlternates", "Disabled", "Enabled"]).default("Enabled"),
    }).prefault({}),
  }).optional(),
  assertionDecryptionConfiguration: requiredIfEnabled(
    object({ enabled: flag().default(false), keyTransportDecryptionKeyId: id().optional() }),
    { keyTransportDecryptionKeyId: "missing" },
  ).optional(),
  idpEndpoint: url(),
  idpInitiatedConfiguration: requiredIfEnabled(object({ enabled: flag().default(false), issuer: shortText() }), {
    issuer: "blank",
  }).optional(),
  issuer: shortText(),
  loginHintConfiguration: object({ enabled: flag().default(true), parameterName: shortText() }).optional(),
  nameIdFormat: shortText(),
  requestSigningKeyId: id().optional(),
  signRequest: flag().optional(),
  useNameIdForEmail: flag().optional(),
  xmlSignatureC14nMethod: option(["exclusive", "exclusive_with_comments", "inclusive", "inclusive_with_comments"]).optional(),
});

const typedShape = () => ({
  ...samlShape(),
  apiMode: option(["Partner", "Public"]).optional(),
  appId: shortText(),
  attributeMappings: texts(),
  bundleId: shortText(),
  buttonImageURL: shortText(),
  buttonText: shortText(),
  claimMap: texts(),
  client_id: shortText(),
  client_secret: shortText(),
  consumerKey: shortText(),
  consumerSecret: shortText(),
  defaultKeyId: id().optional(),
  domains: list(domain())
    .max(1_000, { error: "tooMany" })
    .overwrite((names) => [...new Set(names)])
    .optional(),
  emailClaim: shortText(),
  fields: shortText(),
  headerKeyParameter: shortText(),
  keyId: id().optional(),
  keys: map(id()).optional(),
  loginMethod: option(["UsePopup", "UseRedirect", "UseVendorJavaScript"]).optional(),
  oauth2: oauth2().optional(),
  permissions: shortText(),
  postRequest: flag().optional(),
  properties: object({
    api: text().max(8_000, { error: "tooLong" }).optional(),
    button: text().max(8_000, { error: "tooLong" }).optional(),
  }).optional(),
  relyingPartyApplicationId: shortText(),
  relyingPartyURL: url(),
  scope: shortText(),
  servicesId: shortText(),
  teamId: shortText(),
  uniqueIdClaim: shortText(),
  uniqueIdentityClaim: shortText(),
  usernameClaim: shortText(),
  webAPIKey: shortText(),
});

const application = () =>
  object({ ...typedShape(), createRegistration: flag().default(true), data: data().default({}), enabled: flag().default(false) });

const tenant = () =>
  object({
    data: data().default({}),
    limitUserLinkCount: object({ enabled: flag().default(false), maximumLinks: integer(1, 1_000).default(42) }).prefault({}),
  });

/** A map by ids, in lower case. */
function idMap<Value extends z.ZodType>(value: Value): Schema<Record<string, z.output<Value>>> {
  const lowered = (entries: unknown): unknown =>
    isObject(entries) ? Object.fromEntries(Object.entries(entries).map(([key, member]) => [key.toLowerCase(), member])) : entries;
  return map(value)
    .superRefine((entries, context) => {
      for (const key of Object.keys(entries))
        if (!id().safeParse(key).success) context.addIssue({ code: "custom", message: "couldNotConvert", path: [key] });
    })
    .overwrite((entries) => lowered(entries) as typeof entries);
}

// Called for values of any kind: what is of the wrong type has an error of its own.
function refuseMissing(provider: Readonly<Record<string, unknown>> | null, context: z.RefinementCtx): void {
  const type = identityProviderTypes.find((known) => known === provider?.type);
  const refuse = (path: string, message: string): void => context.addIssue({ code: "custom", path: path.split("."), message });
  for (const [path, kind] of Object.entries(type === undefined ? {} : identityProviderTypeRows[type].required)) {
    const value = valueAt(provider, path);
    if (value === undefined || (typeof value === "string" && value.trim() === "")) refuse(path, kind);
  }
  if (type === "SAMLv2" && provider?.signRequest === true && provider.requestSigningKeyId === undefined)
    refuse("requestSigningKeyId", "missing");
  if (type === "OpenIDConnect") refuseUnreachable(provider, refuse);
}

// Without an issuer, the endpoints must be named one by one.
function refuseUnreachable(provider: unknown, refuse: (path: string, message: string) => void): void {
  const has = (name: string): boolean => String(valueAt(provider, `oauth2.${name}`) ?? "").trim() !== "";
  if (!has("issuer"))
    for (const endpoint of ["authorization_endpoint", "token_endpoint", "userinfo_endpoint"])
      if (!has(endpoint)) refuse(`oauth2.${endpoint}`, "blank");
}

export const identityProviderRequest: Schema<ParsedIdentityProviderRequest> = object({
  identityProvider: object({
    ...typedShape(),
    applicationConfiguration: idMap(application()).default({}),
    data: data().default({}),
    debug: flag().default(false),
    enabled: flag().default(false),
    lambdaConfiguration: object({ reconcileId: id().optional() }).prefault({}),
    linkingStrategy: option(linkingStrategies).optional(),
    name: name().trim(),
    tenantConfiguration: idMap(tenant()).default({}),
    tenantId: id().optional(),
    type: option(identityProviderTypes),
  })
    .superRefine(refuseMissing, { when: () => true })
    .transform(({ linkingStrategy, ...fields }) => ({
      ...fields,
      linkingStrategy: linkingStrategy ?? identityProviderTypeRows[fields.type].linkingStrategy ?? "LinkByEmail",
    })),
}) as unknown as Schema<ParsedIdentityProviderRequest>;
