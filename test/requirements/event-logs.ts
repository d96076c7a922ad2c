import type { Requirement } from "./requirement.js";

const system = "docs/reference/system.md";

/** The rules about the event log. */
export const eventLogRequirements: Readonly<Record<string, Requirement>> = {
  "event-log.fields": { behaviour: "An entry shows id, insertInstant, message and type", section: system },
  "event-log.ids": { behaviour: "Ids are whole numbers that grow; anything else is 404", section: system },
  "event-log.search": { behaviour: "Entries are searched by time, message and type", section: "docs/reference/search.md" },
  "event-log.order": {
    behaviour: "The newest come first; id, insertInstant, message and type can be sorted by",
    section: "docs/reference/search.md",
  },
  "event-log.event": {
    behaviour: "Each entry causes event-log.create in its transaction",
    section: "docs/reference/events.md#event-types",
  },
  "event-log.access": { behaviour: "Only a global key may read it", section: "docs/reference/api-keys.md#global-endpoints" },
  "event-log.retention": { behaviour: "Entries go after thirty days", section: "docs/lambdas-running.md" },
};
