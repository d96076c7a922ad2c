import type * as z from "zod";
import { data, flag, name, object, type Schema, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";

/** Writable fields of a permission of an entity type (docs/reference/entities.md). */
export interface PermissionFields {
  /** Unique in its entity type, compared without case; 1 to 191 characters. A rename applies to all grants. */
  readonly name: string;
  /** Free text; absent unless given. */
  readonly description?: string | undefined;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** Whether a new grant without permissions gets this one. */
  readonly isDefault: boolean;
}

/** A permission of an entity type on the wire; grants on entities of the type can name it. */
export interface EntityTypePermission extends BaseRecord, PermissionFields {}

/** The body of POST and PUT. */
export interface PermissionRequest {
  /** The fields of the permission; `name` is required. */
  readonly permission: Partial<PermissionFields> & Pick<PermissionFields, "name">;
}

export type ParsedPermissionRequest = { readonly permission: PermissionFields };

/** The fields of a permission; the family of entity types uses them too. */
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
