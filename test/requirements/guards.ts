import type { RulesBySection } from "./rules.js";

/** The rules of guards for the host's routes, and of pages of other origins. */
export const guardRequirements: RulesBySection = {
  "docs/guards.md": "guards.users guards.refusals guards.keys guards.dpop guards.fresh guards.application",
  "docs/guards.md#pages-of-other-origins": "cors.pages",
};
