import { defineRecordRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch } from "../../operations/family/family.js";
import { type RecordOperations, type RecordRow, recordOperations } from "../../operations/family/family-row.js";
import type { Table } from "../../ports/storage.js";
import { textAt } from "../../shared/objects.js";
import { lazySchema } from "../schemas.js";
import type { FormField, FormFieldControl, FormFieldRequest, FormFieldType, ParsedFormFieldRequest } from "./schema.js";

/** Operations on form fields (docs/reference/forms.md#form-fields). */
export interface FormFieldOperations extends RecordOperations<"field", "fields", FormField, FormFieldRequest> {}

export const formFieldsTable: Table = defineTable({
  name: "formFields",
  tenancy: "global",
  since: 2,
  columns: { nameFolded: foldedName },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});

/** Fixed properties of a field with a managed key; requests cannot change them. */
export interface ManagedKey {
  readonly title: string;
  readonly type: FormFieldType;
  readonly control: FormFieldControl;
  /** The icon in front of the field. */
  readonly leftAddon: "calendar" | "info" | "lock" | "mobile" | "user";
}

const managed = (title: string, others: Partial<Omit<ManagedKey, "title">> = {}): ManagedKey => ({
  ...{ title, control: "text", type: "string", leftAddon: "info" },
  ...others,
});

/** The managed keys (docs/reference/forms.md#form-fields). */
export const managedKeys: ReadonlyMap<string, ManagedKey> = new Map([
  ["registration.preferredLanguages", managed("Preferred languages", { control: "select" })],
  ["registration.roles", managed("Roles", { control: "checkbox" })],
  ["registration.timezone", managed("Timezone", { control: "select" })],
  ["registration.username", managed("Username", { leftAddon: "user" })],
  ["user.birthDate", managed("Birth date", { type: "date", leftAddon: "calendar" })],
  ["user.email", managed("Email", { type: "email", leftAddon: "user" })],
  ["user.firstName", managed("First name")],
  ["user.fullName", managed("Full name")],
  ["user.imageUrl", managed("Image URL")],
  ["user.lastName", managed("Last name")],
  ["user.middleName", managed("Middle name")],
  ["user.mobilePhone", managed("Mobile phone", { leftAddon: "mobile" })],
  ["user.parentEmail", managed("Parent email", { type: "email", leftAddon: "user" })],
  ["user.password", managed("Password", { control: "password", leftAddon: "lock" })],
  ["user.phoneNumber", managed("Phone number", { type: "phoneNumber", leftAddon: "mobile" })],
  ["user.preferredLanguages", managed("Preferred languages", { control: "select" })],
  ["user.timezone", managed("Timezone", { control: "select" })],
  ["user.twoFactorEnabled", managed("Two-factor enabled", { control: "checkbox", type: "bool" })],
  ["user.username", managed("Username", { leftAddon: "user" })],
]);

/** The family of form fields. */
export const formFieldFamily: RecordRow<"formFields", FormField, ParsedFormFieldRequest, FormFieldOperations> = {
  name: "formFields",
  wrapper: "field",
  plural: "fields",
  idParameter: "fieldId",
  table: formFieldsTable,
  request: lazySchema("forms", "formFieldRequest"),
  search: nameSearch,
  uniquePaths: { name: "field.name" },
  setPaths: new Set(),
  operations: recordOperations,
  routes: defineRecordRoutes("/api/form/field/:fieldId", "global"),
  tables: [formFieldsTable],
  auditName: "form field",
  builtIn: { name: "managedFormFields" },
  configuration: {
    key: ["name"],
    references: { consentId: "consents" },
    // Without the members that the service derives from a managed key or from the type.
    fixed: ({ type, key }) =>
      type === "consent" ? ["type"] : type === "email" || managedKeys.has(String(key)) ? ["key"] : ["key", "type", "control"],
    derived: ({ type }) => (type === "consent" ? ["key"] : []),
    isBuiltIn: (_stored, { key, data, name }) => {
      const managed = managedKeys.get(String(key));
      const isMarked = textAt(data, "leftAddon") === managed?.leftAddon || name === `${managed?.title} (${key})`;
      return managed !== undefined && isMarked;
    },
  },
};
