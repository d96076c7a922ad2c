import type { RulesBySection } from "./rules.js";

/** The rules of the OpenID provider, and of applications as its clients. */
export const openIdRequirements: RulesBySection = {
  "docs/reference/openid.md#endpoints":
    "openid.proof openid.empty-parameter openid.device-polls openid.wrong-hint openid.device-expired openid.default-scope",
  "docs/reference/openid.md#limits": "openid.starts openid.user-codes",
  "docs/reference/openid.md#issuers": "openid.root-discovery openid.public-url",
  "docs/reference/openid.md#applications": `
    application.oauth.secret application.oauth.lists application.oauth.authentication application.oauth.urls
    application.oauth.plan openid.consent-remembered openid.scope-unknown openid.scope-required openid.device-page openid.debug
  `,
  "docs/reference/openid.md#tokens": `
    openid.code openid.default-key openid.clock openid.issuer-owner openid.post openid.id-token-claims openid.basic openid.discovery openid.rotation openid.reuse openid.grace openid.authentication-type openid.refresh-event openid.throttle openid.expires-in
  `,
  "docs/single-sign-on.md": "openid.single-sign-on",
  "docs/reference/openid.md#storage": "openid.storage",
  "docs/reference/openid.md#sessions-of-browsers": "openid.asked-claims openid.backchannel openid.hinted-user",
  "docs/reference/openid.md#logouts": "openid.logout-post openid.logout-stay openid.logout-twice openid.logout-unnamed",
  "docs/reference/openid.md#a-login-that-has-ended": "openid.sent-twice openid.back openid.expired-page openid.cookies-refused",
  "docs/reference/openid.md#forms-that-are-sent-twice": "openid.double-clicks",
  "docs/reference/openid.md#logout-tokens": "openid.logout-tokens",
  "docs/reference/openid.md#several-accounts-in-a-browser":
    "openid.accounts openid.accounts-stale openid.accounts-sealed openid.accounts-logout openid.other-account",
  "docs/openid-provider.md#run-it-in-production": "openid.mount",
  "docs/lambdas-places.md": "openid.lambdas",
};
