import type { RulesBySection } from "./rules.js";

/** The rules of account flows: verification, forgotten passwords, logins without one. */
export const accountRequirements: RulesBySection = {
  "docs/reference/account-settings.md": "account.settings account.templates-in-use",
  "docs/reference/account-flows.md#ids-and-codes": `
    account.id-once account.flow-walk account.id-place account.id-lifetime account.id-secret account.code
    account.typed-code
  `,
  "docs/reference/account-flows.md#calls-without-a-key": "account.alike account.rate-limits",
  "docs/reference/account-flows.md#mails": "account.mail-fails",
  "docs/reference/account-flows.md#missing-parts": "account.missing-parts",
  "docs/reference/account-flows.md#verification": `
    account.verify-new account.verify-changed account.verify-email account.verify-registration account.gated-change
    account.verify-identity
  `,
  "docs/reference/account-flows.md#first-proof": "account.first-proof",
  "docs/reference/users.md#proof-of-login-ids": "account.verified-reason account.proof-in-tokens",
  "docs/reference/account-flows.md": "account.verify-ids account.continue-session",
  "docs/reference/tokens.md#login": "account.gated",
  "docs/reference/validity.md#endings": "validity.table",
  "docs/reference/validity.md#order-within-a-moment": "validity.order validity.overlap",
  "docs/reference/account-flows.md#passwords": `
    account.forgot account.forgot-refused account.change account.change-ends account.change-trust account.one-time-password
    account.set-password account.unicode-password
  `,
  "docs/reference/account-flows.md#rules-for-passwords": `
    account.rules account.rules-public account.rules-history account.rules-login account.breach account.breach-pairs
    account.password-strength account.hash-cost account.breach-fails-open account.breach-login
  `,
  "docs/reference/account-flows.md#passwordless": "account.passwordless",
  "docs/security.md#account-flows": "account.login-statements",
  "docs/internals/query-plans.md#statements-of-a-call": "account.call-statements storage.reads-once",
};
