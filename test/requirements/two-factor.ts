import type { Requirement } from "./requirement.js";

const legacy = (topic: string): string => `docs/reference/two-factor.md#legacy-calls: ${topic}`;
const state = (topic: string): string => `docs/reference/two-factor.md#legacy-calls: ${topic}`;
const modern = "docs/reference/two-factor.md: Modern replacement";

const methods = "docs/reference/two-factor.md#methods";
const start = "docs/reference/two-factor.md#start-apart-from-a-login";
const trust = "docs/reference/two-factor.md#trusted-devices";

/** The rules of second factors, of text messages and of the calls that leave the service. */
export const twoFactorRequirements: Readonly<Record<string, Requirement>> = {
  // Codes
  "totp.vectors": {
    behaviour: "Codes are those of RFC 6238 for SHA-1, six digits and 30 seconds",
    section: "docs/reference/two-factor.md",
  },
  "totp.key": {
    behaviour: "The key is the UTF-8 text of the secret; Base32 encodes these very bytes",
    section: "docs/reference/two-factor.md",
  },
  "totp.window": {
    behaviour: "One step before and one after the current one are accepted",
    section: "docs/reference/two-factor.md#totp",
  },
  "totp.once": {
    behaviour: "A step is accepted once: of two uses of one code at once, one wins",
    section: "docs/reference/two-factor.md#totp",
  },

  // Secrets
  "two-factor.secret": {
    behaviour: "GET /api/two-factor/secret answers a fresh secret in both forms to keys and users",
    section: legacy("GET /api/two-factor/secret"),
  },
  "two-factor.sealed": { behaviour: "Secrets are sealed at rest and never shown", section: "docs/internals/design.md#records" },

  // Enable and disable
  "two-factor.enable": { behaviour: "A right code enables: 200, empty", section: state("disabled to enabled") },
  "two-factor.enable-by-user": {
    behaviour: "A user's token enables the user's own second factor, whatever the query says",
    section: legacy("POST /api/user/two-factor"),
  },
  "two-factor.encodings": {
    behaviour: "The secret comes in either form, or in both",
    section: "docs/reference/two-factor.md: 1.7.0",
  },
  "two-factor.enable-fields": {
    behaviour: "code, delivery and a secret are required: 400",
    section: legacy("POST /api/user/two-factor"),
  },
  "two-factor.enable-wrong": {
    behaviour: "A wrong code is 421, empty, and changes nothing",
    section: "docs/reference/errors.md#statuses",
  },
  "two-factor.unknown-user": { behaviour: "An unknown user is 404, empty", section: "docs/reference/errors.md#statuses" },
  "two-factor.enabled-stays": {
    behaviour: "What is enabled is not enabled again: 400 [configured]",
    section: state("disabled to enabled"),
  },
  "two-factor.text-message": {
    behaviour: "TextMessage needs a mobile phone, and from 1.17.0 on no secret: one is made",
    section: "docs/reference/two-factor.md: User fields",
  },
  "two-factor.disable": { behaviour: "A right code disables: 200, empty; else 421", section: state("enabled to disabled") },
  "two-factor.disable-fields": { behaviour: "DELETE needs a code: 400", section: legacy("DELETE") },
  "two-factor.concurrent": {
    behaviour: "Enabling twice at once happens once; enabling and disabling at once leave one state or the other",
    section: "docs/reference/two-factor.md#legacy-calls",
  },
  "two-factor.user-fields": {
    behaviour: "Users show twoFactorEnabled and twoFactorDelivery; no PUT or PATCH of the user changes them",
    section: "docs/reference/two-factor.md: User fields",
  },
  "two-factor.credentials": {
    behaviour: "A path with an id takes keys alone; without credentials 401; another tenant's user is 404",
    section: legacy("Auth"),
  },
  "two-factor.tenant-header": {
    behaviour: "The tenant header is optional on every call",
    section: legacy("The tenant header is optional on all of these"),
  },
  "two-factor.dry-run": {
    behaviour: "A dry run checks, keeps nothing and sends nothing",
    section: "docs/reference/wire.md#dry-run",
  },

  // Sending codes
  "two-factor.send-user": {
    behaviour: "A key has a code sent to a user who has a second factor and a mobile phone",
    section: legacy("POST /api/two-factor/send"),
  },
  "two-factor.send-number": {
    behaviour: "A key has the current code of a secret sent to a number",
    section: legacy("POST /api/two-factor/send"),
  },
  "two-factor.send-own": { behaviour: "A user is sent a code of one's own", section: legacy("POST /api/two-factor/send") },
  "two-factor.send-login": {
    behaviour: "Without credentials a code is sent for a twoFactorId; an unknown one is 404",
    section: legacy("POST /api/two-factor/send/{twoFactorId}"),
  },
  "two-factor.send-limit": {
    behaviour: "Whoever has no key can have five text messages sent to a user in 15 minutes: 429",
    section: "docs/reference/two-factor.md",
  },
  "two-factor.send-off": {
    behaviour: "Without an integration for text messages: 400 [notConfigured]",
    section: "docs/reference/two-factor.md: SMS integration off",
  },
  "two-factor.send-failed": {
    behaviour: "What the provider does not take is 503 [smsFailed]; neither log nor error tells number or code",
    section: "docs/reference/events.md#outbox",
  },

  // Login
  "two-factor.challenge": {
    behaviour: "A login with a second factor is 242 with a twoFactorId, and from 1.26.0 on with the methods",
    section: "docs/reference/tokens.md#login: 242",
  },
  "two-factor.login": {
    behaviour: "Code and twoFactorId finish the login once; 421 for a wrong code, 404 for an id that is unknown, old or used",
    section: "docs/reference/tokens.md#login: POST /api/two-factor/login",
  },

  // From 1.26.0 on
  "two-factor.method-add": { behaviour: "A method authenticator is added with a code; 200 with recovery codes", section: modern },
  "two-factor.method-remove": { behaviour: "DELETE removes the named method", section: modern },
  "two-factor.method-shown": { behaviour: "Users show their methods, never a secret or a recovery code", section: modern },
  "two-factor.recovery-codes": {
    behaviour: "Recovery codes are shown once, work once, and can be replaced",
    section: modern,
  },
  "two-factor.events": {
    behaviour: "user.two-factor.method.add and .remove tell the method, never a secret",
    section: "docs/reference/events.md#event-types",
  },
  "two-factor.versions": {
    behaviour: "The legacy calls end with 1.26.0, and recovery codes begin with it",
    section: "docs/reference/service.md#versions-and-plans",
  },

  "two-factor.by-mail": {
    behaviour:
      "A method email is added, used and removed with the codes of mails to its address; a user may have several methods",
    section: methods,
  },
  "two-factor.by-text": {
    behaviour: "A method sms is added, used and removed with the codes of text messages to its number",
    section: methods,
  },
  "two-factor.redacted": {
    behaviour: "A login without a credential shows addresses and numbers of methods in part",
    section: "docs/reference/two-factor.md#second-factor-at-login",
  },
  "two-factor.kinds": {
    behaviour: "Only the kinds that the tenant allows can be added, and only addresses and numbers that messages reach",
    section: "docs/reference/account-settings.md#second-factors",
  },
  "two-factor.update": { behaviour: "PUT changes the name of a method", section: methods },
  "two-factor.codes": {
    behaviour:
      "A code has the tenant's generator and lifetime, works once, for one user and one purpose; wrong ones are counted and refused",
    section: "docs/reference/two-factor.md#codes-that-are-sent",
  },
  "two-factor.method-mails": {
    behaviour: "The user gets a mail about a method that was added or removed, where the tenant names a template",
    section: methods,
  },
  "two-factor.policy": {
    behaviour: "The policy of the application, else of the tenant, decides whether a login asks for a second factor",
    section: "docs/reference/account-settings.md#second-factors",
  },
  "two-factor.start": {
    behaviour:
      "A key starts a second factor of a user with methods, by id or login id; its result has the state and a trust token",
    section: start,
  },
  "two-factor.trust-token": {
    behaviour: "A trust token lets its user change the password once, with the challenge that it was started with",
    section: start,
  },
  "two-factor.trust": {
    behaviour: "trustComputer answers a twoFactorTrustId; a login that presents it needs no second factor until it expires",
    section: trust,
  },
  "two-factor.trust-policy": {
    behaviour: "trustPolicy accepts devices of any application, of its own, or none",
    section: trust,
  },
  "two-factor.trust-ends": {
    behaviour: "A new password, the end of all sessions and the removal of a method end the trust in all devices of the user",
    section: trust,
  },
  "two-factor.status": {
    behaviour: "GET and POST of the status answer 200 or 242 with the trusts of the device; 404 for an unknown user",
    section: "docs/reference/two-factor.md#status",
  },
  "two-factor.plans": {
    behaviour: "Mails and text messages need the plan starter, policies of applications enterprise",
    section: "docs/reference/service.md#versions-and-plans",
  },

  // Calls that leave the service
  "sms.form": {
    behaviour: "A text message is a POST of the provider's form with Basic credentials",
    section: "docs/reference/integrations.md#text-messages",
  },
  "sms.host": {
    behaviour: "A host's function sends text messages instead",
    section: "docs/reference/integrations.md#text-messages",
  },
  "outbound.guard": {
    behaviour: "No call goes to a loopback, link-local, private, multicast or other special address, however it is spelt",
    section: "docs/reference/webhooks.md#where-webhooks-may-go",
  },
  "outbound.limits": {
    behaviour: "A call ends at its deadline, reads at most 64 KiB, follows no redirect and verifies certificates",
    section: "docs/reference/webhooks.md#request-to-the-receiver",
  },
};
