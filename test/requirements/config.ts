import type { Requirement } from "./requirement.js";

const section = "docs/configuration.md";

/** The rules of configuration as a document, and of the command line. */
export const configRequirements: Readonly<Record<string, Requirement>> = {
  "config.round-trip": { behaviour: "An export holds no secret, and a plan of it finds nothing to do", section },
  "config.keys": { behaviour: "Records name each other by keys, so that a document fits every service", section },
  "config.apply": { behaviour: "Applying does what the plan says; doing it again changes nothing", section },
  "config.edit": { behaviour: "A plan names what differs, member by member, and changes nothing itself", section },
  "config.ids": {
    behaviour: "A record is found by its id, else by its key; where neither tells, the document is refused",
    section,
  },
  "config.defaults": { behaviour: "A record in a document means what a PUT with it means", section },
  "config.order": { behaviour: "Records are made behind those that they name; circles are refused", section },
  "config.prune": {
    behaviour: "Only pruning removes: families and tenants that the document speaks of, and nothing that every service has",
    section,
  },
  "config.secrets": {
    behaviour: "Secrets are named, looked up when they are needed, compared by value, and told by no plan, error or export",
    section,
  },
  "config.stale": { behaviour: "A plan is refused with 412 once what it changes is other than it was", section },
  "config.refusals": {
    behaviour: "All that is wrong with a document is told at once, by its paths, and nothing is done",
    section,
  },
  "config.inside": { behaviour: "Configuration has a transaction of its own", section },
  "config.audit": { behaviour: "Changes by a document are audited and sent as events like any other", section },
  "config.fixed": { behaviour: "What no request can change is refused, not passed over", section },
};
