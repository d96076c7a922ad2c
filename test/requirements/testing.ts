import type { RulesBySection } from "./rules.js";

/** The rules about the kit for tests, and about what it needs of the service. */
export const testingRequirements: RulesBySection = {
  "docs/operations.md#without-timers": "settle.delivers settle.housekeeping settle.outside",
  "docs/events.md#how-fast": "delivery.jitter",
  "docs/testing.md": `
    testing.fake-timers
    http.host testing.events testing.webhooks testing.clock testing.seed testing.outgoing testing.callers testing.lambdas
    testing.options testing.factories
  `,
};
