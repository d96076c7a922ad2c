import type { RulesBySection } from "./rules.js";

/** The rules of links to accounts at identity providers. */
export const linkRequirements: RulesBySection = {
  "docs/reference/users.md#links": "link.create link.conflict link.search link.remove link.pending link.versions",
};
