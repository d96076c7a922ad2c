import type { RefinementCtx } from "zod";
import { flag, id, list, object, option, requiredIfEnabled, type Schema, text } from "../../http/schema/fields.js";
import { isHttpUrl } from "../../shared/http.js";
import { type SamlSettings, samlCanonicalForms, samlEncryptions } from "./saml-settings.js";

const maxLength = 1_000;

const shortText = () => text().max(maxLength, { error: "tooLong" });
const url = () => shortText().refine((value) => isHttpUrl(value) && !/[\s#]/.test(value), { error: "invalid" });

/** Further keys that verify signatures. The service tries each, so their number has a limit. */
export const verificationKeyIds = (): Schema<string[] | undefined> =>
  list(id())
    .max(10, { error: "tooMany" })
    .overwrite((ids) => [...new Set(ids)])
    .optional();

const encryption = () =>
  requiredIfEnabled(
    object({
      enabled: flag().default(false),
      encryptionAlgorithm: option(samlEncryptions).default("AES256GCM"),
      keyLocation: option(["Child", "Sibling"]).default("Child"),
      keyTransportEncryptionKeyId: id().optional(),
    }),
    { keyTransportEncryptionKeyId: "missing" },
  ).prefault({});

const persistent = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent";

/** The settings for SAML 2.0 in a request. */
export const samlFields = (): Schema<SamlSettings | undefined> =>
  requiredIfEnabled(
    object({
      enabled: flag().default(false),
      assertionEncryptionConfiguration: encryption(),
      audience: shortText().optional(),
      authorizedRedirectURLs: list(url())
        .max(maxLength, { error: "tooMany" })
        .overwrite((urls) => [...new Set(urls)])
        .default([]),
      callbackURL: url().optional(),
      debug: flag().default(false),
      defaultVerificationKeyId: id().optional(),
      initiatedLogin: object({ enabled: flag().default(false), nameIdFormat: shortText().default(persistent) }).prefault({}),
      issuer: shortText().optional(),
      keyId: id().optional(),
      loginHintConfiguration: object({
        enabled: flag().default(true),
        parameterName: shortText().default("login_hint"),
      }).prefault({}),
      requireSignedRequests: flag().default(false),
      verificationKeyIds: verificationKeyIds(),
      xmlSignatureC14nMethod: option(samlCanonicalForms).default("exclusive_with_comments"),
      xmlSignatureLocation: option(["Assertion", "Response"]).default("Assertion"),
    }),
    { issuer: "blank", keyId: "missing" },
  )
    .superRefine(refuseMissing)
    .optional();

function refuseMissing(settings: Partial<SamlSettings> | undefined, context: RefinementCtx): void {
  const {
    authorizedRedirectURLs = [],
    callbackURL,
    enabled,
    requireSignedRequests,
    verificationKeyIds: further = [],
  } = settings ?? {};
  const refuse = (path: string): void => context.addIssue({ code: "custom", path: [path], message: "missing" });
  if (enabled && authorizedRedirectURLs.length === 0 && callbackURL === undefined) refuse("authorizedRedirectURLs");
  const hasKey = settings?.defaultVerificationKeyId !== undefined || further.length > 0;
  if (requireSignedRequests && !hasKey) refuse("defaultVerificationKeyId");
}
