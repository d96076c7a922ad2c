import type { RulesBySection } from "./rules.js";

/** The rules of requests as clients send them, for every route and field. */
export const wireRequirements: RulesBySection = {
  "docs/reference/webhooks.md#fields": "wire.hosts",
  "docs/reference/patch.md#hostile-documents": "wire.member-names",
  "docs/reference/README.md: Body forms of DELETE": "wire.delete-body",
  "docs/reference/README.md: The text `undefined`": "wire.undefined",
  "docs/reference/README.md: Words instead of an id": "wire.words",
  "docs/reference/wire.md": "wire.client-forms",
  "docs/reference/wire.md#bodies": "wire.unreadable-body wire.aborted-body wire.integers",
  "docs/embedding.md#what-every-adapter-does":
    "doors.paths doors.targets doors.host-headers doors.router-options doors.cors doors.errors",
  "docs/reference/README.md: `eventConfiguration` of tenants": "tenant.event-settings tenant.event-disabled",
};
