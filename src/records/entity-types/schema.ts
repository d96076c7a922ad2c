import { data, flag, id, integer, list, name, object, type Schema } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import { type EntityTypePermission, type PermissionFields, permissionFields } from "../entity-type-permissions/schema.js";

/** Writable fields of an entity type (docs/reference/entities.md). */
export interface EntityTypeFields {
  /** Unique in the service, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** Signing and lifetime of the tokens of entities of this type. */
  readonly jwtConfiguration: {
    /** Whether these settings apply. Default false: those of the tenant apply. */
    readonly enabled: boolean;
    /** The signing key of access tokens. Default: the key of the tenant. */
    readonly accessTokenKeyId?: string | undefined;
    /** Lifetime of access tokens in seconds. Default: that of the tenant. */
    readonly timeToLiveInSeconds?: number | undefined;
  };
}

/** A kind of entity, with the permissions that grants on its entities may name (docs/reference/entities.md). */
export interface EntityType extends BaseRecord, EntityTypeFields {
  /** The permissions of the type, sorted by name. */
  readonly permissions: readonly EntityTypePermission[];
}

/** The body of POST and PUT. POST creates the permissions along with the type; later they have their own paths. */
export interface EntityTypeRequest {
  /** The fields of the type; `name` is required. POST also takes `permissions`, at most 1,000. */
  readonly entityType: Partial<Omit<EntityTypeFields, "jwtConfiguration">> &
    Pick<EntityTypeFields, "name"> & {
      readonly jwtConfiguration?: Partial<EntityTypeFields["jwtConfiguration"]>;
      readonly permissions?: readonly (Partial<PermissionFields> & { readonly name: string; readonly id?: string })[];
    };
}

export interface ParsedEntityTypeRequest {
  readonly entityType: EntityTypeFields & {
    readonly permissions: readonly (PermissionFields & { readonly id?: string | undefined })[];
  };
}

const century = 3_155_760_000;

export const entityTypeRequest: Schema<ParsedEntityTypeRequest> = object({
  entityType: object({
    name: name(),
    data: data().default({}),
    jwtConfiguration: object({
      enabled: flag().default(false),
      accessTokenKeyId: id().optional(),
      timeToLiveInSeconds: integer(1, century).optional(),
    }).prefault({}),
    permissions: list(object({ ...permissionFields(), id: id().optional() }))
      .max(1_000, { error: "tooMany" })
      .default([]),
  }),
});
