import type { Requirement } from "./requirement.js";

const decided = "docs/reference/integrations.md#object";

/** The rules of the integrations object. */
export const integrationRequirements: Readonly<Record<string, Requirement>> = {
  "integration.defaults": {
    behaviour: "Before any PUT, GET answers that nothing is enabled; there is never a 404",
    section: "docs/reference/integrations.md#object",
  },
  "integration.no-base": { behaviour: "The object has no id and no instants", section: "docs/reference/integrations.md#object" },
  "integration.update": {
    behaviour: "PUT replaces the whole object: what it leaves out is not enabled",
    section: "docs/reference/integrations.md#object",
  },
  "integration.missing": {
    behaviour: "A body without the object is 400 [missing]integrations",
    section: "docs/reference/wire.md",
  },
  "integration.wrapper": { behaviour: "The key is integrations; integration is accepted on input", section: decided },
  "integration.moderation-required": {
    behaviour: "When enabled, moderation needs a url and usernames an applicationId",
    section: "docs/reference/integrations.md#object, docs/reference/errors.md#codes-by-family",
  },
  "integration.broker-required": {
    behaviour: "When enabled, the broker needs a topic and settings of its producer",
    section: "docs/reference/integrations.md#object, docs/reference/errors.md#codes-by-family",
  },
  "integration.producer": {
    behaviour: "Producer settings are texts of an allow list without classes, files and commands",
    section: "docs/reference/threats.md, 44, docs/reference/errors.md#codes-by-family",
  },
  "integration.topic": { behaviour: "A topic is a name that brokers know", section: "docs/reference/threats.md, 44" },
  "integration.sms-required": {
    behaviour: "When enabled, sms needs accountSID, authToken and a number or a messaging service",
    section: "docs/reference/integrations.md#object",
  },
  "integration.sms-version": {
    behaviour: "sms exists before 1.26.0 only",
    section: "docs/reference/service.md#versions-and-plans",
  },
  "integration.sms-url": {
    behaviour: "The url of sms is by default that of its service",
    section: "docs/reference/integrations.md#object",
  },
  "integration.urls": {
    behaviour: "URLs are http or https without user info, else [invalid]",
    section: "docs/reference/integrations.md#object, docs/reference/threats.md, 22",
  },
  "integration.secrets": {
    behaviour: "moderation.apiKey, sms.authToken and the producer's settings are sealed at rest and shown to the global key",
    section: "docs/reference/integrations.md#object, docs/architecture.md",
  },
  "integration.names": {
    behaviour: "The option names renames moderation, broker and sms on input, output and in error paths",
    section: "docs/reference/integrations.md#object",
  },
  "integration.patch": {
    behaviour: "PATCH patches the wrapper in all three flavours",
    section: "docs/reference/integrations.md#object, docs/reference/patch.md#document",
  },
  "integration.patch-replaces": {
    behaviour: "moderation.applicationIds is replaced by an append patch, not appended to",
    section: "docs/reference/patch.md#merging-with-applicationjson",
  },
  "integration.patch-together": {
    behaviour: "Patches of different members made at once all survive",
    section: "docs/reference/patch.md",
  },
  "integration.etag": {
    behaviour: "GET, PUT and PATCH carry a strong ETag; a stale If-Match is 412",
    section: "docs/reference/patch.md",
  },
  "integration.dry-run": {
    behaviour: "A dry run answers what would be kept and keeps nothing",
    section: "docs/reference/patch.md",
  },
  "integration.global": {
    behaviour: "Keys of a tenant and tenant headers are 401; other methods are 405",
    section: "docs/reference/api-keys.md#global-endpoints",
  },
  "integration.hostile": { behaviour: "No body makes a 500 or half a change", section: "docs/reference/errors.md#statuses" },
  "integration.in-process": { behaviour: "Every operation can be called in process", section: "docs/architecture.md" },
  "broker.message": {
    behaviour: "The broker gets {event:{…}} on the default topic, by the key of its object or tenant",
    section: "docs/reference/events.md#event-types, broker form; 8",
  },
  "broker.log": {
    behaviour: "Attempts at the broker are logged without url and webhookId",
    section: "docs/reference/events.md#event-log",
  },
  "broker.retry": {
    behaviour: "What the broker does not take is tried again, with the same id",
    section: decided.replace("Integrations", "Outbox"),
  },
  "broker.events": {
    behaviour: "The broker gets all enabled events of all tenants and those of the instance",
    section: "docs/reference/events.md#receivers-of-an-event, docs/reference/integrations.md#object",
  },
  "broker.asked": {
    behaviour: "The broker has no say in transactional events",
    section: "docs/reference/webhooks.md#transactional-events",
  },
  "broker.settings": {
    behaviour: "Changed settings of the broker are followed at once",
    section: "docs/reference/integrations.md#object",
  },
  "moderation.call": {
    behaviour: "A new username is sent to the moderation: POST, and PUT for a later one, with the key as it is",
    section: "docs/reference/integrations.md#moderation",
  },
  "moderation.actions": {
    behaviour: "allow keeps a username, replace replaces it, queue keeps it as PENDING, reject is 400 [moderationRejected]",
    section: "docs/reference/integrations.md#moderation",
  },
  "moderation.when": {
    behaviour: "Usernames are sent when both switches are on and the name changed, never from inside a transaction or a dry run",
    section: "docs/reference/integrations.md#moderation",
  },
  "moderation.unanswered": {
    behaviour: "A moderation that does not answer as it should delays nobody for long: the username is PENDING",
    section: "docs/reference/integrations.md#moderation",
  },
  "moderation.registrations": {
    behaviour: "Usernames of registrations are judged alike",
    section: "docs/reference/integrations.md#moderation",
  },
  "moderation.guarded": {
    behaviour: "The moderation is not called at private addresses unless the host allows it",
    section: "docs/reference/threats.md, 22",
  },
  "moderation.notify": {
    behaviour: "What the moderation decides later makes a username ACTIVE or REJECTED, and an event tells of it",
    section: "docs/reference/integrations.md#moderation",
  },
  "moderation.notify-body": {
    behaviour: "A notification that is none is 400; others change nothing",
    section: "docs/reference/integrations.md#moderation",
  },
  "moderation.notify-tenant": {
    behaviour: "A key of a tenant decides about the usernames of that tenant alone",
    section: "docs/reference/threats.md, 35",
  },
  "moderation.host": { behaviour: "A function of the host may judge usernames", section: "docs/architecture.md" },
  "integration.restart": {
    behaviour: "The object is kept over a restart, secrets opened by the same secret",
    section: "docs/architecture.md",
  },
  "broker.record": {
    behaviour: "Under npm start the record names the broker: Kafka or NATS; both or neither is 400",
    section: "docs/reference/integrations.md#broker",
  },
  "broker.guard": {
    behaviour: "Addresses of brokers that a record names pass the outbound guard",
    section: "docs/reference/integrations.md#broker",
  },
};
