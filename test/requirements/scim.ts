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
  "scim.access": {
    behaviour: "Clients need the permission of a route on an entity of the server type; others are 401 or 403",
    section: scim,
  },
  "scim.keys": { behaviour: "API keys need the grant of a route, and are bound to their tenant", section: scim },
  "scim.unserved": { behaviour: "A version or plan without SCIM has no such path", section: scim },
  "scim.tenants": { behaviour: "Nothing of another tenant is seen, found, changed or made a member", section: scim },
  "scim.writes": {
    behaviour: "Every write is the operation of the API: the same rules, events, audit entries and mails",
    section: scim,
  },
  "scim.actor": { behaviour: "Events and audit entries name the client entity or the key", section: scim },
  "scim.deactivate": { behaviour: "Deactivation ends sessions in its transaction", section: scim },
  "scim.concurrent": { behaviour: "Changes of different attributes or members at the same time all survive", section: scim },
  "scim.large-groups": { behaviour: "A change of one member of a large group reads and writes no others", section: scim },
  "scim.converters": { behaviour: "The four converter lambdas run at their places", section: scim },
  "scim.converters-checked": {
    behaviour: "What a converter leaves is checked as a request is; one that fails refuses the request, and nothing is written",
    section: scim,
  },
  "scim.create": { behaviour: "POST answers 201, Location and the version; a taken name is 409", section: `${protocol}, 3.3` },
  "scim.replace": { behaviour: "PUT removes what it leaves out, and ignores what is read-only", section: `${protocol}, 3.5.1` },
  "scim.versions": { behaviour: "If-Match and If-None-Match compare versions", section: `${protocol}, 3.14` },
  "scim.attributes": { behaviour: "attributes and excludedAttributes choose what an answer shows", section: `${protocol}, 3.9` },
  "scim.methods": {
    behaviour: "Other methods are 405, unknown paths 404, with the body of a SCIM error",
    section: `${protocol}, 3.12`,
  },
  "scim.types": { behaviour: "Bodies are application/scim+json or application/json", section: `${protocol}, 3.1` },
  "scim.lists": { behaviour: "Lists are filtered, sorted and paged, by GET and by .search", section: `${protocol}, 3.4.2` },
  "scim.bulk": { behaviour: "Bulk operations are requests of their own, ordered by their bulkIds", section: `${protocol}, 3.7` },
  "scim.discovery": { behaviour: "The service describes its features, resource types and schemas", section: `${protocol}, 4` },
  "scim.hostile": { behaviour: "Hostile requests are refused or bounded: never a 500, and no secret in a log", section: scim },
  "scim.too-many": {
    behaviour: "Answers above 64 MiB, and filters without an index over 10,000 resources, are 400 tooMany",
    section: scim,
  },
  "scim.custom-schemas": {
    behaviour: "Schemas of a tenant are stored, shown, filtered, patched and described; broken ones are left out and named",
    section: scim,
  },
  "scim.properties": {
    behaviour: "Random resources, PATCHes and filters come to what a slow model says, on each storage",
    section: scim,
  },
};
