import type { RulesBySection } from "./rules.js";

/** The rules of the pages of sign-in. */
export const pageRequirements: RulesBySection = {
  "docs/pages.md#what-there-is": "pages.accessible pages.no-script pages.provider-failures",
  "docs/pages.md#how-the-pages-protect-your-users": `
    pages.cross-site pages.leads-out pages.escaped pages.headers pages.redirects pages.registration pages.sealed pages.state pages.unknown-users
    pages.visitor-limits pages.visitor-rights
  `,
  "docs/pages.md#links-in-your-mails": "pages.links pages.password-trust pages.other-browser pages.own-link pages.link-for-code",
  "docs/passkeys.md#offer-after-a-password": "pages.passkey-offer",
  "docs/reference/themes.md#fields": "pages.themes",
  "docs/reference/themes.md#which-theme-a-page-has": "pages.stored-themes",
};
