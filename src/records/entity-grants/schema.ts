import { data, id, object, type Schema, textSet } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import type { Entity } from "../entities/schema.js";

/** Writable fields of a grant to either an entity or a user (docs/reference/entities.md). */
export interface EntityGrantFields {
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** Names of permissions of the entity's type. Default for a new grant: the default permissions of the type. */
  readonly permissions: readonly string[];
  /** The entity that receives the permissions; pass this or `userId`, not both. */
  readonly recipientEntityId?: string | undefined;
  /** The user that receives the permissions; pass this or `recipientEntityId`, not both. */
  readonly userId?: string | undefined;
}

/** The permissions of an entity or a user on an entity (docs/reference/entities.md). */
export interface EntityGrant extends BaseRecord, EntityGrantFields {
  /** The entity that the permissions are on, without its secret. */
  readonly entity: Entity;
}

/** The body of POST and PUT. */
export interface EntityGrantRequest {
  /** The grant; it names exactly one recipient. */
  readonly grant: Partial<EntityGrantFields>;
}

export type ParsedEntityGrantRequest = { readonly grant: EntityGrantFields };

export const entityGrantRequest: Schema<ParsedEntityGrantRequest> = object({
  grant: object({
    data: data().default({}),
    permissions: textSet().default([]),
    recipientEntityId: id().optional(),
    userId: id().optional(),
  }).superRefine(({ recipientEntityId, userId }, context) => {
    if ((recipientEntityId === undefined) !== (userId === undefined)) return;
    const message = userId === undefined ? "missing" : "invalid";
    for (const field of ["recipientEntityId", "userId"]) context.addIssue({ code: "custom", path: [field], message });
  }),
});
