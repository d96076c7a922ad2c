import type { RulesBySection } from "./rules.js";

/** The rules of records that go with others. */
export const removalRequirements: RulesBySection = {
  "docs/reference/events.md#cascades": `
    cascade.events cascade.order cascade.unasked cascade.role cascade.members cascade.whole removal.events removal.batches
    removal.resumed removal.killed removal.one-process removal.pending
  `,
  "docs/audit.md": "cascade.unaudited",
  "docs/reference/tenants.md#removal-of-a-tenant": "removal.logs",
  "docs/tenants.md#remove-a-tenant": "removal.transaction removal.config removal.again",
};
