import type { RulesBySection } from "./rules.js";

/** The rules of access lists and of what they are assigned to. */
export const accessListRequirements: RulesBySection = {
  "docs/reference/api-keys.md#access-lists": `
    access-list.fields access-list.required access-list.default-rule access-list.order access-list.name access-list.version
    access-list.assigned
  `,
  "docs/reference/authentication.md#source-address": "access-list.addresses",
  "docs/reference/search.md": "access-list.search",
  "docs/reference/api-keys.md#global-endpoints": "access-list.global",
  "docs/reference/wire.md#sizes": "access-list.plan",
  "docs/reference/api-keys.md#references": "access-list.in-use tenant.references application.references",
};
