import type { Requirement } from "./requirement.js";

const section = "docs/observability.md";

/** The rules about what a service tells of itself while it runs. */
export const observabilityRequirements: Readonly<Record<string, Requirement>> = {
  "telemetry.requests": { behaviour: "A request is a span of its route, its status and its error's code", section },
  "telemetry.children": { behaviour: "Transactions and runs of lambdas are spans of the request that caused them", section },
  "telemetry.deliveries": { behaviour: "Each attempt at a delivery is a span with its outcome", section },
  "telemetry.parent": { behaviour: "A span continues the trace of the caller, or what the host has begun", section },
  "telemetry.context": { behaviour: "Functions of the host are called within the span that is under way", section },
  "telemetry.metrics": { behaviour: "Requests, runs, deliveries and the outbox are measured", section },
  "request-id.given": { behaviour: "An id that the caller gives is repeated, where it can be", section },
  "request-id.made": { behaviour: "Where the host wants it every request has an id", section },
  "request-id.failed": { behaviour: "An answer of 500 and more has an id that the log names", section },
  "log.pino": { behaviour: "A logger of pino and its children are loggers of the service", section },
  "secrets.observed": { behaviour: "No secret is in any line of a log or any span", section },
};
