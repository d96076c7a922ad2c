import type { Group } from "latchkey/types";
import { type ListQuery, readListRequest, resolveList, usesAttribute } from "../lists/list-query.js";
import { listResources, type PageRequest, type ResourcePage } from "../lists/list-resources.js";
import { isReturned } from "../schema/project.js";
import { type CompiledGroupFilter, compileGroupFilter } from "../search/compile-group-filter.js";
import { compileSort } from "../search/compile-sort.js";
import type { ScimResponse, TypeCall } from "../server/call.js";
import { ifFound } from "../server/if-found.js";
import { showGroups } from "./show-groups.js";

/** GET /Groups, POST /Groups/.search (RFC 7644, 3.4.2). */
export async function listGroups(call: TypeCall): Promise<ScimResponse> {
  return searchGroups(call, resolveList(call.type, await readListRequest(call)));
}

/** Returns the groups of a query. */
export async function searchGroups(call: TypeCall, query: ListQuery): Promise<ScimResponse> {
  const everything: CompiledGroupFilter = { isExact: true, criteria: undefined };
  const compiled = query.filter ? compileGroupFilter(query.filter, call.tenant.searchable.groups) : everything;
  const isWithMembers = isReturned(call.type, "members", query.projection);
  return listResources(call, query, {
    isExact: compiled.isExact && (compiled.memberId === undefined || compiled.criteria === undefined),
    isVersioned: isWithMembers,
    orderBy:
      query.sortBy === undefined
        ? "insertInstant"
        : compiled.memberId === undefined
          ? compileSort(call.type, query.sortBy.text)
          : undefined,
    read: compiled.memberId === undefined ? readPage(call, compiled) : readOfMember(call, compiled.memberId),
    show: (groups: readonly Group[]) => showGroups(call, groups, isWithMembers),
    showForFilter: (groups: readonly Group[]) => showGroups(call, groups, usesAttribute(query, "members")),
  });
}

type ReadPage = (page: PageRequest) => Promise<ResourcePage<Group>>;

function readPage({ api, options }: TypeCall, { criteria }: CompiledGroupFilter): ReadPage {
  return async ({ limit, next, orderBy, start }) => {
    const page = { numberOfResults: limit, orderBy, ...(next === undefined ? { startRow: start } : { nextResults: next }) };
    const found = await api.groups.search({ search: { ...criteria, ...page } }, options);
    return { records: found.groups, total: found.total, next: found.nextResults };
  };
}

// The groups of one user, read through the user's memberships.
function readOfMember({ api, options }: TypeCall, userId: string): ReadPage {
  return async ({ limit, next, start }) => {
    const page = { numberOfResults: limit, ...(next === undefined ? { startRow: start } : { nextResults: next }) };
    const found = await api.groupMembers.search({ search: { userId, ...page } }, options);
    const records: Group[] = [];
    for (const { groupId = "" } of found.members) {
      const answer = await ifFound(api.groups.retrieve({ groupId }, options));
      if (answer !== undefined) records.push(answer.group);
    }
    return { records, total: found.total, next: found.nextResults };
  };
}
