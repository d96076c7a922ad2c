import type { Requirement } from "./requirement.js";

const scim = "docs/reference/scim.md";
const protocol = "RFC 7644";

/** The rules of SCIM 2.0. */
export const scimRequirements: Readonly<Record<string, Requirement>> = {
  "scim.okta": { behaviour: "Okta's twelve specification tests pass", section: scim },
  "scim.senders": { behaviour: "What Okta and Entra send leads to the state that they mean", section: scim },
  "scim.me": { behaviour: "/Me is 501: a client is no user", section: `${protocol}, 3.11` },
  "scim.patch": {
    behaviour: "PATCH has all operations and paths; one that fails changes nothing",
    section: `${protocol}, 3.5.2`,
  },
};
