import type { Requirement } from "./requirement.js";

const publishing = "docs/reference/events.md#publishing";
const asking = "docs/reference/webhooks.md#transactional-events";
const log = "docs/reference/events.md#event-log";
const order = "docs/reference/events.md#order";

/** The rules about events, beside those of webhooks. */
export const eventsRequirements: Readonly<Record<string, Requirement>> = {
  "event.walk": {
    behaviour: "What the service does causes each of its events exactly once, with what was and what is",
    section: "docs/reference/events.md#event-types",
  },
  "event.publish": { behaviour: "A host publishes events as the service does its own", section: publishing },
  "event.publish-transaction": { behaviour: "They may be part of the host's transaction", section: publishing },
  "event.publish-asked": {
    behaviour: "Receivers are asked first about a host's event too, where the tenant wants it",
    section: asking,
  },
  "event.publish-dry": { behaviour: "A dry run publishes nothing", section: "docs/reference/wire.md#dry-run" },
  "event.publish-secrets": { behaviour: "No event tells a password", section: "docs/reference/events.md#event-types" },
  "event.publish-refused": {
    behaviour: "Unknown types, those of another version or plan, wrong tenants and missing members are 400",
    section: "docs/reference/events.md#event-types",
  },
  "event.publish-bound": {
    behaviour: "Whoever is bound to a tenant publishes in it",
    section: "docs/reference/authentication.md#tenant-header",
  },
  "event.actor": { behaviour: "An event names who caused it, and from where", section: "docs/events.md" },
  "event.exclude-actors": {
    behaviour: "A webhook is not sent what its own actors caused",
    section: "docs/events.md#find-the-actor",
  },
  "delivery.removal": {
    behaviour: "An event goes to those who wanted it when it was recorded, whatever is removed or changed since",
    section: "docs/reference/events.md#receivers-of-an-event",
  },
  "delivery.removed-receiver": {
    behaviour: "What waits for a webhook or a broker that was removed or disabled has failed there, as receiverRemoved",
    section: "docs/reference/events.md#receivers-of-an-event",
  },
  "delivery.later-receiver": {
    behaviour: "A webhook that was made later gets an event only when it is named",
    section: "docs/reference/events.md#receivers-of-an-event",
  },
  "delivery.same-id": {
    behaviour: "A webhook that is made under the id of a removed one is the same receiver, at its own URL",
    section: "docs/events.md, Who gets an event",
  },
  "delivery.removal-log": {
    behaviour: "Logs of a tenant that is gone stay without a tenant",
    section: "docs/reference/tenants.md#removal-of-a-tenant",
  },
  "delivery.bad-record": {
    behaviour: "A record that cannot be delivered is set aside, logged and counted, and stops no other",
    section: "docs/reference/tenants.md#removal-of-a-tenant",
  },
  "delivery.set-aside-retried": {
    behaviour: "Events that were set aside go back into the outbox when the host says so",
    section: "docs/events.md, Records that cannot be delivered",
  },
  "delivery.sent": {
    behaviour: "An event is a POST of JSON with the webhook's headers, each event with an id of its own",
    section: "docs/reference/webhooks.md#request-to-the-receiver",
  },
  "delivery.matching": {
    behaviour: "An event goes to the webhooks that want it, unless the tenant turned it off",
    section: "docs/reference/events.md#receivers-of-an-event",
  },
  "delivery.tenants": {
    behaviour: "No event of one tenant reaches a webhook of another",
    section: "docs/reference/events.md#receivers-of-an-event",
  },
  "delivery.outbox": {
    behaviour: "An event is kept with its change, and leaves the outbox for the log",
    section: "docs/reference/events.md#outbox",
  },
  "delivery.lease": {
    behaviour: "What one process delivers no other delivers for thirty seconds, and one that comes too late keeps nothing",
    section: "docs/events.md",
  },
  "delivery.stored": {
    behaviour: "An answer of a receiver is stored at once, whatever other events wait for",
    section: "docs/internals/delivery.md, Ends",
  },
  "delivery.sequence": {
    behaviour: "The sequence of an event is greater than that of every event that was recorded before",
    section: "docs/reference/events.md#order",
  },
  "delivery.waits": { behaviour: "Events wait until somebody delivers", section: "docs/events.md" },
  "delivery.batches": {
    behaviour: "An event leaves at once after a rest, and together with others where many come",
    section: "docs/internals/delivery.md#lease",
  },
  "delivery.large": {
    behaviour: "Events are taken until they have 2 MiB together, so that many large ones keep nobody waiting",
    section: "docs/internals/delivery.md#lease",
  },
  "delivery.yields": {
    behaviour: "While others write as much as there is room for, fewer events leave",
    section: "docs/internals/delivery.md#lease",
  },
  "delivery.receiver-queues": {
    behaviour: "Each receiver has a queue of its own: a slow one gets fewer calls and delays no other",
    section: "docs/reference/threats.md, 24",
  },
  "delivery.state": {
    behaviour: "A delivery is over once each of its receivers has the event or was given up",
    section: log,
  },
  "delivery.retried": {
    behaviour: "A receiver that refuses is tried again, with the same id",
    section: "docs/reference/webhooks.md#retries",
  },
  "delivery.backoff": {
    behaviour: "Pauses between attempts grow, and are longer by chance",
    section: "docs/reference/webhooks.md#retries",
  },
  "delivery.given-up": {
    behaviour: "Ten attempts over about 75 hours, then the delivery failed",
    section: "docs/reference/webhooks.md#retries",
  },
  "delivery.order": {
    behaviour: "Where the host wants it, a receiver gets the events of one subject one after the other, as they were recorded",
    section: order,
  },
  "delivery.order-none": { behaviour: "Otherwise nobody waits for an earlier event", section: order },
  "delivery.order-retried": {
    behaviour: "An event waits until the one before it was delivered or given up, whatever process comes or goes",
    section: order,
  },
  "delivery.order-receivers": { behaviour: "No receiver waits for the events of another", section: order },
  "delivery.asked": { behaviour: "Receivers are asked before the commit, about what will be kept", section: asking },
  "delivery.asked-types": {
    behaviour: "Any, a simple, super or absolute majority of the receivers must agree",
    section: "docs/reference/webhooks.md#transactional-events",
  },
  "delivery.asked-refused": {
    behaviour: "Where too few agree, 504 and nothing is stored",
    section: "docs/reference/webhooks.md#transactional-events",
  },
  "delivery.asked-veto": {
    behaviour: "The errors that receivers answer reach the caller with the 504: texts only, 100 at most",
    section: "docs/reference/README.md",
  },
  "delivery.asked-host": {
    behaviour: "Nobody is asked inside of the host's transaction",
    section: "docs/events.md",
  },
  "delivery.asked-retried": {
    behaviour: "Who refused although enough agreed is tried three more times without a pause",
    section: "docs/reference/webhooks.md#transactional-events",
  },
  "signature.jws": {
    behaviour: "Each algorithm signs the digest of the body as a compact JWS",
    section: "docs/reference/webhooks.md#signature",
  },
  "signature.standard": {
    behaviour: "The headers of Standard Webhooks come with keys of HMAC and Ed25519, and with no others",
    section: "docs/reference/webhooks.md#signature",
  },
  "signature.verified": {
    behaviour: "verifyWebhook finds the event of a request that is signed, recent and unchanged, and refuses any other",
    section: "docs/events.md#receive",
  },
  "delivery-log.fields": { behaviour: "A log shows the event, its result and its attempts, by its id", section: log },
  "delivery-log.attempts": { behaviour: "An attempt is shown by its id and tells why it failed", section: log },
  "delivery-log.tenant": {
    behaviour: "A tenant's key sees the logs of its tenant only",
    section: "docs/reference/api-keys.md#global-endpoints",
  },
  "delivery-log.search": { behaviour: "Logs are searched by type, result, text and time", section: log },
  "delivery-log.resend": { behaviour: "An event is sent once more, with the same id", section: "docs/events.md#repair" },
  "delivery-log.replay": {
    behaviour: "A range is counted by a dry run, and sent once more; it needs a beginning",
    section: "docs/events.md#repair",
  },
  "delivery-log.test": {
    behaviour: "A webhook is tested at once, which is not logged",
    section: "docs/events.md#repair",
  },
  "delivery-log.retention": { behaviour: "Logs and attempts go after thirty days", section: log },
  "outbound.deadlines": {
    behaviour: "The time to connect and the time to read are both kept, each as a whole",
    section: "docs/reference/threats.md, 24",
  },
  "outbound.tls": {
    behaviour: "Calls show the certificate of a key and trust what the host or the webhook names, beside the usual",
    section: "docs/reference/events.md#event-types, docs/reference/webhooks.md#signature",
  },
  "receivers.hostile": {
    behaviour: "A hostile receiver costs nothing but its own retries",
    section: "docs/reference/threats.md, 24",
  },
};
