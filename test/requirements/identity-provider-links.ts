import type { Requirement } from "./requirement.js";

const section = "docs/reference/users.md#links";

/** The rules of links to accounts at identity providers. */
export const linkRequirements: Readonly<Record<string, Requirement>> = {
  "link.create": { behaviour: "POST links a user to an account; GET finds links by user and by account", section },
  "link.conflict": { behaviour: "An account that is linked is 409", section },
  "link.search": { behaviour: "A search counts and lists the links of a provider, within the tenant of the caller", section },
  "link.remove": { behaviour: "DELETE removes a link, and so does the removal of its user, each with an event", section },
  "link.pending": { behaviour: "A link that waits works once, within an hour, for a user of its tenant", section },
  "link.versions": { behaviour: "Before 1.43.0 the body has no wrapper", section },
};
