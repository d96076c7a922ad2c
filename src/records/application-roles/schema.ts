import type * as z from "zod";
import { flag, name, object, type Schema, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";

/** Writable fields of a role (docs/reference/groups.md). */
export interface RoleFields {
  /** Unique in its application, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** Free text; absent unless given. */
  readonly description?: string | undefined;
  /** Whether a registration without roles gets this role. */
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

export type ParsedRoleRequest = { readonly role: RoleFields };

/** The fields of a role; the family of applications uses them too. */
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
