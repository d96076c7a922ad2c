import type { RulesBySection } from "./rules.js";

/** The rules about the event log. */
export const eventLogRequirements: RulesBySection = {
  "docs/reference/system.md": "event-log.fields event-log.ids",
  "docs/reference/search.md": "event-log.search event-log.order",
  "docs/reference/events.md#event-types": "event-log.event",
  "docs/reference/api-keys.md#global-endpoints": "event-log.access",
  "docs/lambdas-running.md": "event-log.retention",
};
