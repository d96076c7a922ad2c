import type { RulesBySection } from "./rules.js";

/** The rules of passkeys. */
export const passkeyRequirements: RulesBySection = {
  "docs/reference/passkeys.md#register": "passkey.register passkey.algorithms passkey.registration-refused",
  "docs/reference/passkeys.md#limits": "passkey.limits",
  "docs/reference/passkeys.md#who-may-call": "passkey.own",
  "docs/reference/passkeys.md#log-in": "passkey.login passkey.login-rules passkey.login-refused",
  "docs/reference/passkeys.md#challenges": "passkey.challenge",
  "docs/reference/passkeys.md#sign-count": "passkey.counter",
  "docs/reference/passkeys.md#second-factor": "passkey.second-factor passkey.second-step passkey.second-step-refused",
  "docs/reference/passkeys.md#step-up": "passkey.assert",
  "docs/reference/passkeys.md#origins": "passkey.origins",
  "docs/reference/passkeys.md#settings": "passkey.workflows passkey.setup passkey.versions passkey.peer passkey.embedded",
  "docs/reference/passkeys.md#manage": "passkey.manage passkey.cascade passkey.audit",
  "docs/reference/passkeys.md#import": "passkey.import",
};
