import type * as z from "zod";
import { data, flag, name, object, type Schema, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";

/** What a caller may say about a permission of an entity type (docs/reference/entities.md). */
export interface PermissionFields {
  /** Unique in its entity type, compared without case; 1 to 191 characters. A new name changes all grants. */
  readonly name: string;
  /** Free text for people; absent unless given. */
  readonly description?: string | undefined;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** Granted when a new grant names no permissions. */
  readonly isDefault: boolean;
}

/** A permission of an entity type on the wire: what grants on entities of the type may name. */
export interface EntityTypePermission extends BaseRecord, PermissionFields {}

/** The body of POST and PUT. */
export interface PermissionRequest {
  /** The fields of the permission; `name` is required. */
  readonly permission: Partial<PermissionFields> & Pick<PermissionFields, "name">;
}

/** A request whose defaults are filled in. */
export interface ParsedPermissionRequest {
  readonly permission: PermissionFields;
}

/** The fields of a permission, for the family of entity types as well. */
export function permissionFields(): {
  readonly name: z.ZodString;
  readonly description: z.ZodOptional<z.ZodString>;
  readonly data: z.ZodDefault<Schema<Record<string, unknown>>>;
  readonly isDefault: z.ZodDefault<z.ZodBoolean>;
} {
  return {
    name: name(),
    description: text().optional(),
    data: data().default({}),
    isDefault: flag().default(false),
  };
}

export const permissionRequest: Schema<ParsedPermissionRequest> = object({ permission: object(permissionFields()) });
