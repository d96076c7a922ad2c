import { parseRecord } from "../operations/family/family.js";
import { listSearchableMembers, type SearchableTenant, searchableFamilies } from "../operations/family/searchable-members.js";
import { readAll } from "../operations/read-all.js";
import type { ServiceContext } from "../operations/service-context.js";
import { globalScope, type IndexedSearch, type IndexPlan, type TenantScope, tenantScope } from "../ports/storage.js";
import { parseCriteria, type RawCriteria, type SearchDefinition } from "../search/parse-criteria.js";
import { listSearchFamilies, type SearchFamily } from "./searchable-data.js";

/** Searches by family, each with the criteria of the API: `{ users: [{ orderBy: "lastName ASC" }] }`. */
export type IndexCriteria = { readonly [family: string]: readonly Readonly<Record<string, unknown>>[] };

const anyId = "00000000-0000-4000-8000-000000000000";

/** The most common searches besides the list in its default order. */
const usualSearches: IndexCriteria = {
  entities: [{ queryString: "*abc*" }, { queryString: `type.id:${anyId}` }],
  groupMembers: [{ groupId: anyId }],
  groups: [{ name: "*abc*" }],
  users: [
    { queryString: "*abc*" },
    { queryString: `memberships.groupId:${anyId}` },
    { queryString: `registrations.applicationId:${anyId}` },
    { queryString: "registrations.roles:abc" },
  ],
};

/**
 * Returns the missing indexes of large tables for the usual searches and for these: the list of each family in its default order,
 * substring searches, stored totals (also those that differ from the count), and searchable members of `data` of the host or a tenant.
 * @throws TypeError for an unknown family; IdentityError 400 for invalid criteria.
 */
export async function planIndexes(service: ServiceContext, more: IndexCriteria = {}): Promise<readonly IndexPlan[]> {
  const shared = listShared(service, more);
  return (await service.storage.planIndexes?.(listSearches(service, shared), { checksTotals: true })) ?? [];
}

/** The tables in SQL that lack indexes for the usual searches, where these can be built. Reads no tenants, so it takes a few statements for each large table. */
export async function findTablesWithoutIndexes(service: ServiceContext): Promise<readonly string[]> {
  const planned = (await service.storage.planIndexes?.(listShared(service))) ?? [];
  return [...new Set(planned.flatMap(({ change, needs, table }) => (change === "create" && needs === undefined ? [table] : [])))];
}

function listShared(service: ServiceContext, more: IndexCriteria = {}): readonly IndexedSearch[] {
  const searched = listSearchFamilies();
  for (const name of Object.keys(more))
    if (!searched.has(name))
      throw new TypeError(`${name} is no family that can be searched: use ${[...searched.keys()].join(", ")}.`);
  return [...searched.values()].flatMap((family) => {
    const { members = [] } = definitionOf(service, family);
    const ofMembers = members.map((member) => ({ [member]: "abc" }));
    const all = [{}, ...(usualSearches[family.name] ?? []), ...ofMembers, ...(more[family.name] ?? [])];
    return all.flatMap((raw) => toSearches(service, family, raw));
  });
}

async function* listSearches(service: ServiceContext, shared: readonly IndexedSearch[]): AsyncGenerator<IndexedSearch, void> {
  yield* shared;
  const searched = listSearchFamilies();
  const declared = searchableFamilies.flatMap((name) => searched.get(name) ?? []);
  for await (const stored of readAll(service, service.tenantsTable)) {
    const tenant = parseRecord<SearchableTenant>(stored);
    for (const family of declared) yield* listOwnSearches(service, family, { ...tenant, id: stored.id });
  }
}

function definitionOf({ availability }: ServiceContext, { search, wrapper }: SearchFamily): SearchDefinition {
  return availability.searchOf(wrapper, search);
}

// Plans a search with a tenant's key, and one with a global key.
function toSearches(service: ServiceContext, family: SearchFamily, raw: RawCriteria): readonly IndexedSearch[] {
  const { table } = family;
  const scopes: readonly TenantScope[] = table.tenancy === "tenant" ? [globalScope, tenantScope(anyId)] : [globalScope];
  const criteria = parseCriteria(definitionOf(service, family), raw);
  return scopes.map((scope) => ({ scope, table, criteria }));
}

function listOwnSearches(
  service: ServiceContext,
  family: SearchFamily,
  tenant: SearchableTenant & { readonly id: string },
): readonly IndexedSearch[] {
  const { table } = family;
  const all = listSearchableMembers(tenant, table.name);
  if (all.length === 0) return [];
  const definition = definitionOf(service, family);
  const { members = [] } = definition;
  const ownMembers = all.filter((member) => !members.includes(member));
  const scope = tenantScope(tenant.id);
  return ownMembers.map((member) => {
    const criteria = parseCriteria({ ...definition, members: ownMembers, ownMembers }, { [member]: "abc" });
    return { scope, table, criteria };
  });
}
