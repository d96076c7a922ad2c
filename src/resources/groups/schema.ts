import { data, id, idSet, name, object, type Schema } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family.js";
import type { ApplicationRole } from "../application-roles/schema.js";

/** What a caller may say about a group (docs/reference/groups.md). */
export interface GroupFields {
  readonly name: string;
  readonly data: Record<string, unknown>;
  /** Overruled by the tenant that the call is bound to. */
  readonly tenantId?: string | undefined;
}

/** A group on the wire: `roles` holds the roles it carries by the id of their application. */
export interface Group extends BaseRecord, GroupFields {
  readonly tenantId: string;
  readonly roles: Readonly<Record<string, readonly ApplicationRole[]>>;
}

/** The body of POST and PUT. `roleIds` may mix applications; all of them of the group's tenant. */
export interface GroupRequest {
  readonly group: Partial<GroupFields> & Pick<GroupFields, "name">;
  readonly roleIds?: readonly string[];
}

/** A request whose defaults are filled in. */
export interface ParsedGroupRequest {
  readonly group: GroupFields;
  readonly roleIds: readonly string[];
}

export const groupRequest: Schema<ParsedGroupRequest> = object({
  group: object({ name: name(), data: data().default({}), tenantId: id().optional() }),
  roleIds: idSet().default([]),
});
