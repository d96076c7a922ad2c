import type { Requirement } from "./requirement.js";

const tenants = "docs/reference/tenants.md#removal-of-a-tenant";
const cascades = "docs/reference/events.md#cascades";

/** The rules of records that go with others. */
export const removalRequirements: Readonly<Record<string, Requirement>> = {
  "cascade.events": {
    behaviour: "Each record that is removed with another publishes its own event, for every table that has events",
    section: cascades,
  },
  "cascade.order": {
    behaviour: "The events of what is removed with a record come before the event of the record",
    section: cascades,
  },
  "cascade.unasked": {
    behaviour: "Receivers are asked about the event of the call alone, never about those of what goes along",
    section: cascades,
  },
  "cascade.role": {
    behaviour:
      "A removed role publishes user.registration.update and group.update for those that lose it, a renamed one the former",
    section: cascades,
  },
  "cascade.members": { behaviour: "Memberships are told as group.member.remove, 1,000 in an event at most", section: cascades },
  "cascade.whole": { behaviour: "A removal that fails on its way leaves every record, and no event", section: cascades },
  "cascade.unaudited": { behaviour: "The audit log names the removed record alone", section: "docs/audit.md" },
  "removal.events": {
    behaviour: "Each record that a removed tenant held publishes its own event, and none is left, async or not",
    section: cascades,
  },
  "removal.batches": {
    behaviour: "A tenant goes in batches of at most 1,000 records, each one transaction with its events",
    section: cascades,
  },
  "removal.resumed": {
    behaviour:
      "A removal that a crash cuts off is continued by another process once the lease is over, and tells of each record once",
    section: cascades,
  },
  "removal.killed": { behaviour: "So it is when the process is killed", section: cascades },
  "removal.one-process": {
    behaviour: "Of several processes one erases a tenant; all that were asked answer at its end",
    section: cascades,
  },
  "removal.pending": {
    behaviour: "From the first transaction on no key and no token of the tenant is accepted, and nothing in it changes",
    section: cascades,
  },
  "removal.logs": {
    behaviour: "Logs of a removed tenant stay without a tenant, and its webhooks are sent its last events",
    section: tenants,
  },
  "removal.transaction": {
    behaviour: "Inside the host's transaction a tenant is marked, and erased after the commit",
    section: "docs/tenants.md#remove-a-tenant",
  },
  "removal.config": {
    behaviour: "config.apply answers when the tenants that it prunes are erased",
    section: "docs/tenants.md#remove-a-tenant",
  },
  "removal.again": {
    behaviour:
      "A removal may be asked for again while it is under way; the audit log tells of it once, and a dry run begins none",
    section: "docs/tenants.md#remove-a-tenant",
  },
};
