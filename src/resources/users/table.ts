import type { Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import type { QueryFields } from "../../search/query-fields.js";
import { queryFilters } from "../../search/query-filters.js";
import { defineTable } from "../define-table.js";
import type { LoginIdType } from "./schema.js";

/** What a login id may be. Here and not in the schema, which a start does without. */
export const loginIdTypes: readonly LoginIdType[] = ["email", "username", "phoneNumber"];

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
  },
  uniqueKeys: [
    { name: "email", columns: ["tenantId", "email"] },
    { name: "username", columns: ["tenantId", "usernameFolded"] },
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

const queryFields: QueryFields = {
  fields: {
    id: { kind: "id", column: "id" },
    tenantId: { kind: "id", column: "tenantId" },
    active: { kind: "boolean", column: "active" },
    email: { kind: "text", column: "email" },
    username: { kind: "text", column: "usernameFolded" },
    firstName: { kind: "text", column: "firstNameFolded" },
    lastName: { kind: "text", column: "lastNameFolded" },
    fullName: { kind: "text", column: "fullNameFolded" },
    mobilePhone: { kind: "text", column: "mobilePhone" },
    birthDate: { kind: "text", column: "birthDate" },
    "memberships.groupId": { kind: "related", table: "groupMembers", foreignColumn: "userId", column: "groupId" },
    "registrations.applicationId": { kind: "related", table: "registrations", foreignColumn: "userId", column: "applicationId" },
  },
  termColumns: ["email", "usernameFolded", "fullNameFolded", "firstNameFolded", "lastNameFolded", "mobilePhone"],
};

/** What can be searched and sorted (docs/reference/users.md): a query in one of two languages, or ids; also by group and application. */
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
