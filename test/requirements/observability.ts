import type { RulesBySection } from "./rules.js";

/** The rules about what a service tells of itself while it runs. */
export const observabilityRequirements: RulesBySection = {
  "docs/observability.md": `
    telemetry.requests telemetry.children telemetry.deliveries telemetry.parent telemetry.context telemetry.metrics
    request-id.given request-id.made request-id.failed request-id.doors log.pino secrets.observed
  `,
};
