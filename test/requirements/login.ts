import type { RulesBySection } from "./rules.js";

/** The rules of logins, of the tokens that they hand out and of the cookies that they set. */
export const loginRequirements: RulesBySection = {
  "docs/reference/tokens.md#login": `
    login.ok login.not-registered login.password-change login.wrong login.locked login.expired login.key login.body
    login.id-types login.no-jwt login.address login.ping login.recent refresh.ok refresh.refused refresh.one-time refresh.grace refresh.reuse refresh.locked-out refresh.list
    refresh.revoke refresh.revoke-others logout.ok
  `,
  "docs/reference/threats.md, 37": "login.same-work",
  "docs/reference/authentication.md#tenant-header": "login.tenant login.tenant-application",
  "docs/reference/users.md": "login.instants",
  "docs/reference/events.md#event-types": "login.events refresh.event refresh.revoke-event",
  "docs/reference/service.md#your-own-directory": "login.directory",
  "docs/reference/tokens.md": "login.no-dry-run login.versions-of-user refresh.revoked-along refresh.own refresh.pruned",
  "docs/reference/tokens.md#access-tokens": "token.claims token.roles token.validate",
  "docs/reference/tenants.md#applications": "token.settings refresh.allowed",
  "docs/reference/authentication.md#schemes": "token.schemes token.own-user token.elsewhere",
  "docs/reference/tokens.md#jwts-accepted": `
    token.key-named token.type token.issuer token.audience token.forged token.expired token.pinned token.key-removed token.long
  `,
  "docs/reference/threats.md, 33": "token.text refresh.at-rest",
  "docs/reference/authentication.md#several-credentials": "token.header token.precedence",
  "docs/reference/threats.md, 30": "cookie.safe cookie.options cookie.cross-site cookie.trusted-origins",
  "docs/reference/authentication.md#dpop": "refresh.bound",
  "docs/reference/login-security.md#devices": `
    login.device login.device-forged login.device-limit login.device-rotation login.device-caller login.device-tracking
    login.device-plan login.device-mail
  `,
  "docs/reference/login-security.md#threats": `
    login.suspicious login.threat-dormant login.threat-recent login.threat-address login.threat-agent login.threat-travel
    login.threat-lambda
  `,
  "docs/reference/login-security.md#failed-logins": `
    login.failed-action login.failed-once login.failed-reset login.failed-mail login.failed-unusable
  `,
  "docs/reference/tokens.md#login-records": "login.records",
  "docs/reference/tokens.md#export": "login.export login.export-limit login.export-transports",
};
