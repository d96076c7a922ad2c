import type { User } from "latchkey/types";
import { type ListQuery, readListRequest, resolveList, usesAttribute } from "../lists/list-query.js";
import { listResources, type PageRequest, type ResourcePage } from "../lists/list-resources.js";
import { isReturned } from "../schema/project.js";
import { compileUserFilter } from "../search/compile-filter.js";
import { compileSort } from "../search/compile-sort.js";
import type { ScimResponse, TypeCall } from "../server/call.js";
import { showUsers } from "./show-users.js";

/** GET /Users, POST /Users/.search (RFC 7644, 3.4.2). */
export async function listUsers(call: TypeCall): Promise<ScimResponse> {
  return searchUsers(call, resolveList(call.type, await readListRequest(call)));
}

/** Returns the users of a query. */
export async function searchUsers(call: TypeCall, query: ListQuery): Promise<ScimResponse> {
  const { isExact, query: document } = query.filter
    ? compileUserFilter(query.filter, call.tenant.searchable.users)
    : { isExact: true, query: undefined };
  const search = document === undefined ? {} : { query: document };
  const source = {
    isExact,
    isVersioned: true,
    orderBy: query.sortBy ? compileSort(call.type, query.sortBy.text) : "insertInstant",
    read: async ({ limit, next, orderBy, start }: PageRequest): Promise<ResourcePage<User>> => {
      const page = { numberOfResults: limit, orderBy, ...(next === undefined ? { startRow: start } : { nextResults: next }) };
      const found = await call.api.users.search({ search: { ...search, ...page } }, call.options);
      return { records: found.users, total: found.total, next: found.nextResults };
    },
    show: (users: readonly User[]) => showUsers(call, users, isReturned(call.type, "groups", query.projection)),
    showForFilter: (users: readonly User[]) => showUsers(call, users, usesAttribute(query, "groups")),
  };
  return listResources(call, query, source);
}
