import type { Requirement } from "./requirement.js";

const publishing = "DESIGN.md, identity.events.publish";

/** The rules about events, beside those of webhooks. */
export const eventsRequirements: Readonly<Record<string, Requirement>> = {
  "event.walk": {
    behaviour: "What the service does causes each of its events exactly once, with what was and what is",
    section: "reference 6, facts.md 3.7",
  },
  "event.publish": { behaviour: "A host publishes events as the service does its own", section: publishing },
  "event.publish-transaction": { behaviour: "They may be part of the host's transaction", section: publishing },
  "event.publish-asked": {
    behaviour: "Receivers are asked first about a host's event too, where the tenant wants it",
    section: "decisions.md, Events: Other transaction types",
  },
  "event.publish-dry": { behaviour: "A dry run publishes nothing", section: "decisions.md, Dry run" },
  "event.publish-secrets": { behaviour: "No event tells a password", section: "facts.md 3.7" },
  "event.publish-refused": {
    behaviour: "Unknown types, those of another version or plan, wrong tenants and missing members are 400",
    section: "reference 6",
  },
  "event.publish-bound": { behaviour: "Whoever is bound to a tenant publishes in it", section: "5.4" },
  "event.actor": { behaviour: "An event names who caused it, and from where", section: "docs/events.md" },
  "event.exclude-actors": {
    behaviour: "A webhook is not sent what its own actors caused",
    section: "docs/events.md, Who did it",
  },
  "outbound.deadlines": {
    behaviour: "The time to connect and the time to read are both kept, each as a whole",
    section: "THREATS.md 24",
  },
  "outbound.tls": {
    behaviour: "Calls show the certificate of a key and trust what the host or the webhook names, beside the usual",
    section: "reference 6, facts.md 3.4",
  },
  "receivers.hostile": {
    behaviour: "A hostile receiver costs nothing but its own retries",
    section: "THREATS.md 24",
  },
};
