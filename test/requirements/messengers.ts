import type { Requirement } from "./requirement.js";

const page = "docs/messengers.md";
const templates = "docs/messengers.md#message-templates";
const phones = "docs/messengers.md#texts-of-account-flows";
const request = "docs/messengers.md#request-to-a-generic-messenger";

/** The rules about messengers and message templates. */
export const messengerRequirements: Readonly<Record<string, Requirement>> = {
  "messenger.fields": { behaviour: "A messenger has the fields of its type, and none of another one", section: page },
  "messenger.required": { behaviour: "What the type needs is required, all at once", section: page },
  "messenger.type": { behaviour: "The type never changes; the option names has other words for broker and sms", section: page },
  "messenger.message-types": { behaviour: "PATCH replaces messageTypes", section: "docs/reference/patch.md" },
  "messenger.name-unique": { behaviour: "Names are unique without regard to case", section: page },
  "messenger.in-use": { behaviour: "A messenger that a tenant names cannot be removed: 400 [inUse]messengerId", section: page },
  "messenger.version": { behaviour: "Messengers and message templates exist from 1.26.0 on", section: page },
  "messenger.global": {
    behaviour: "Keys of a tenant and tenant headers are 401",
    section: "docs/reference/api-keys.md#global-endpoints",
  },
  "messenger.generic": { behaviour: "A generic messenger is sent JSON with its headers and credentials", section: request },
  "messenger.provider": { behaviour: "A messenger of the type sms sends in the provider's form", section: page },
  "messenger.broker": {
    behaviour: "A messenger of the type broker publishes each text to its topic, on a connection of its own",
    section: "docs/messengers.md#messages-of-a-broker",
  },
  "messenger.retry": {
    behaviour: "A text that a messenger does not take is retried with the same id; one that it refuses is not",
    section: request,
  },
  "messenger.guard": { behaviour: "A messenger at a private address is not called unless the host allows that", section: page },
  "messenger.debug": { behaviour: "With debug each attempt is in the event log, without number and text", section: page },
  "messenger.host": { behaviour: "The option sendSms takes the place of every messenger", section: page },
  "messenger.tenant": { behaviour: "A tenant names only messengers and templates that exist and are for texts", section: page },
  "phone.verify": { behaviour: "A new or changed phone number is verified by a text where the tenant says so", section: phones },
  "phone.send": { behaviour: "A verification of a phone number that was started is sent as a text", section: phones },
  "phone.update": { behaviour: "The old number gets a text about a changed one", section: phones },
  "phone.gated": { behaviour: "A login is 212 until the phone number is verified, where the tenant says so", section: phones },
  "phone.unique": { behaviour: "A phone number is one user's in a tenant, regardless of separators", section: phones },
  "phone.passwordless": { behaviour: "A login without a password by phone number is sent as a text", section: phones },
  "phone.forgot": { behaviour: "A forgotten password of a phone number is sent as a text", section: phones },
  "phone.notices": { behaviour: "A user with a phone number gets a text about a changed password", section: phones },
  "phone.limits": { behaviour: "Limits of texts count a number regardless of its separators", section: phones },
  "phone.alike": { behaviour: "Unknown numbers cost as many statements as known ones", section: phones },
  "message-template.fields": {
    behaviour: "A message template has the fields of the reference, empty maps too",
    section: templates,
  },
  "message-template.syntax": { behaviour: "A text that is no template is 400 [invalid] on its path", section: templates },
  "message-template.locales": {
    behaviour: "Keys of localizedTemplates are Java locales, others are [invalid]",
    section: templates,
  },
  "message-template.in-use": {
    behaviour: "A template that a tenant or an application names cannot be removed",
    section: templates,
  },
  "message-template.preview": {
    behaviour: "A preview answers the text in a locale, and what is wrong with the template",
    section: templates,
  },
};
