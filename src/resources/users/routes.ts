import { findUser } from "../../directory/find-user.js";
import { publishDuplicates } from "../../directory/login-id-events.js";
import { defineRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, OperationSignature, OperationsOf } from "../../operations/operation.js";
import { createOperation } from "../../operations/verbs/create.js";
import { patchOperation } from "../../operations/verbs/patch.js";
import { retrieveOperation } from "../../operations/verbs/retrieve.js";
import { searchOperation } from "../../operations/verbs/search.js";
import type { IdInput, PatchInput, SearchInput, SearchOutput } from "../../operations/wire-types.js";
import { removeUser, type UpdateUserInput, updateUser, users } from "./rules.js";
import type { FindUserInput, RemoveUserInput, User, UserRequest } from "./schema.js";

/** The criteria of a user search (docs/reference/users.md); docs/reference/search.md#users-and-entities describes the two query languages. */
export interface UserCriteria {
  /** The users with these ids; pass this, `query` or `queryString`. */
  readonly ids?: readonly string[];
  /** A query as a JSON text: `match_all`, `bool`, `match`, `term`, `terms`, `prefix`, `wildcard`, `nested`. */
  readonly query?: unknown;
  /** A query as terms, `field:value`, quotes, `*`, AND, OR, NOT and parentheses. */
  readonly queryString?: string;
  /** The order of the page: names of sortable fields, ascending unless `order` says `desc`. */
  readonly sortFields?: readonly { readonly name: string; readonly order?: "asc" | "desc" }[];
  /** Only users of this tenant. */
  readonly tenantId?: string;
}

/** What can be done with users (docs/reference/users.md). */
export interface UserOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<UserRequest & Partial<IdInput<"userId">>, { readonly user: User }>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"userId">, { readonly user: User }>;
  /** Returns the user with an email, username or id; 404 for nobody, 400 `[TenantIdRequired]` when several match. */
  readonly find: OperationSignature<FindUserInput, { readonly user: User }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<UpdateUserInput, { readonly user: User }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"userId">, { readonly user: User }>;
  /** Deactivates a user; `hardDelete: true` erases it; 404 for an unknown one. */
  readonly remove: OperationSignature<RemoveUserInput, undefined>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<UserCriteria>, SearchOutput<"users", User>>;
}

export const userOperations: OperationsOf<UserOperations> = {
  create: publishDuplicates(createOperation(users), "create"),
  retrieve: retrieveOperation(users),
  find: findUser,
  update: updateUser,
  patch: publishDuplicates(patchOperation(users), "update"),
  remove: removeUser,
  search: searchOperation(users),
};

const { create, retrieve, find, update, patch, remove, search } = userOperations;

export const userRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/api/user", "tenant", create],
  ["POST", "/api/user/:userId", "tenant", create],
  ["GET", "/api/user", "tenantOrUser", find],
  ["GET", "/api/user/:userId", "tenant", retrieve],
  ["PUT", "/api/user", "tenant", update],
  ["PUT", "/api/user/:userId", "tenant", update],
  ["PATCH", "/api/user", "tenant", patch],
  ["PATCH", "/api/user/:userId", "tenant", patch],
  ["DELETE", "/api/user", "tenant", remove],
  ["DELETE", "/api/user/:userId", "tenant", remove],
  ["GET", "/api/user/search", "tenant", search],
  ["POST", "/api/user/search", "tenant", search],
]);
