import type { RulesBySection } from "./rules.js";

/** The rules of the integrations object. */
export const integrationRequirements: RulesBySection = {
  "docs/reference/integrations.md#object": `
    integration.defaults integration.no-base integration.update integration.wrapper integration.sms-required integration.sms-url
    integration.names broker.retry broker.settings
  `,
  "docs/reference/wire.md": "integration.missing",
  "docs/reference/integrations.md#object, docs/reference/errors.md#codes-by-family":
    "integration.moderation-required integration.broker-required",
  "docs/reference/threats.md, 44, docs/reference/errors.md#codes-by-family": "integration.producer",
  "docs/reference/threats.md, 44": "integration.topic",
  "docs/reference/service.md#versions-and-plans": "integration.sms-version",
  "docs/reference/integrations.md#object, docs/reference/threats.md, 22": "integration.urls",
  "docs/reference/integrations.md#object, docs/architecture.md": "integration.secrets",
  "docs/reference/integrations.md#object, docs/reference/patch.md#document": "integration.patch",
  "docs/reference/patch.md#merging-with-applicationjson": "integration.patch-replaces",
  "docs/reference/patch.md": "integration.patch-together integration.etag integration.dry-run",
  "docs/reference/api-keys.md#global-endpoints": "integration.global",
  "docs/reference/errors.md#statuses": "integration.hostile",
  "docs/architecture.md": "integration.in-process moderation.host integration.restart",
  "docs/reference/events.md#event-types, broker form; 8": "broker.message",
  "docs/reference/events.md#event-log": "broker.log",
  "docs/reference/events.md#receivers-of-an-event, docs/reference/integrations.md#object": "broker.events",
  "docs/reference/webhooks.md#transactional-events": "broker.asked",
  "docs/reference/integrations.md#moderation": `
    moderation.call moderation.actions moderation.when moderation.unanswered moderation.registrations moderation.notify
    moderation.notify-body
  `,
  "docs/reference/threats.md, 22": "moderation.guarded",
  "docs/reference/threats.md, 35": "moderation.notify-tenant",
  "docs/reference/integrations.md#broker": "broker.record broker.guard",
};
