import type { Requirement } from "./requirement.js";

/** Rules that hold for the families of configuration together. */
export const configurationRequirements: Readonly<Record<string, Requirement>> = {
  "schema.upgrade": {
    behaviour: "A start on the schema of any earlier version brings it up to date and keeps all that it holds",
    section: "docs/operations.md, Schema",
  },
  "schema.older-release": {
    behaviour: "A release reads and writes on the schema of any later one, at the same time as a newer release does",
    section: "docs/operations.md, Schema",
  },
  "schema.additive": {
    behaviour: "What comes with a later schema version is nullable, and makes nothing unique that was not",
    section: "docs/operations.md, Schema",
  },
  "secrets.nowhere": {
    behaviour: "No secret stands in a log, an error, an event, the storage or an answer that does not show it by the reference",
    section: "THREATS.md",
  },
  "endpoint.statuses": {
    behaviour: "Every endpoint answers with the statuses that are named for it",
    section: "4.2 to 4.7, facts.md 6 to 10",
  },
  "endpoint.id-names": { behaviour: "A malformed id is [couldNotConvert] with the name of its parameter", section: "4" },
  "reference.in-use": {
    behaviour: "What another record refers to cannot be removed: 400 [inUse]<resource>Id",
    section: "decisions.md, Events, lambdas, forms, integrations: Deleting what is used",
  },
  "reference.moves": { behaviour: "A changed holder frees what it referred to before", section: "docs/behaviour.md" },
  "reference.by-kind": { behaviour: "Records of two kinds may have the same id", section: "facts.md 14" },
  "kickstart.realistic": {
    behaviour: "A kickstart of every family of configuration loads alike on every storage",
    section: "facts.md 13",
  },
  "version.endpoints": { behaviour: "An endpoint outside of the version is not there", section: "9" },
  "version.fields": { behaviour: "A field outside of the version is an unknown property", section: "9" },
  "version.values": { behaviour: "A value outside of the version is none of the allowed ones", section: "9" },
  "version.patch-documents": { behaviour: "JSON Patch and JSON Merge Patch exist from 1.39.0 on", section: "facts.md 1.4" },
  "plan.objects": {
    behaviour: "What the plan does not include is 400 [notLicensed] when it is made or changed",
    section: "facts.md 15",
  },
};
