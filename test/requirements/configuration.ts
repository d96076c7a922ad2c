import type { RulesBySection } from "./rules.js";

/** Rules that hold for the families of configuration together. */
export const configurationRequirements: RulesBySection = {
  "docs/operations.md#schema": "schema.upgrade schema.older-release schema.additive",
  "docs/reference/threats.md": "secrets.nowhere",
  "docs/reference/wire.md#resources": "endpoint.statuses",
  "docs/reference/wire.md#ids": "endpoint.id-names wire.keys",
  "docs/reference/api-keys.md#references": "reference.in-use reference.moves",
  "docs/reference/wire.md": "reference.by-kind",
  "docs/reference/system.md#kickstart": "kickstart.realistic",
  "docs/reference/service.md#versions-and-plans": "version.endpoints version.fields version.values plan.objects",
  "docs/reference/patch.md#media-types": "version.patch-documents",
};
