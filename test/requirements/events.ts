import type { RulesBySection } from "./rules.js";

/** The rules about events, beside those of webhooks. */
export const eventsRequirements: RulesBySection = {
  "docs/reference/events.md#event-types": "event.walk event.publish-secrets event.publish-refused",
  "docs/reference/events.md#publishing": "event.publish event.publish-transaction",
  "docs/reference/webhooks.md#transactional-events": `
    event.publish-asked delivery.asked delivery.asked-types delivery.asked-refused delivery.asked-retried
  `,
  "docs/reference/wire.md#dry-run": "event.publish-dry",
  "docs/reference/authentication.md#tenant-header": "event.publish-bound",
  "docs/events.md": "event.actor delivery.lease delivery.waits delivery.asked-host",
  "docs/events.md#find-the-actor": "event.exclude-actors",
  "docs/reference/events.md#receivers-of-an-event": `
    delivery.removal delivery.removed-receiver delivery.later-receiver delivery.matching delivery.tenants
  `,
  "docs/events.md, Who gets an event": "delivery.same-id",
  "docs/reference/tenants.md#removal-of-a-tenant": "delivery.removal-log delivery.bad-record",
  "docs/events.md, Records that cannot be delivered": "delivery.set-aside-retried",
  "docs/reference/webhooks.md#request-to-the-receiver": "delivery.sent",
  "docs/reference/events.md#outbox": "delivery.outbox",
  "docs/internals/delivery.md, Ends": "delivery.stored",
  "docs/reference/events.md#order": `
    delivery.sequence delivery.order delivery.order-none delivery.order-retried delivery.order-receivers
  `,
  "docs/internals/delivery.md#lease": "delivery.batches delivery.large delivery.yields",
  "docs/reference/threats.md, 24": "delivery.receiver-queues outbound.deadlines receivers.hostile",
  "docs/reference/events.md#event-log": `
    delivery.state delivery-log.fields delivery-log.attempts delivery-log.search delivery-log.retention
  `,
  "docs/reference/webhooks.md#retries": "delivery.retried delivery.backoff delivery.given-up",
  "docs/reference/README.md": "delivery.asked-veto",
  "docs/reference/webhooks.md#signature": "signature.jws signature.standard",
  "docs/events.md#receive": "signature.verified",
  "docs/reference/api-keys.md#global-endpoints": "delivery-log.tenant",
  "docs/events.md#repair": "delivery-log.resend delivery-log.replay delivery-log.test",
  "docs/reference/events.md#event-types, docs/reference/webhooks.md#signature": "outbound.tls",
};
