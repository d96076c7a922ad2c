import { toCanonicalJson } from "latchkey";
import type { Group } from "latchkey/types";
import { isObject } from "../../internal/objects.js";
import { toGroupChange } from "../mapping/groups.js";
import { groupFieldPaths } from "../mapping/user-fields.js";
import { ScimError } from "../schema/errors.js";
import type { ScimResource } from "../schema/schemas.js";
import type { TypeCall } from "../server/call.js";
import { readOptions, runConverter } from "../server/converters.js";
import { assertRecordSize } from "../server/record-size.js";
import type { Write } from "../server/run-writes.js";

/** SCIM attributes by the API's fields in errors. */
export const groupPaths: ReadonlyMap<string, string> = new Map(Object.entries(groupFieldPaths));

/** The API's group for a resource. */
export interface GroupDraft {
  readonly group: { readonly name: string; readonly data: Readonly<Record<string, unknown>> };
  readonly roleIds: readonly string[];
  /** Ids of the member users; undefined when the resource has no members. */
  readonly members?: readonly string[] | undefined;
}

/** Converts a whole resource to a group: by the default mapping, then the tenant's request converter. */
export async function draftGroup(call: TypeCall, resource: ScimResource, current?: Group): Promise<GroupDraft> {
  const { group, members } = toGroupChange(call.type, resource, current);
  const roleIds = current === undefined ? [] : roleIdsOf(current);
  const id = call.tenant.converters.Group?.request;
  assertRecordSize(call, group);
  if (id === undefined) return { group, members, roleIds };
  const given = {
    group: { ...group },
    members: (members ?? []).map((userId) => ({ userId })),
    options: { roleIds },
    scimGroup: resource,
  };
  const changed = await runConverter(call, id, given);
  const converted = { members: changed.members as unknown, group: changed.group as unknown };
  const next = readGroup(converted.group);
  assertRecordSize(call, next);
  return {
    group: next,
    members: members === undefined ? undefined : readMembers(converted.members),
    roleIds: readOptions(changed.options).roleIds ?? roleIds,
  };
}

function readGroup(group: unknown): GroupDraft["group"] {
  if (!isObject(group) || typeof group.name !== "string" || !isObject(group.data ?? {}))
    throw new ScimError(400, "invalidValue", "The request converter left no group with a name.");
  return { name: group.name, data: isObject(group.data) ? group.data : {} };
}

function readMembers(members: unknown): readonly string[] {
  const ids = Array.isArray(members) ? members.map((member) => (isObject(member) ? member.userId : undefined)) : [undefined];
  if (!ids.every((id) => typeof id === "string"))
    throw new ScimError(400, "invalidValue", "The request converter left members without userId.");
  return [...new Set(ids)];
}

/** The ids of the roles that a group grants. */
export function roleIdsOf({ roles }: Group): readonly string[] {
  return Object.values(roles).flatMap((ofApplication) => ofApplication.map(({ id }) => id));
}

/** Returns the operation that creates a group, without its members. */
export function toCreateWrite(call: TypeCall, groupId: string, { group, roleIds }: GroupDraft): Write {
  return (api) => api.groups.create({ groupId, group, roleIds }, call.options);
}

/** Returns the operations that change a group to a draft, except its members; none when they are equal. */
export function toChangeWrites(
  call: TypeCall,
  { group: current, etag }: { readonly group: Group; readonly etag: string | undefined },
  { group, roleIds }: GroupDraft,
): readonly Write[] {
  const before = { group: { name: current.name, data: current.data }, roleIds: roleIdsOf(current).toSorted() };
  if (toCanonicalJson(before) === toCanonicalJson({ group, roleIds: roleIds.toSorted() })) return [];
  const options = { ...call.options, ...(etag !== undefined && { ifMatch: etag }) };
  return [(api) => api.groups.update({ groupId: current.id, group, roleIds }, options)];
}
