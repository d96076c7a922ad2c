import type { Requirement } from "./requirement.js";

const section = "docs/guards.md";

/** The rules of guards for the host's routes, and of pages of other origins. */
export const guardRequirements: Readonly<Record<string, Requirement>> = {
  "guards.users": { behaviour: "Users with a token pass, by header and by cookie", section },
  "guards.refusals": { behaviour: "Others are 401 or 403, by the convention of the framework", section },
  "guards.keys": { behaviour: "Holders of a key pass where keys are asked for", section },
  "guards.dpop": { behaviour: "A bound token needs a proof for the URL of the route", section },
  "guards.fresh": { behaviour: "fresh reads user, registration, roles and session", section },
  "guards.application": { behaviour: "A token is for one application", section },
  "cors.pages": { behaviour: "Pages of named origins may call the service", section: `${section}#pages-of-other-origins` },
};
