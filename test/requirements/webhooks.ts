import type { Requirement } from "./requirement.js";

const fields = "docs/reference/webhooks.md#fields";

/** The rules about webhooks. */
export const webhooksRequirements: Readonly<Record<string, Requirement>> = {
  "webhook.fields": {
    behaviour: "A webhook shows exactly the fields of the reference, with their defaults",
    section: "docs/reference/webhooks.md#fields",
  },
  "webhook.empties": {
    behaviour: "data, headers and eventsEnabled are shown as {} and tenantIds as [] when they are empty",
    section: "docs/reference/webhooks.md#fields",
  },
  "webhook.required": {
    behaviour: "url, connectTimeout and readTimeout are required",
    section: "docs/reference/webhooks.md#fields",
  },
  "webhook.url": { behaviour: "A URL is one of HTTP or HTTPS without user info, else [invalid]webhook.url", section: fields },
  "webhook.url-not-unique": {
    behaviour: "Two webhooks may have one URL, of any reasonable length",
    section: "docs/reference/webhooks.md#fields",
  },
  "webhook.timeouts": { behaviour: "Timeouts are whole milliseconds from 1 to 600,000", section: fields },
  "webhook.headers": {
    behaviour: "Header names are tokens that neither the transfer nor the signature needs; values visible ASCII, trimmed",
    section: fields,
  },
  "webhook.headers-limits": { behaviour: "There are at most 100 headers of together 8 kB", section: fields },
  "webhook.credentials": {
    behaviour: "User name and password are trimmed, blank ones stay empty, and both are such that HTTP basic can carry them",
    section: "docs/reference/webhooks.md#fields",
  },
  "webhook.certificate": {
    behaviour: "sslCertificate is X.509 in PEM and nothing else, trimmed, and not given beside sslCertificateKeyId",
    section: "docs/reference/webhooks.md#fields",
  },
  "webhook.signature": {
    behaviour: "Signing needs a signingKeyId; PUT without a signature configuration disables signing",
    section: "docs/reference/webhooks.md#fields",
  },
  "webhook.keys": {
    behaviour: "A key that is not there is [invalid] on its path",
    section: "docs/reference/errors.md#codes-by-family",
  },
  "webhook.events": {
    behaviour: "eventsEnabled takes every event of the version; another name is [invalidJSON]webhook.eventsEnabled",
    section:
      "docs/reference/events.md#event-types, docs/reference/errors.md#request-errors, docs/reference/events.md#event-types",
  },
  "webhook.event-plans": {
    behaviour: "A webhook may name events that the plan does not send",
    section: "docs/reference/service.md#versions-and-plans",
  },
  "webhook.global": { behaviour: "A global webhook lists no tenants", section: "docs/reference/webhooks.md#fields" },
  "webhook.tenants": {
    behaviour: "tenantIds exist and keep one of each, in their order",
    section: "docs/reference/errors.md#codes-by-family",
  },
  "webhook.tenant-removed": {
    behaviour: "A tenant that goes is taken out of the webhooks that name it",
    section: "docs/reference/webhooks.md#fields",
  },
  "webhook.applications": {
    behaviour: "Before 1.37.0 applicationIds stand in place of tenantIds, and go with their applications",
    section: "docs/reference/webhooks.md#fields",
  },
  "webhook.secrets": {
    behaviour: "Password and headers are sealed at rest and shown to the global key",
    section: "docs/internals/design.md#records",
  },
  "webhook.patch": { behaviour: "PATCH merges maps and keeps one of each tenant", section: "docs/reference/patch.md" },
  "webhook.list": { behaviour: "All webhooks are listed, the newest first", section: "docs/reference/webhooks.md#fields" },
  "webhook.search": {
    behaviour: "Webhooks are searched by description and url with wildcards",
    section: "docs/reference/webhooks.md#fields",
  },
  "webhook.search-tenant": {
    behaviour: "tenantId finds the webhooks of the tenant and the global ones",
    section: "docs/reference/webhooks.md#fields",
  },
  "webhook.search-order": {
    behaviour: "The newest come first; id, insertInstant, description and url can be sorted by",
    section: "docs/reference/search.md#webhook-search",
  },
  "webhook.delete": { behaviour: "A removed webhook leaves nothing behind", section: "docs/reference/webhooks.md#fields" },
  "webhook.access": {
    behaviour: "Only a global key may call the webhook endpoints",
    section: "docs/reference/api-keys.md#global-endpoints",
  },
  "webhook.versions": {
    behaviour: "Fields and search exist in their versions only",
    section: "docs/reference/service.md#versions-and-plans",
  },
  "tenant.webhooks": {
    behaviour: "webhookIds on POST and PUT of a tenant say which webhooks apply to it beside the global ones",
    section: "docs/reference/webhooks.md#fields, docs/reference/tenants.md#tenants",
  },
  "tenant.webhooks-patch": {
    behaviour: "PATCH of a tenant keeps its webhooks, or changes them",
    section: "docs/reference/patch.md#media-types",
  },
  "tenant.webhooks-bound": {
    behaviour: "A caller that is bound to a tenant sees no webhooks and changes none",
    section: "docs/reference/api-keys.md#global-endpoints",
  },
};
