import type { Group } from "latchkey/types";
import { ScimError } from "../schema/errors.js";
import { usedSchemas } from "../schema/read-resource.js";
import type { ResourceType, ScimResource } from "../schema/schemas.js";
import { showMeta } from "./meta.js";
import {
  scimDataOf,
  showExtensions,
  showVerbatim,
  storeExtensions,
  storeVerbatim,
  trimmedText,
  withoutUndefined,
  withScimData,
} from "./scim-data.js";
import { mappedGroupAttributes } from "./user-fields.js";
import { type Members, memberOf } from "./valid-value.js";

/** A member in a group's resource. */
export interface ShownMember {
  readonly value: string;
  readonly display?: string;
  readonly location: string;
}

/** Parts of a group's resource that its record lacks. */
export interface GroupPlace {
  readonly location: string;
  readonly type: ResourceType;
  /** Members of the group; undefined or empty for none. */
  readonly members?: readonly ShownMember[];
}

/** Converts a group to a SCIM resource by the default mapping. `meta` has no version. Never throws. */
export function toScimGroup(group: Group, { location, type, members = [] }: GroupPlace): ScimResource {
  const scim = scimDataOf(group);
  const shown = withoutUndefined({
    id: group.id,
    ...showVerbatim(type, scim, mappedGroupAttributes),
    displayName: group.name,
    members: members.length === 0 ? undefined : members.map(showMember),
    ...showExtensions(type, scim),
    meta: showMeta(group, type, location),
  });
  return { schemas: usedSchemas(type, shown), ...shown };
}

function showMember({ value, display, location }: ShownMember): Members {
  return withoutUndefined({ value, $ref: location, type: "User", display });
}

/** A SCIM group in terms of the API. */
export interface GroupChange {
  /** Members of the API's group request. */
  readonly group: { readonly name: string; readonly data: Record<string, unknown> };
  /** Distinct ids of the member users, in order; undefined when the resource has no `members`. */
  readonly members?: readonly string[];
}

/**
 * Converts a whole resource, from `readResource` or `applyPatch`, to a group. `current` is the group before the request. Throws
 * `ScimError` 400 `invalidValue` for a blank `displayName` and for a member that is a group.
 */
export function toGroupChange(type: ResourceType, resource: ScimResource, current?: Group): GroupChange {
  const name = resource.displayName;
  if (typeof name !== "string" || trimmedText(name) === undefined) {
    throw new ScimError(400, "invalidValue", "`displayName` must not be blank.");
  }
  const data = withScimData(current?.data, {
    ...storeVerbatim(type, resource, mappedGroupAttributes),
    ...storeExtensions(type, resource, scimDataOf(current)),
  });
  return { group: { name, data }, ...(Array.isArray(resource.members) && { members: toMemberIds(resource.members) }) };
}

/** Returns the distinct ids of members, in order. Throws `ScimError` 400 `invalidValue` for a member that is a group. */
export function toMemberIds(members: readonly unknown[]): readonly string[] {
  const ids = new Set<string>();
  for (const member of members) {
    if (isGroup(member))
      throw new ScimError(400, "invalidValue", "A member of a group must be a user; groups in groups are not supported.");
    const id = memberOf(member, "value");
    if (typeof id === "string") ids.add(id);
  }
  return [...ids];
}

function isGroup(member: unknown): boolean {
  const [type, reference] = [memberOf(member, "type"), memberOf(member, "$ref")];
  if (typeof type === "string") return type.toLowerCase() === "group";
  return typeof reference === "string" && /\/groups\/[^/?#]+$/i.test(reference);
}
