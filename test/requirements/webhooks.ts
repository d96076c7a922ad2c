import type { RulesBySection } from "./rules.js";

/** The rules about webhooks. */
export const webhooksRequirements: RulesBySection = {
  "docs/reference/webhooks.md#fields": `
    webhook.fields webhook.empties webhook.required webhook.url webhook.url-not-unique webhook.timeouts webhook.headers
    webhook.headers-limits webhook.credentials webhook.certificate webhook.signature webhook.global webhook.tenant-removed
    webhook.applications webhook.list webhook.search webhook.search-tenant webhook.delete
  `,
  "docs/reference/errors.md#codes-by-family": "webhook.keys webhook.tenants",
  "docs/reference/events.md#event-types, docs/reference/errors.md#request-errors, docs/reference/events.md#event-types":
    "webhook.events",
  "docs/reference/service.md#versions-and-plans": "webhook.event-plans webhook.versions",
  "docs/internals/design.md#records": "webhook.secrets",
  "docs/reference/patch.md": "webhook.patch",
  "docs/reference/search.md#webhook-search": "webhook.search-order",
  "docs/reference/api-keys.md#global-endpoints": "webhook.access tenant.webhooks-bound",
  "docs/reference/webhooks.md#fields, docs/reference/tenants.md#tenants": "tenant.webhooks",
  "docs/reference/patch.md#media-types": "tenant.webhooks-patch",
};
