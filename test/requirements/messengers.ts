import type { RulesBySection } from "./rules.js";

/** The rules about messengers and message templates. */
export const messengerRequirements: RulesBySection = {
  "docs/messengers.md": `
    messenger.fields messenger.required messenger.type messenger.name-unique messenger.in-use messenger.version
    messenger.provider messenger.guard messenger.debug messenger.host messenger.tenant
  `,
  "docs/reference/patch.md": "messenger.message-types",
  "docs/reference/api-keys.md#global-endpoints": "messenger.global",
  "docs/messengers.md#request-to-a-generic-messenger": "messenger.generic messenger.retry",
  "docs/messengers.md#messages-of-a-broker": "messenger.broker",
  "docs/messengers.md#texts-of-account-flows": `
    phone.verify phone.send phone.update phone.gated phone.unique phone.passwordless phone.forgot phone.notices phone.limits
    phone.alike
  `,
  "docs/messengers.md#message-templates": `
    message-template.fields message-template.syntax message-template.locales message-template.in-use message-template.preview
  `,
};
