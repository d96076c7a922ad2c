import type { Requirement } from "./requirement.js";

const cascades = "decisions.md, Second stage: Cascades";

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
};
