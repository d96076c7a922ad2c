import type { Requirement } from "./requirement.js";

const protection = "docs/pages.md#how-the-pages-protect-your-users";

/** The rules of the pages of sign-in. */
export const pageRequirements: Readonly<Record<string, Requirement>> = {
  "pages.accessible": {
    behaviour: "Every page meets WCAG 2.2 AA: light, dark, narrow and right to left",
    section: "docs/pages.md#what-there-is",
  },
  "pages.cross-site": {
    behaviour: "A form of another site, or of another browser, is 403 and changes nothing",
    section: protection,
  },
  "pages.escaped": {
    behaviour: "No page repeats markup that an administrator, an application or a user chose",
    section: protection,
  },
  "pages.headers": {
    behaviour: "Every page forbids frames, inline scripts and styles, caches and referrers",
    section: protection,
  },
  "pages.links": {
    behaviour: "Opening the link of a mail uses up nothing; its button does, once",
    section: "docs/pages.md#links-in-your-mails",
  },
  "pages.no-script": {
    behaviour: "A login with a second factor reaches the application without scripts",
    section: "docs/pages.md#what-there-is",
  },
  "pages.passkey-offer": {
    behaviour: "After a password, a user without a passkey can create one, and is not asked again after declining",
    section: "docs/passkeys.md#offer-after-a-password",
  },
  "pages.password-trust": {
    behaviour: "The link of a forgotten password needs the second factor of a user who has one",
    section: "docs/pages.md#links-in-your-mails",
  },
  "pages.redirects": { behaviour: "No value of a request makes a page redirect to another origin", section: protection },
  "pages.registration": { behaviour: "A registration in steps stores nothing before the last one", section: protection },
  "pages.state": { behaviour: "The answer of an identity provider counts once, in the browser that began", section: protection },
  "pages.themes": {
    behaviour: "A theme that could leave its place in a style sheet is refused, by the option and by the API",
    section: "docs/reference/themes.md#fields",
  },
  "pages.stored-themes": {
    behaviour: "Pages have the theme of the application, else of the tenant, else the default one; changes count at once",
    section: "docs/reference/themes.md#which-theme-a-page-has",
  },
  "pages.unknown-users": { behaviour: "Pages look the same for known and unknown users", section: protection },
};
