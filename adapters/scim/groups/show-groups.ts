import type { Group } from "latchkey/types";
import { toScimGroup } from "../mapping/groups.js";
import { ScimError } from "../schema/errors.js";
import type { ScimResource } from "../schema/schemas.js";
import { locationOf, type TypeCall } from "../server/call.js";
import { runConverter, toConvertedResource } from "../server/converters.js";
import { tooLong } from "../server/responses.js";
import { maxShown, readMemberIds } from "./members.js";

/** Converts a group to a resource: by the default mapping, then the tenant's response converter. */
export async function showGroup(call: TypeCall, group: Group, memberIds: readonly string[]): Promise<ScimResource> {
  const ofUsers = { root: call.root, type: call.tenant.types.user };
  const members = memberIds.map((value) => ({ value, location: locationOf(ofUsers, value) }));
  const shown = toScimGroup(group, { location: locationOf(call, group.id), type: call.type, members });
  const id = call.tenant.converters.Group?.response;
  if (id === undefined) return shown;
  const given = { scimGroup: shown, group, members: memberIds.map((userId) => ({ userId })) };
  const changed = await runConverter(call, id, given);
  return toConvertedResource(call, shown, changed.scimGroup);
}

/** Converts groups to resources, with or without members. Throws `ScimError` 400 `tooMany` above 400,000 members in total. */
export async function showGroups(
  call: TypeCall,
  groups: readonly Group[],
  isWithMembers: boolean,
): Promise<readonly ScimResource[]> {
  const shown: ScimResource[] = [];
  let count = 0;
  for (const group of groups) {
    const ids = isWithMembers ? await readMemberIds(call, call.api, group.id) : [];
    count += ids.length;
    if (count > maxShown) throw new ScimError(400, "tooMany", tooLong);
    shown.push(await showGroup(call, group, ids));
  }
  return shown;
}
