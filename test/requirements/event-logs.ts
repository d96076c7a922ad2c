import type { Requirement } from "./requirement.js";

const system = "facts.md 10.12";

/** The rules about the event log. */
export const eventLogRequirements: Readonly<Record<string, Requirement>> = {
  "event-log.fields": { behaviour: "An entry shows id, insertInstant, message and type", section: system },
  "event-log.ids": { behaviour: "Ids are whole numbers that grow; anything else is 404", section: system },
  "event-log.search": { behaviour: "Entries are searched by time, message and type", section: "facts.md 12" },
  "event-log.order": {
    behaviour: "The newest come first; id, insertInstant, message and type can be sorted by",
    section: "facts.md 12",
  },
  "event-log.event": { behaviour: "Each entry causes event-log.create in its transaction", section: "facts.md 3.7" },
  "event-log.access": { behaviour: "Only a global key may read it", section: "facts.md 9.2" },
  "event-log.retention": { behaviour: "Entries go after thirty days", section: "docs/lambdas-running.md" },
};
