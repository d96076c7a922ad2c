import type * as z from "zod";
import {
  data,
  flag,
  id,
  integer,
  link,
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
import { valueAt } from "../../shared/objects.js";
import { verificationKeyIds } from "../settings/saml-schema.js";
import type { ParsedIdentityProviderRequest } from "./fields.js";
import { identityProviderTypeRows, identityProviderTypes, linkingStrategyNames } from "./types.js";

export type {
  IdentityProvider,
  IdentityProviderApplication,
  IdentityProviderFields,
  IdentityProviderRequest,
  ParsedIdentityProviderRequest,
} from "./fields.js";
export type { IdentityProviderType } from "./types.js";

const shortText = (): z.ZodOptional<z.ZodString> => text().max(1_000, { error: "tooLong" }).optional();
const url = (): z.ZodOptional<z.ZodString> => serviceUrl().max(8_000, { error: "tooLong" }).optional();
const texts = (): Schema<Record<string, string> | undefined> => map(text().max(1_000, { error: "tooLong" })).optional();

/** An email domain, not an address. */
const domain = (): z.ZodString =>
  text()
    .trim()
    .toLowerCase()
    .max(255, { error: "tooLong" })
    .regex(/^[^\s@,;/]+$/, { error: "invalid" })
    // A trailing dot does not change the domain, and addresses have none.
    .overwrite((name) => name.replace(/(?<=.)\.$/, ""));

const domains = () =>
  list(domain())
    .max(1_000, { error: "tooMany" })
    .overwrite((names) => [...new Set(names)]);

const clientAuthentication = () => option(["client_secret_basic", "client_secret_post", "none"]).optional();

const oauth2 = () =>
  object({
    authorization_endpoint: url(),
    client_authentication_method: clientAuthentication(),
    clientAuthenticationMethod: clientAuthentication(),
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
  verificationKeyIds: verificationKeyIds(),
  xmlSignatureC14nMethod: option(["exclusive", "exclusive_with_comments", "inclusive", "inclusive_with_comments"]).optional(),
});

const typedShape = () => ({
  ...samlShape(),
  apiMode: option(["Partner", "Public"]).optional(),
  appId: shortText(),
  attributeMappings: texts(),
  bundleId: shortText(),
  buttonImageURL: link(1_000).trim().optional(),
  buttonText: shortText(),
  claimMap: texts(),
  client_id: shortText(),
  client_secret: shortText(),
  consumerKey: shortText(),
  consumerSecret: shortText(),
  defaultKeyId: id().optional(),
  domains: domains().optional(),
  emailClaim: shortText(),
  fields: shortText(),
  headerKeyParameter: shortText(),
  keyId: id().optional(),
  keys: map(id()).optional(),
  loginMethod: option(["UsePopup", "UseRedirect", "UseVendorJavaScript"]).optional(),
  maxTokenAgeInSeconds: integer(1, 31_536_000).optional(),
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
  tokenType: shortText(),
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

/** A map by id. Its keys are already lower case, see `keyedMaps` of the family. */
function idMap<Value extends z.ZodType>(value: Value): Schema<Record<string, z.output<Value>>> {
  return map(value).superRefine((entries, context) => {
    for (const key of Object.keys(entries))
      if (!id().safeParse(key).success) context.addIssue({ code: "custom", message: "couldNotConvert", path: [key] });
  });
}

// Runs for values of any type (`when`): a wrong type has its own error.
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

// Without an issuer, the request must name the endpoints.
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
    linkingStrategy: option(linkingStrategyNames).optional(),
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
});
