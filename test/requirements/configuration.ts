import type { Requirement } from "./requirement.js";

/** Rules that hold for the families of configuration together. */
export const configurationRequirements: Readonly<Record<string, Requirement>> = {
  "schema.upgrade": {
    behaviour: "A start on the schema of any earlier version brings it up to date and keeps all that it holds",
    section: "docs/operations.md#schema",
  },
  "schema.older-release": {
    behaviour: "A release reads and writes on the schema of any later one, at the same time as a newer release does",
    section: "docs/operations.md#schema",
  },
  "schema.additive": {
    behaviour: "What comes with a later schema version is nullable, and makes nothing unique that was not",
    section: "docs/operations.md#schema",
  },
  "secrets.nowhere": {
    behaviour: "No secret stands in a log, an error, an event, the storage or an answer that does not show it by the reference",
    section: "docs/reference/threats.md",
  },
  "endpoint.statuses": {
    behaviour: "Every endpoint answers with the statuses that are named for it",
    section: "docs/reference/wire.md#resources",
  },
  "endpoint.id-names": {
    behaviour: "A malformed id is [couldNotConvert] with the name of its parameter",
    section: "docs/reference/wire.md#ids",
  },
  "reference.in-use": {
    behaviour: "What another record refers to cannot be removed: 400 [inUse]<resource>Id",
    section: "docs/reference/api-keys.md#references",
  },
  "reference.moves": {
    behaviour: "A changed holder frees what it referred to before",
    section: "docs/reference/api-keys.md#references",
  },
  "reference.by-kind": { behaviour: "Records of two kinds may have the same id", section: "docs/reference/wire.md" },
  "kickstart.realistic": {
    behaviour: "A kickstart of every family of configuration loads alike on every storage",
    section: "docs/reference/system.md#kickstart",
  },
  "version.endpoints": {
    behaviour: "An endpoint outside of the version is not there",
    section: "docs/reference/service.md#versions-and-plans",
  },
  "version.fields": {
    behaviour: "A field outside of the version is an unknown property",
    section: "docs/reference/service.md#versions-and-plans",
  },
  "version.values": {
    behaviour: "A value outside of the version is none of the allowed ones",
    section: "docs/reference/service.md#versions-and-plans",
  },
  "version.patch-documents": {
    behaviour: "JSON Patch and JSON Merge Patch exist from 1.39.0 on",
    section: "docs/reference/patch.md#media-types",
  },
  "plan.objects": {
    behaviour: "What the plan does not include is 400 [notLicensed] when it is made or changed",
    section: "docs/reference/service.md#versions-and-plans",
  },
};
