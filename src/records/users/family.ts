import { defineIdRoutes, defineRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable } from "../../operations/family/family.js";
import {
  customOperation,
  type IdInput,
  type PatchInput,
  type RecordRow,
  type SearchOperation,
  standard,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Filter, Table } from "../../ports/storage.js";
import { equalsFilter, type SearchDefinition } from "../../search/parse-criteria.js";
import { foldedFilter, type QueryFields } from "../../search/query-fields.js";
import { queryFilters } from "../../search/query-filters.js";
import { storedFormsOf } from "../../shared/email-address.js";
import { foldPhoneNumber } from "../../shared/text.js";
import { lazySchema } from "../schemas.js";
import type { CreatedUser, FindUserInput, LoginIdType, ParsedUserRequest, User, UserCriteria, UserRequest } from "./schema.js";

/** The body of PUT, or `reactivate` without a body. */
export type UpdateUserInput = Partial<UserRequest> & { readonly userId: string; readonly reactivate?: boolean };

/** The user, and whether to delete it. */
export interface RemoveUserInput {
  /** The user to deactivate or remove. */
  readonly userId: string;
  /** True removes the user with registrations and memberships; false deactivates it. Default false. */
  readonly hardDelete?: boolean;
}

/** Operations on users (docs/reference/users.md). */
export interface UserOperations extends SearchOperation<"users", User, UserCriteria> {
  /** Creates and returns a record. */
  readonly create: OperationSignature<UserRequest & Partial<IdInput<"userId">>, CreatedUser>;
  /** Returns a record; 404 for an unknown id. */
  readonly retrieve: OperationSignature<IdInput<"userId">, { readonly user: User }>;
  /** Returns the user with an email, username or id; 404 for none, 400 `[TenantIdRequired]` when several match. */
  readonly find: OperationSignature<FindUserInput, { readonly user: User }>;
  /** Replaces a record; missing members return to their defaults. */
  readonly update: OperationSignature<UpdateUserInput, CreatedUser>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"userId">, CreatedUser>;
  /** Deactivates a user; `hardDelete: true` erases it; 404 for an unknown one. */
  readonly remove: OperationSignature<RemoveUserInput, undefined>;
}

export const usersTable: Table = defineTable({
  name: "users",
  tenancy: "tenant",
  since: 1,
  columns: {
    email: { type: "text", isNullable: true },
    usernameFolded: { type: "text", isNullable: true },
    firstNameFolded: { type: "text", isNullable: true },
    lastNameFolded: { type: "text", isNullable: true },
    fullNameFolded: { type: "text", isNullable: true },
    mobilePhone: { type: "text", isNullable: true },
    birthDate: { type: "text", isNullable: true },
    active: { type: "boolean" },
    moderationId: { type: "text", isNullable: true, since: 4 },
    // Null for users of earlier versions until their next change.
    phoneNumber: { type: "text", isNullable: true, since: 8 },
  },
  uniqueKeys: [
    { name: "email", columns: ["tenantId", "email"] },
    { name: "username", columns: ["tenantId", "usernameFolded"] },
    { name: "phoneNumber", columns: ["tenantId", "phoneNumber"], since: 8 },
  ],
  indexes: [
    { columns: ["moderationId"], since: 4 },
    {
      columns: ["email", "usernameFolded", "fullNameFolded", "firstNameFolded", "lastNameFolded", "mobilePhone"],
      kind: "substring",
      since: 6,
    },
  ],
});

const loginIdColumns = { email: "email", phoneNumber: "phoneNumber", username: "usernameFolded" } as const;

/** A filter for an address. Nearly all addresses have one form, which every storage finds by its unique key. */
export function addressFilter(column: "email" | "usernameFolded", address: string): Filter {
  const [normal = "", ...others] = storedFormsOf(address);
  if (others.length === 0) return equalsFilter(column, normal);
  return { op: "or", filters: [normal, ...others].map((form) => equalsFilter(column, form)) };
}

/** A filter for a login id of a type. */
export function loginIdFilter(type: LoginIdType, loginId: string): Filter {
  if (type === "email") return addressFilter(loginIdColumns.email, loginId);
  const column = loginIdColumns[type];
  if (type === "phoneNumber") return equalsFilter(column, foldPhoneNumber(loginId));
  return foldedFilter(column, loginId.trim());
}

const queryFields: QueryFields = {
  fields: {
    id: { kind: "id", column: "id" },
    tenantId: { kind: "id", column: "tenantId" },
    active: { kind: "boolean", column: "active" },
    email: { kind: "text", column: "email", toExact: (text) => loginIdFilter("email", text) },
    // A username may be an email address, which has several spellings.
    username: {
      kind: "text",
      column: "usernameFolded",
      toExact: (text) => (text.includes("@") ? addressFilter("usernameFolded", text) : loginIdFilter("username", text)),
    },
    firstName: { kind: "text", column: "firstNameFolded" },
    lastName: { kind: "text", column: "lastNameFolded" },
    fullName: { kind: "text", column: "fullNameFolded" },
    mobilePhone: { kind: "text", column: "mobilePhone" },
    phoneNumber: { kind: "text", column: "phoneNumber", toExact: (text) => loginIdFilter("phoneNumber", text) },
    birthDate: { kind: "text", column: "birthDate" },
    "memberships.groupId": {
      kind: "related",
      table: "groupMembers",
      foreignColumn: "userId",
      column: "groupId",
      isEach: true,
    },
    "registrations.applicationId": {
      kind: "related",
      table: "registrations",
      foreignColumn: "userId",
      column: "applicationId",
      isEach: true,
    },
    "registrations.roles": { kind: "relatedItem", table: "registrations", foreignColumn: "userId", member: "roles" },
  },
  termColumns: ["email", "usernameFolded", "fullNameFolded", "firstNameFolded", "lastNameFolded", "mobilePhone"],
};

/**
 * Filters and sortable fields (docs/reference/users.md): a query in one of two languages, or ids; also by group and
 * application.
 */
export const userSearch: SearchDefinition = {
  filters: {
    ...queryFilters(queryFields),
    tenantId: { kind: "id", column: "tenantId" },
  },
  sortable: {
    id: { column: "id" },
    insertInstant: { column: "insertInstant" },
    email: { column: "email" },
    username: { column: "usernameFolded" },
    firstName: { column: "firstNameFolded" },
    lastName: { column: "lastNameFolded" },
    fullName: { column: "fullNameFolded" },
    birthDate: { column: "birthDate" },
    tenantId: { column: "tenantId" },
  },
  defaultOrder: "fullName ASC, email ASC",
};

/** The family of users. */
export const userFamily: RecordRow<"users", User, ParsedUserRequest, UserOperations> = {
  name: "users",
  wrapper: "user",
  plural: "users",
  idParameter: "userId",
  table: usersTable,
  request: lazySchema("users", "userRequest"),
  search: userSearch,
  uniquePaths: { email: "user.email", phoneNumber: "user.phoneNumber", username: "user.username" },
  setPaths: new Set(["user.preferredLanguages"]),
  operations: {
    create: customOperation("userId"),
    retrieve: standard,
    find: customOperation("changePasswordId", "email", "username", "loginId", "loginIdTypes", "userId", "verificationId"),
    update: customOperation("userId", "reactivate"),
    patch: customOperation("userId"),
    remove: customOperation("userId", "hardDelete"),
    search: standard,
  },
  routes: [
    ...defineRoutes([
      ["GET", "/api/user", "tenantOrUser", "find"],
      ["GET", "/api/user/:userId", "tenant", "retrieve"],
    ]),
    ...defineIdRoutes("/api/user/:userId", "tenant", {
      POST: "create",
      PUT: "update",
      PATCH: "patch",
      DELETE: "remove",
    }),
    ...defineSearchRoutes("/api/user/search", "tenant"),
  ],
  sealedPart: ([, member]) => (member === "recoveryCodes" ? member : "twoFactor"),
  tables: [usersTable],
  announced: [usersTable],
  auditName: "user",
};
