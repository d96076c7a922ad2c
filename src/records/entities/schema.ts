import type * as z from "zod";
import { data, id, maxNameLength, name, object, type Schema, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";

/** What a caller may say about an entity (docs/reference/entities.md). */
export interface EntityFields {
  /** Unique per type and tenant, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** What the entity calls itself at the token endpoint; its id when absent, as it was on PUT. */
  readonly clientId?: string | undefined;
  /** The secret that the entity presents at the token endpoint; random when absent, as it was on PUT. Shown to callers that hold its rights. */
  readonly clientSecret?: string | undefined;
  /** An entity of the same tenant. */
  readonly parentId?: string | undefined;
  /** Overruled by the tenant that the call is bound to. */
  readonly tenantId?: string | undefined;
  /** Cannot be changed. */
  readonly type: { readonly id: string };
}

/** An entity on the wire: a thing, such as a service or a device, that holds and grants permissions (docs/reference/entities.md). */
export interface Entity extends BaseRecord, EntityFields {
  readonly clientId: string;
  readonly tenantId: string;
}

/** The body of POST and PUT. */
export interface EntityRequest {
  /** The fields of the entity; `name` and `type` are required. */
  readonly entity: Partial<EntityFields> & Pick<EntityFields, "name" | "type">;
}

/** A request whose defaults are filled in. */
export interface ParsedEntityRequest {
  readonly entity: EntityFields;
}

const maxSecretLength = 255;

// What HTTP Basic can carry without doubt: no spaces, nothing beyond ASCII.
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
