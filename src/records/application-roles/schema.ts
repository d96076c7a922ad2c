import type * as z from "zod";
import { flag, name, object, type Schema, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";

/** What a caller may say about a role (docs/reference/groups.md). */
export interface RoleFields {
  /** Unique in its application, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** Free text for people; absent unless given. */
  readonly description?: string | undefined;
  /** Given at registration when no roles are named. */
  readonly isDefault: boolean;
  /** A mark for user interfaces: the role supersedes the others. */
  readonly isSuperRole: boolean;
}

/** A role of an application on the wire. */
export interface ApplicationRole extends BaseRecord, RoleFields {}

/** The body of POST and PUT. */
export interface RoleRequest {
  /** The fields of the role; `name` is required. */
  readonly role: Partial<RoleFields> & Pick<RoleFields, "name">;
}

/** A request whose defaults are filled in. */
export interface ParsedRoleRequest {
  readonly role: RoleFields;
}

/** The fields of a role, for the family of applications as well. */
export function roleFields(): {
  readonly name: z.ZodString;
  readonly description: z.ZodOptional<z.ZodString>;
  readonly isDefault: z.ZodDefault<z.ZodBoolean>;
  readonly isSuperRole: z.ZodDefault<z.ZodBoolean>;
} {
  return {
    name: name(),
    description: text().optional(),
    isDefault: flag().default(false),
    isSuperRole: flag().default(false),
  };
}

export const roleRequest: Schema<ParsedRoleRequest> = object({ role: object(roleFields()) });
