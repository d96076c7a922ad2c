import { data, id, idSet, name, object, type Schema } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import type { ApplicationRole } from "../application-roles/schema.js";

/** Writable fields of a group (docs/reference/groups.md). */
export interface GroupFields {
  /** Unique in its tenant, compared without case; 1 to 191 characters. */
  readonly name: string;
  /** Free metadata: any JSON object. Default `{}`. */
  readonly data: Record<string, unknown>;
  /** The tenant of the group. The tenant of the call wins. */
  readonly tenantId?: string | undefined;
}

/** A group on the wire. */
export interface Group extends BaseRecord, GroupFields {
  readonly tenantId: string;
  /** The roles that members inherit, by the id of their application; `{}` without any. */
  readonly roles: Readonly<Record<string, readonly ApplicationRole[]>>;
}

/** The body of POST and PUT. */
export interface GroupRequest {
  /** The fields of the group; `name` is required. */
  readonly group: Partial<GroupFields> & Pick<GroupFields, "name">;
  /** The roles that members inherit: of any application of the group's tenant. A PUT without it removes all roles. */
  readonly roleIds?: readonly string[];
}

export type ParsedGroupRequest = Required<GroupRequest> & { readonly group: GroupFields };

export const groupRequest: Schema<ParsedGroupRequest> = object({
  group: object({ name: name(), data: data().default({}), tenantId: id().optional() }),
  roleIds: idSet().default([]),
});
