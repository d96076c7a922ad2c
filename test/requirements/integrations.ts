import type { Requirement } from "./requirement.js";

const decided = "decisions.md, Events, lambdas, forms, integrations: Integrations";

/** The rules of the integrations object. */
export const integrationRequirements: Readonly<Record<string, Requirement>> = {
  "integration.defaults": {
    behaviour: "Before any PUT, GET answers that nothing is enabled; there is never a 404",
    section: "facts.md 8",
  },
  "integration.no-base": { behaviour: "The object has no id and no instants", section: "facts.md 8" },
  "integration.update": { behaviour: "PUT replaces the whole object: what it leaves out is not enabled", section: "4.7" },
  "integration.missing": { behaviour: "A body without the object is 400 [missing]integrations", section: "facts.md 14" },
  "integration.wrapper": { behaviour: "The key is integrations; integration is accepted on input", section: decided },
  "integration.moderation-required": {
    behaviour: "When enabled, moderation needs a url and usernames an applicationId",
    section: "2.7, facts.md 2.5",
  },
  "integration.broker-required": {
    behaviour: "When enabled, the broker needs a topic and settings of its producer",
    section: "2.7, facts.md 2.5",
  },
  "integration.producer": {
    behaviour: "Producer settings are texts of an allow list without classes, files and commands",
    section: "THREATS.md 44, facts.md 2.5",
  },
  "integration.topic": { behaviour: "A topic is a name that brokers know", section: "THREATS.md 44" },
  "integration.sms-required": {
    behaviour: "When enabled, sms needs accountSID, authToken and a number or a messaging service",
    section: "2.7",
  },
  "integration.sms-version": { behaviour: "sms exists before 1.26.0 only", section: "9" },
  "integration.sms-url": { behaviour: "The url of sms is by default that of its service", section: "facts.md 8" },
  "integration.urls": { behaviour: "URLs are http or https without user info, else [invalid]", section: "2.7, THREATS.md 22" },
  "integration.secrets": {
    behaviour: "moderation.apiKey, sms.authToken and the producer's settings are sealed at rest and shown to the global key",
    section: "facts.md 8, DESIGN.md",
  },
  "integration.names": {
    behaviour: "The option names renames moderation, broker and sms on input, output and in error paths",
    section: "DESIGN.md, Names are data",
  },
  "integration.patch": { behaviour: "PATCH patches the wrapper in all three flavours", section: "4.7, facts.md 1.2" },
  "integration.patch-replaces": {
    behaviour: "moderation.applicationIds is replaced by an append patch, not appended to",
    section: "facts.md 1.3",
  },
  "integration.patch-together": {
    behaviour: "Patches of different members made at once all survive",
    section: "decisions.md, PATCH",
  },
  "integration.etag": {
    behaviour: "GET, PUT and PATCH carry a strong ETag; a stale If-Match is 412",
    section: "decisions.md, PATCH",
  },
  "integration.dry-run": { behaviour: "A dry run answers what would be kept and keeps nothing", section: "decisions.md, PATCH" },
  "integration.global": {
    behaviour: "Keys of a tenant and tenant headers are 401; other methods are 405",
    section: "decisions.md, Tenants, keys, authentication: Tenant-scoped key on a global-only endpoint",
  },
  "integration.hostile": { behaviour: "No body makes a 500 or half a change", section: "decisions.md, Wire: 500" },
  "integration.in-process": { behaviour: "Every operation can be called in process", section: "DESIGN.md" },
  "broker.message": {
    behaviour: "The broker gets {event:{…}} on the default topic, by the key of its object or tenant",
    section: "facts.md 3.7, broker form; 8",
  },
  "broker.log": { behaviour: "Attempts at the broker are logged without url and webhookId", section: "facts.md 3.6" },
  "broker.retry": {
    behaviour: "What the broker does not take is tried again, with the same id",
    section: decided.replace("Integrations", "Outbox"),
  },
  "broker.events": {
    behaviour: "The broker gets all enabled events of all tenants and those of the instance",
    section: "facts.md 3.2 and 8",
  },
  "broker.asked": { behaviour: "The broker has no say in transactional events", section: "facts.md 3.3" },
  "broker.settings": { behaviour: "Changed settings of the broker are followed at once", section: "facts.md 8" },
  "moderation.call": {
    behaviour: "A new username is sent to the moderation: POST, and PUT for a later one, with the key as it is",
    section: "facts.md 8.1",
  },
  "moderation.actions": {
    behaviour: "allow keeps a username, replace replaces it, queue keeps it as PENDING, reject is 400 [moderationRejected]",
    section: "facts.md 8.1",
  },
  "moderation.when": {
    behaviour: "Usernames are sent when both switches are on and the name changed, never from inside a transaction or a dry run",
    section: "facts.md 8.1",
  },
  "moderation.unanswered": {
    behaviour: "A moderation that does not answer as it should delays nobody for long: the username is PENDING",
    section: "facts.md 8.1",
  },
  "moderation.registrations": { behaviour: "Usernames of registrations are judged alike", section: "facts.md 8.1" },
  "moderation.guarded": {
    behaviour: "The moderation is not called at private addresses unless the host allows it",
    section: "THREATS.md 22",
  },
  "moderation.notify": {
    behaviour: "What the moderation decides later makes a username ACTIVE or REJECTED, and an event tells of it",
    section: "facts.md 8.1",
  },
  "moderation.notify-body": { behaviour: "A notification that is none is 400; others change nothing", section: "facts.md 8.1" },
  "moderation.notify-tenant": {
    behaviour: "A key of a tenant decides about the usernames of that tenant alone",
    section: "THREATS.md 35",
  },
  "moderation.host": { behaviour: "A function of the host may judge usernames", section: "DESIGN.md" },
  "integration.restart": {
    behaviour: "The object is kept over a restart, secrets opened by the same secret",
    section: "DESIGN.md",
  },
  "broker.record": {
    behaviour: "Under npm start the record names the broker: Kafka or NATS; both or neither is 400",
    section: "decisions.md, Second stage: Broker from its record",
  },
  "broker.guard": {
    behaviour: "Addresses of brokers that a record names pass the outbound guard",
    section: "decisions.md, Second stage: Broker from its record",
  },
};
