import { globalScope, type Table } from "../../ports/storage.js";
import type { RawCriteria, SearchDefinition } from "../../search/parse-criteria.js";
import type { OperationCall } from "../operation.js";
import { parseRecord } from "./family.js";

/** The families whose members of `data` a tenant may declare as searchable. */
export const searchableFamilies = ["applications", "entities", "entityGrants", "groupMembers", "groups", "users"] as const;

/** Members of `data` by family, as paths from it: `{ users: ["department", "address.city"] }`. */
export type SearchableMembers = { readonly [Name in (typeof searchableFamilies)[number]]?: readonly string[] | undefined };

/** The largest number of searchable members of one family, for the host and for each tenant. */
export const maxSearchableMembers = { byHost: 20, byTenant: 8 } as const;

/** A path of a member of `data`. */
export const memberPath: RegExp = /^[A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_-]{1,64}){0,4}$/;

/**
 * The search of a family with the members of `data` that the host declares as searchable. In a call bound to a tenant, also those
 * of the tenant, which it reads only where the criteria name such a member.
 */
export async function searchWithMembers(
  { reader, scope, service }: OperationCall,
  family: Searched,
  raw: RawCriteria,
): Promise<SearchDefinition> {
  const search = service.availability.searchOf(family.wrapper, family.search);
  if (scope.kind === "global" || family.table.tenancy === "global" || !namesMembers(raw)) return search;
  const tenant = await reader.retrieve(globalScope, service.tenantsTable, scope.tenantId);
  const { members: ofHost = [] } = search;
  const declared = tenant === undefined ? [] : listSearchableMembers(parseRecord<SearchableTenant>(tenant), family.table.name);
  const ownMembers = declared.filter((member) => !ofHost.includes(member));
  return ownMembers.length === 0 ? search : { ...search, members: [...ofHost, ...ownMembers], ownMembers };
}

// Directories find their records by their own id.
const scimMembers: SearchableMembers = { groups: ["scim.externalId"], users: ["scim.externalId"] };

/** The members of a table's records that a tenant declares as searchable, as paths from the record. */
export function listSearchableMembers(
  { scimServerConfiguration, searchConfiguration }: SearchableTenant,
  table: string,
): readonly string[] {
  const all = [scimServerConfiguration?.enabled === true ? scimMembers : {}, searchConfiguration?.searchableData ?? {}];
  const declared = all.flatMap((members) => Object.entries(members).find(([name]) => name === table)?.[1] ?? []);
  return [...new Set(declared)].map((path) => `data.${path}`);
}

interface Searched {
  readonly wrapper: string;
  readonly table: Table;
  readonly search: SearchDefinition;
}

/** The settings of a tenant that declare members. Absent on tenants from a release without them. */
export interface SearchableTenant {
  readonly scimServerConfiguration?: { readonly enabled?: boolean | undefined } | undefined;
  readonly searchConfiguration?: { readonly searchableData?: SearchableMembers | undefined } | undefined;
}

// A query may write letters as escapes of JSON.
function namesMembers({ query, queryString, ...others }: RawCriteria): boolean {
  if (Object.keys(others).some((name) => name.startsWith("data."))) return true;
  return [query, queryString].some(
    (one) => one !== undefined && /data|\\/.test(typeof one === "string" ? one : JSON.stringify(one)),
  );
}
