import type { Requirement } from "./requirement.js";

const fields = "decisions.md, Events: Webhook fields";

/** The rules about webhooks. */
export const webhooksRequirements: Readonly<Record<string, Requirement>> = {
  "webhook.fields": {
    behaviour: "A webhook shows exactly the fields of the reference, with their defaults",
    section: "reference 2.4",
  },
  "webhook.empties": {
    behaviour: "data, headers and eventsEnabled are shown as {} and tenantIds as [] when they are empty",
    section: "facts.md 3.5",
  },
  "webhook.required": { behaviour: "url, connectTimeout and readTimeout are required", section: "reference 2.4" },
  "webhook.url": { behaviour: "A URL is one of HTTP or HTTPS without user info, else [invalid]webhook.url", section: fields },
  "webhook.url-not-unique": { behaviour: "Two webhooks may have one URL, of any reasonable length", section: "facts.md 3.5" },
  "webhook.timeouts": { behaviour: "Timeouts are whole milliseconds from 1 to 600,000", section: fields },
  "webhook.headers": {
    behaviour: "Header names are tokens that neither the transfer nor the signature needs; values visible ASCII, trimmed",
    section: fields,
  },
  "webhook.headers-limits": { behaviour: "There are at most 100 headers of together 8 kB", section: fields },
  "webhook.credentials": {
    behaviour: "User name and password are trimmed, blank ones stay empty, and both are such that HTTP basic can carry them",
    section: "facts.md 3.5",
  },
  "webhook.certificate": {
    behaviour: "sslCertificate is X.509 in PEM and nothing else, trimmed, and not given beside sslCertificateKeyId",
    section: "reference 2.4",
  },
  "webhook.signature": {
    behaviour: "Signing needs a signingKeyId; PUT without a signature configuration disables signing",
    section: "reference 2.4, facts.md 3.5",
  },
  "webhook.keys": { behaviour: "A key that is not there is [invalid] on its path", section: "facts.md 2.5" },
  "webhook.events": {
    behaviour: "eventsEnabled takes every event of the version; another name is [invalidJSON]webhook.eventsEnabled",
    section: "reference 6, facts.md 2.4 and 3.7",
  },
  "webhook.event-plans": {
    behaviour: "A webhook may name events that the plan does not send",
    section: "facts.md 15",
  },
  "webhook.global": { behaviour: "A global webhook lists no tenants", section: "facts.md 3.5" },
  "webhook.tenants": { behaviour: "tenantIds exist and keep one of each, in their order", section: "facts.md 2.5" },
  "webhook.tenant-removed": {
    behaviour: "A tenant that goes is taken out of the webhooks that name it",
    section: "facts.md 3.5",
  },
  "webhook.applications": {
    behaviour: "Before 1.37.0 applicationIds stand in place of tenantIds, and go with their applications",
    section: "reference 2.4",
  },
  "webhook.secrets": {
    behaviour: "Password and headers are sealed at rest and shown to the global key",
    section: "DESIGN.md, Secrets are sealed",
  },
  "webhook.patch": { behaviour: "PATCH merges maps and keeps one of each tenant", section: "decisions.md, PATCH" },
  "webhook.list": { behaviour: "All webhooks are listed, the newest first", section: "reference 4.4, facts.md 3.5" },
  "webhook.search": { behaviour: "Webhooks are searched by description and url with wildcards", section: "reference 4.4" },
  "webhook.search-tenant": {
    behaviour: "tenantId finds the webhooks of the tenant and the global ones",
    section: "reference 4.4",
  },
  "webhook.search-order": {
    behaviour: "The newest come first; id, insertInstant, description and url can be sorted by",
    section: "decisions.md, Search: Webhooks",
  },
  "webhook.delete": { behaviour: "A removed webhook leaves nothing behind", section: "reference 4.4" },
  "webhook.access": { behaviour: "Only a global key may call the webhook endpoints", section: "facts.md 9.2" },
  "webhook.versions": { behaviour: "Fields and search exist in their versions only", section: "reference 9" },
  "tenant.webhooks": {
    behaviour: "webhookIds on POST and PUT of a tenant say which webhooks apply to it beside the global ones",
    section: "facts.md 3.5 and 10.2",
  },
  "tenant.webhooks-patch": { behaviour: "PATCH of a tenant keeps its webhooks, or changes them", section: "facts.md 1.4" },
  "tenant.webhooks-bound": {
    behaviour: "A caller that is bound to a tenant sees no webhooks and changes none",
    section: "facts.md 9.2",
  },
};
