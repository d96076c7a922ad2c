import type { Requirement } from "./requirement.js";

const login = "docs/reference/tokens.md#login";
const failures = "docs/reference/login-security.md#failed-logins";
const devices = "docs/reference/login-security.md#devices";
const threats = "docs/reference/login-security.md#threats";
const claims = "docs/reference/tokens.md#access-tokens";
const accepted = "docs/reference/tokens.md#jwts-accepted";
const several = "docs/reference/authentication.md#several-credentials";
const csrf = "docs/reference/threats.md, 30";

/** The rules of logins, of the tokens that they hand out and of the cookies that they set. */
export const loginRequirements: Readonly<Record<string, Requirement>> = {
  "login.ok": { behaviour: "200 with token, its end, refresh token and user for the right password", section: login },
  "login.not-registered": { behaviour: "202 for a user who is not registered to the application", section: login },
  "login.password-change": {
    behaviour: "203 when the password must be changed, with an id that changes it once",
    section: login,
  },
  "login.wrong": {
    behaviour: "404, empty, for an unknown user, a wrong password and an inactive user, all alike",
    section: login,
  },
  "login.same-work": {
    behaviour: "A user who does not exist costs as much time as one who does",
    section: "docs/reference/threats.md, 37",
  },
  "login.locked": { behaviour: "423 with Retry-After after too many failures, whether the user exists or not", section: login },
  "login.expired": { behaviour: "410, empty, past the user's expiry, for whoever knows the password", section: login },
  "login.key": { behaviour: "401 without a key unless the application asks for none", section: login },
  "login.body": { behaviour: "400 for a body that cannot be a login, all field errors at once", section: login },
  "login.id-types": {
    behaviour: "A login id is an email or a username in any case; loginIdTypes narrows it, or names phone numbers",
    section: login,
  },
  "login.tenant": {
    behaviour: "Several tenants and none named: 400 [TenantIdRequired]",
    section: "docs/reference/authentication.md#tenant-header",
  },
  "login.tenant-application": {
    behaviour: "The application decides the tenant",
    section: "docs/reference/authentication.md#tenant-header",
  },
  "login.no-jwt": { behaviour: "noJWT hands out no tokens and no cookies", section: login },
  "login.instants": { behaviour: "A login moves lastLoginInstant of user and registration", section: "docs/reference/users.md" },
  "login.events": {
    behaviour: "user.login.success and user.login.failed tell of logins",
    section: "docs/reference/events.md#event-types",
  },
  "login.address": { behaviour: "ipAddress is believed from callers with a key, else the source counts", section: login },
  "login.ping": { behaviour: "PUT counts a login of a known user and hands out no tokens", section: login },
  "login.directory": {
    behaviour: "With a host's own directory logins are 405",
    section: "docs/reference/service.md#your-own-directory",
  },
  "login.no-dry-run": {
    behaviour: "A login, a refresh or a change of password is no dry run: 400 [invalid]dryRun",
    section: "docs/reference/tokens.md",
  },
  "login.versions-of-user": {
    behaviour: "A login and a change of the user made at once both survive",
    section: "docs/reference/tokens.md",
  },

  "token.claims": { behaviour: "An access token has the claims of a user's token and verifies by the JWKS", section: claims },
  "token.roles": { behaviour: "roles and applicationId only when registered; roles computed at issue", section: claims },
  "token.settings": {
    behaviour: "Key and lifetimes: the application's when enabled, else the tenant's",
    section: "docs/reference/tenants.md#applications",
  },
  "token.schemes": {
    behaviour: "Bearer and JWT in any case, and the cookie, present a token",
    section: "docs/reference/authentication.md#schemes",
  },
  "token.validate": { behaviour: "GET /api/jwt/validate shows the claims of a valid token", section: claims },
  "token.own-user": {
    behaviour: "GET /api/user with a user's token answers that user and nobody else",
    section: "docs/reference/authentication.md#schemes",
  },
  "token.elsewhere": {
    behaviour: "A user's token opens no endpoint of keys",
    section: "docs/reference/authentication.md#schemes",
  },
  "token.key-named": {
    behaviour: "A key verifies access tokens of the tenant, application or entity type that names it for them, now or before",
    section: accepted,
  },
  "token.type": { behaviour: "typ is JWT, at+jwt or absent; a user's token says tty at, a client's has gty", section: accepted },
  "token.issuer": { behaviour: "iss is one that the tenant has or had, unless a lambda may have written it", section: accepted },
  "token.audience": {
    behaviour: "A user's aud is absent or names an application of the tenant, unless a lambda may have written it",
    section: accepted,
  },
  "token.text": {
    behaviour: "No text that a database cannot keep gets from a token into a look-up",
    section: "docs/reference/threats.md, 33",
  },
  "token.forged": { behaviour: "A token that is forged, malformed or not a user's is 401 with an empty body", section: accepted },
  "token.expired": { behaviour: "exp and sub are required; expired by a second is 401", section: accepted },
  "token.pinned": { behaviour: "The algorithm is the key's, whatever the token says", section: accepted },
  "token.key-removed": { behaviour: "A token of a removed key is 401 at once", section: accepted },
  "token.long": { behaviour: "A token of 100 kB is 401", section: accepted },
  "token.header": { behaviour: "A scheme has one spelling: one space, one header", section: several },
  "token.precedence": { behaviour: "The header counts, whatever cookie comes along; two cookies are 401", section: several },

  "cookie.safe": { behaviour: "Cookies are HttpOnly, Secure, SameSite=Lax unless the host says otherwise", section: csrf },
  "cookie.options": { behaviour: "The option cookies is checked at start", section: csrf },
  "cookie.cross-site": { behaviour: "A write by cookie alone from another site is 401", section: csrf },
  "cookie.trusted-origins": { behaviour: "Origins that the host trusts may write by cookie", section: csrf },

  "refresh.ok": { behaviour: "POST /api/jwt/refresh makes a token from body or cookie, with the roles of now", section: login },
  "refresh.refused": { behaviour: "400 [invalid]refreshToken for one that is unknown, revoked or too old", section: login },
  "refresh.locked-out": { behaviour: "Who could not log in any more cannot refresh", section: login },
  "refresh.allowed": {
    behaviour: "An application that does not allow refreshes gets none",
    section: "docs/reference/tenants.md#applications",
  },
  "refresh.bound": {
    behaviour: "A bound refresh token needs a proof of its key",
    section: "docs/reference/authentication.md#dpop",
  },
  "refresh.event": {
    behaviour: "jwt.refresh tells of it, and gives no token away",
    section: "docs/reference/events.md#event-types",
  },
  "refresh.at-rest": {
    behaviour: "A refresh token is kept by its digest and shown once",
    section: "docs/reference/threats.md, 33",
  },
  "refresh.list": { behaviour: "GET lists and retrieves refresh tokens without their values", section: login },
  "refresh.revoke": { behaviour: "DELETE revokes by id, value, user, application or both", section: login },
  "refresh.revoke-others": { behaviour: "exceptTokenId keeps one session of those that are revoked", section: login },
  "login.device": {
    behaviour: "A browser is known by a signed cookie; the first is not new, another one is user.login.new-device",
    section: devices,
  },
  "login.device-forged": { behaviour: "A cookie of another browser or nobody's makes no device known", section: devices },
  "login.device-limit": { behaviour: "A user has at most 20 known devices: the oldest makes room", section: devices },
  "login.device-rotation": { behaviour: "Cookies of devices survive a rotation of the secret", section: devices },
  "login.device-caller": {
    behaviour: "Who calls with a key says what the device is: metaData.device, newDevice",
    section: devices,
  },
  "login.device-tracking": {
    behaviour: "Devices are tracked only while an event about them has a receiver, a mail a template, or there is a lambda",
    section: devices,
  },
  "login.device-plan": { behaviour: "Without the events in version and plan nothing is tracked", section: devices },
  "login.device-mail": { behaviour: "A new device is a mail once the login is complete", section: devices },
  "login.suspicious": {
    behaviour: "Threats beside a new device are user.login.suspicious and a mail, once a login, and are in its answers",
    section: threats,
  },
  "login.threat-dormant": { behaviour: "DormantAccount and DormantPassword after 90 days", section: threats },
  "login.threat-recent": {
    behaviour: "RecentPasswordChange and RecentIdentityChange for 24 hours, except on a known device",
    section: threats,
  },
  "login.threat-address": { behaviour: "BlocklistedIp by the access list of application or tenant", section: threats },
  "login.threat-agent": { behaviour: "SuspiciousUserAgent for programs without a key", section: threats },
  "login.threat-travel": { behaviour: "ImpossibleTravel by locateAddress, which fails open", section: threats },
  "login.threat-lambda": { behaviour: "MFARequirement gets the threats, and decides on the event", section: threats },
  "login.failed-action": {
    behaviour: "Too many failed logins take the tenant's action on the user: 423, and 404 for a wrong password",
    section: failures,
  },
  "login.failed-once": { behaviour: "Of failures side by side, in any process, one takes the action", section: failures },
  "login.failed-reset": { behaviour: "onPasswordReset cancels the action with a reset", section: failures },
  "login.failed-mail": { behaviour: "emailUser sends the mail of the action", section: failures },
  "login.failed-unusable": {
    behaviour: "An inactive action is not taken; one that a tenant names exists and stays",
    section: failures,
  },
  "login.records": {
    behaviour: "Each login has a record, written within a second of it, that goes with its user",
    section: "docs/reference/tokens.md#login-records",
  },
  "login.export": {
    behaviour: "An export is a zip of a CSV file with the logins of the caller's tenant, the newest first, and no formula",
    section: "docs/reference/tokens.md#export",
  },
  "login.export-limit": {
    behaviour: "An export of more than 100,000 logins is 400 [tooLarge]criteria",
    section: "docs/reference/tokens.md#export",
  },
  "login.export-transports": {
    behaviour: "Every transport, the client and callers in process get the bytes of a file",
    section: "docs/reference/tokens.md#export",
  },
  "refresh.revoke-event": { behaviour: "jwt.refresh-token.revoke tells of it", section: "docs/reference/events.md#event-types" },
  "refresh.revoked-along": {
    behaviour: "Deactivation, removal and a new password revoke the user's refresh tokens",
    section: "docs/reference/tokens.md",
  },
  "refresh.own": {
    behaviour: "A user sees and revokes the own refresh tokens and no others",
    section: "docs/reference/tokens.md",
  },
  "refresh.pruned": { behaviour: "Refresh tokens that are too old are removed", section: "docs/reference/tokens.md" },
  "logout.ok": {
    behaviour: "POST /api/logout revokes the presented token, or all of the user, and clears the cookies",
    section: login,
  },
};
