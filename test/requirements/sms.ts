import type { RulesBySection } from "./rules.js";

/** The rules about text messages that a host sends. */
export const smsRequirements: RulesBySection = {
  "docs/sms.md": "sms.send sms.input sms.tenants sms.sealed sms.given-up sms.wait sms.hostile",
  "docs/reference/events.md#outbox": "sms.outbox sms.retry sms.crash",
  "docs/reference/two-factor.md": "sms.not-configured",
  "docs/reference/wire.md#dry-run": "sms.dry-run",
};
