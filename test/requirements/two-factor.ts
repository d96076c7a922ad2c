import type { RulesBySection } from "./rules.js";

/** The rules of second factors, of text messages and of the calls that leave the service. */
export const twoFactorRequirements: RulesBySection = {
  "docs/reference/two-factor.md": "totp.vectors totp.key two-factor.send-limit",
  "docs/reference/two-factor.md#totp": "totp.window totp.once",
  "docs/reference/two-factor.md#legacy-calls: GET /api/two-factor/secret": "two-factor.secret",
  "docs/internals/design.md#records": "two-factor.sealed",
  "docs/reference/two-factor.md#legacy-calls: disabled to enabled": "two-factor.enable two-factor.enabled-stays",
  "docs/reference/two-factor.md#legacy-calls: POST /api/user/two-factor": "two-factor.enable-by-user two-factor.enable-fields",
  "docs/reference/two-factor.md: 1.7.0": "two-factor.encodings",
  "docs/reference/errors.md#statuses": "two-factor.enable-wrong two-factor.unknown-user",
  "docs/reference/two-factor.md: User fields": "two-factor.text-message two-factor.user-fields",
  "docs/reference/two-factor.md#legacy-calls: enabled to disabled": "two-factor.disable",
  "docs/reference/two-factor.md#legacy-calls: DELETE": "two-factor.disable-fields",
  "docs/reference/two-factor.md#legacy-calls": "two-factor.concurrent",
  "docs/reference/two-factor.md#legacy-calls: Auth": "two-factor.credentials",
  "docs/reference/two-factor.md#legacy-calls: The tenant header is optional on all of these": "two-factor.tenant-header",
  "docs/reference/wire.md#dry-run": "two-factor.dry-run",
  "docs/reference/two-factor.md#legacy-calls: POST /api/two-factor/send":
    "two-factor.send-user two-factor.send-number two-factor.send-own",
  "docs/reference/two-factor.md#legacy-calls: POST /api/two-factor/send/{twoFactorId}": "two-factor.send-login",
  "docs/reference/two-factor.md: SMS integration off": "two-factor.send-off",
  "docs/reference/events.md#outbox": "two-factor.send-failed",
  "docs/reference/tokens.md#login: 242": "two-factor.challenge",
  "docs/reference/tokens.md#login: POST /api/two-factor/login": "two-factor.login",
  "docs/reference/two-factor.md: Modern replacement": `
    two-factor.method-add two-factor.method-remove two-factor.method-shown two-factor.recovery-codes
  `,
  "docs/reference/events.md#event-types": "two-factor.events",
  "docs/reference/service.md#versions-and-plans": "two-factor.versions two-factor.plans",
  "docs/reference/two-factor.md#methods":
    "two-factor.by-mail two-factor.by-text two-factor.update two-factor.method-mails two-factor.factor-changes",
  "docs/reference/two-factor.md#second-factor-at-login": "two-factor.redacted",
  "docs/reference/account-settings.md#second-factors": "two-factor.kinds two-factor.policy",
  "docs/reference/two-factor.md#codes-that-are-sent": "two-factor.codes",
  "docs/reference/two-factor.md#start-apart-from-a-login": "two-factor.start two-factor.trust-token",
  "docs/reference/two-factor.md#trusted-devices": "two-factor.trust two-factor.trust-policy two-factor.trust-ends",
  "docs/reference/two-factor.md#status": "two-factor.status",
  "docs/reference/integrations.md#text-messages": "sms.form sms.host",
  "docs/reference/webhooks.md#where-webhooks-may-go": "outbound.guard outbound.forbidden-url webhook.blocked-url",
  "docs/reference/webhooks.md#request-to-the-receiver": "outbound.limits",
};
