import type { Requirement } from "./requirement.js";

const page = "docs/reference/connectors.md";
const guide = "docs/ldap.md";

/** The rules about connectors, and logins by them. */
export const connectorRequirements: Readonly<Record<string, Requirement>> = {
  "connector.ldap": { behaviour: "A login by LDAP binds, searches, binds as the entry and runs the lambda", section: guide },
};
