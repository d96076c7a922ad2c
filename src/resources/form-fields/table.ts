import type { Table } from "../../ports/storage.js";
import { defineTable, foldedName } from "../define-table.js";
import type { FormFieldControl, FormFieldType } from "./schema.js";

export const formFieldsTable: Table = defineTable({
  name: "formFields",
  tenancy: "global",
  since: 2,
  columns: { nameFolded: foldedName },
  uniqueKeys: [{ name: "name", columns: ["nameFolded"] }],
  indexes: [],
});

/** What a key that the service knows says of its field; nothing of it can be said otherwise. */
export interface ManagedKey {
  readonly title: string;
  readonly type: FormFieldType;
  readonly control: FormFieldControl;
  /** The icon that forms show in front of the field. */
  readonly leftAddon: "calendar" | "info" | "lock" | "mobile" | "user";
}

const managed = (
  title: string,
  control: FormFieldControl = "text",
  type: FormFieldType = "string",
  leftAddon: ManagedKey["leftAddon"] = "info",
): ManagedKey => ({ title, control, type, leftAddon });

/** The managed keys (docs/reference/forms.md#form-fields). */
export const managedKeys: ReadonlyMap<string, ManagedKey> = new Map([
  ["registration.preferredLanguages", managed("Preferred languages", "select")],
  ["registration.roles", managed("Roles", "checkbox")],
  ["registration.timezone", managed("Timezone", "select")],
  ["registration.username", managed("Username", "text", "string", "user")],
  ["user.birthDate", managed("Birth date", "text", "date", "calendar")],
  ["user.email", managed("Email", "text", "email", "user")],
  ["user.firstName", managed("First name")],
  ["user.fullName", managed("Full name")],
  ["user.imageUrl", managed("Image URL")],
  ["user.lastName", managed("Last name")],
  ["user.middleName", managed("Middle name")],
  ["user.mobilePhone", managed("Mobile phone", "text", "string", "mobile")],
  ["user.parentEmail", managed("Parent email", "text", "email", "user")],
  ["user.password", managed("Password", "password", "string", "lock")],
  ["user.phoneNumber", managed("Phone number", "text", "phoneNumber", "mobile")],
  ["user.preferredLanguages", managed("Preferred languages", "select")],
  ["user.timezone", managed("Timezone", "select")],
  ["user.twoFactorEnabled", managed("Two-factor enabled", "checkbox", "bool")],
  ["user.username", managed("Username", "text", "string", "user")],
]);
