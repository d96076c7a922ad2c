import type { Requirement } from "./requirement.js";

const facts = "docs/reference/api-keys.md#access-lists";

/** The rules of access lists and of what they are assigned to. */
export const accessListRequirements: Readonly<Record<string, Requirement>> = {
  "access-list.fields": { behaviour: "A list has a name, data and entries, whose action is Block by default", section: facts },
  "access-list.required": { behaviour: "Name and entries are required", section: facts },
  "access-list.default-rule": {
    behaviour: "There is one rule *: none is 400, further ones are dropped, its end is left out",
    section: facts,
  },
  "access-list.addresses": {
    behaviour: "Ranges are of IPv4 or IPv6 addresses, from a start to an end that is not before it and of the same kind",
    section: "docs/reference/authentication.md#source-address",
  },
  "access-list.order": { behaviour: "Entries are kept in the order of start, then end, as plain texts", section: facts },
  "access-list.name": { behaviour: "A name is unique in any case", section: facts },
  "access-list.search": {
    behaviour: "Lists are searched by name; sortable are id, insertInstant, lastUpdateInstant and name",
    section: "docs/reference/search.md",
  },
  "access-list.global": {
    behaviour: "Every endpoint is for global keys without a tenant header only",
    section: "docs/reference/api-keys.md#global-endpoints",
  },
  "access-list.version": { behaviour: "Access lists, and the fields that name one, exist from 1.30.0 on", section: facts },
  "access-list.plan": {
    behaviour: "Access lists, and the fields that name one, need the plan enterprise",
    section: "docs/reference/wire.md#sizes",
  },
  "access-list.assigned": { behaviour: "Keys, tenants and applications name a list that exists, or 400", section: facts },
  "access-list.in-use": {
    behaviour: "A list in use cannot be removed: 400 [inUse]ipAccessControlListId, naming what uses it",
    section: "docs/reference/api-keys.md#references",
  },
  "tenant.references": {
    behaviour: "The keys, lambdas, forms and access lists that a tenant names exist, or 400 for each",
    section: "docs/reference/api-keys.md#references",
  },
  "application.references": {
    behaviour: "The keys, lambdas, forms and access lists that an application names exist, or 400 for each",
    section: "docs/reference/api-keys.md#references",
  },
};
