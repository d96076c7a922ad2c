import type * as z from "zod";
import { flag, list, object, option, type Schema, text } from "../../http/schema/fields.js";
import { isHttpUrl } from "../../shared/http.js";
import { defaultOAuthSettings, type GivenOAuthSettings, oauthGrants, type providedScopes } from "./oauth-settings.js";

const maxUrlLength = 1_000;
const maxUrls = 1_000;

// A page with such a scheme would run in our origin.
const executedSchemes = /^(?:about|blob|data|file|filesystem|javascript|vbscript):/i;

/** Whether a text is an absolute URI for redirects: without a fragment, a user name, or a scheme that runs scripts. */
function isRedirectUrl(value: string): boolean {
  // A wildcard may be in a place where `URL` does not parse it.
  const url = value.replaceAll("*", "x");
  if (value.length === 0 || /[\s#\\]/.test(value) || executedSchemes.test(value) || !URL.canParse(url)) return false;
  const { password, username } = new URL(url);
  return username === "" && password === "";
}

function isOrigin(value: string): boolean {
  const url = value.replaceAll("*", "x").replace(/\/$/, "");
  return isHttpUrl(url) && new URL(url).origin === url.toLowerCase();
}

const urls = (isRight: (value: string) => boolean): Schema<string[]> =>
  list(text().max(maxUrlLength, { error: "tooLong" }).refine(isRight, { error: "invalid" }))
    .max(maxUrls, { error: "tooMany" })
    .overwrite((values) => [...new Set(values)]);

const page = (isRight: (value: string) => boolean): z.ZodOptional<z.ZodString> =>
  text()
    .max(maxUrlLength, { error: "tooLong" })
    .refine((value) => value === "" || isRight(value), { error: "invalid" })
    .optional();

// Characters that every client of HTTP Basic encodes alike.
const secret = (): z.ZodOptional<z.ZodString> =>
  text()
    .max(255, { error: "tooLong" })
    .regex(/^[\x21-\x7e]*$/, { error: "invalid" })
    .optional();

const defaults = defaultOAuthSettings;

const requirement = () => object({ enabled: flag().default(true), required: flag().default(false) }).prefault({});

/** The settings for OAuth and OpenID Connect in a request. */
export const oauthFields = (): Schema<GivenOAuthSettings> =>
  object({
    authorizedOriginURLs: urls(isOrigin).default([]),
    authorizedRedirectURLs: urls(isRedirectUrl).default([]),
    authorizedURLValidationPolicy: option(["AllowWildcards", "ExactMatch"]).default(defaults.authorizedURLValidationPolicy),
    backchannelLogoutURL: page(isHttpUrl),
    clientAuthenticationPolicy: option(["NotRequired", "NotRequiredWhenUsingPKCE", "Required"]).optional(),
    clientSecret: secret(),
    consentMode: option(["AlwaysPrompt", "NeverPrompt", "RememberDecision"]).default(defaults.consentMode),
    debug: flag().default(defaults.debug),
    deviceVerificationURL: page(isHttpUrl),
    enabledGrants: list(option(oauthGrants))
      .overwrite((grants) => [...new Set(grants)])
      .default([...defaults.enabledGrants]),
    generateRefreshTokens: flag().default(defaults.generateRefreshTokens),
    logoutBehavior: option(["AllApplications", "RedirectOnly"]).default(defaults.logoutBehavior),
    logoutURL: page(isHttpUrl),
    proofKeyForCodeExchangePolicy: option(["NotRequired", "NotRequiredWhenUsingClientAuthentication", "Required"]).default(
      defaults.proofKeyForCodeExchangePolicy,
    ),
    providedScopePolicy: object({
      address: requirement(),
      email: requirement(),
      phone: requirement(),
      profile: requirement(),
    } satisfies Record<(typeof providedScopes)[number], unknown>).prefault({}),
    relationship: option(["FirstParty", "ThirdParty"]).default(defaults.relationship),
    requireClientAuthentication: flag().default(defaults.requireClientAuthentication),
    requireRegistration: flag().default(defaults.requireRegistration),
    scopeHandlingPolicy: option(["Compatibility", "Strict"]).default(defaults.scopeHandlingPolicy),
    unknownScopePolicy: option(["Allow", "Reject", "Remove"]).default(defaults.unknownScopePolicy),
  }).prefault({});
