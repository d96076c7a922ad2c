import type * as z from "zod";
import { data, id, maxNameLength, name, object, type Schema, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";

/** Writable fields of an entity (docs/reference/entities.md). */
export interface EntityFields {
  /** Unique per type and tenant, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** The client id at the token endpoint. Default: the id of the entity, and on PUT the stored value. */
  readonly clientId?: string | undefined;
  /**
   * The client secret at the token endpoint. Default: a random one, and on PUT the stored value. Shown to callers that hold the
   * rights of the entity.
   */
  readonly clientSecret?: string | undefined;
  /** The parent: an entity of the same tenant. */
  readonly parentId?: string | undefined;
  /** The tenant of the entity. The tenant of the call wins. */
  readonly tenantId?: string | undefined;
  /** The type of the entity. Fixed after creation. */
  readonly type: { readonly id: string };
}

/**
 * An entity on the wire: a thing, such as a service or a device, that holds and grants permissions
 * (docs/reference/entities.md).
 */
export interface Entity extends BaseRecord, EntityFields {
  readonly clientId: string;
  readonly tenantId: string;
}

/** The body of POST and PUT. */
export interface EntityRequest {
  /** The fields of the entity; `name` and `type` are required. */
  readonly entity: Partial<EntityFields> & Pick<EntityFields, "name" | "type">;
}

export type ParsedEntityRequest = { readonly entity: EntityFields };

const maxSecretLength = 255;

// Characters that every client of HTTP Basic encodes alike: ASCII without spaces.
const credential = (maxLength: number): z.ZodOptional<z.ZodString> =>
  text()
    .max(maxLength, { error: "tooLong" })
    .regex(/^[\x21-\x7e]*$/, { error: "invalid" })
    .optional();

export const entityRequest: Schema<ParsedEntityRequest> = object({
  entity: object({
    name: name(),
    data: data().default({}),
    clientId: credential(maxNameLength),
    clientSecret: credential(maxSecretLength),
    parentId: id().optional(),
    tenantId: id().optional(),
    type: object({ id: id() }),
  }),
});
