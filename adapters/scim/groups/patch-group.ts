import { toMemberIds } from "../mapping/groups.js";
import { applyPatch } from "../patch/apply-patch.js";
import { splitListChanges } from "../patch/list-changes.js";
import { readPatch } from "../patch/read-patch.js";
import { locationOf, type ResourceCall, recordIgnored, type ScimResponse } from "../server/call.js";
import { readIfMatch } from "../server/versions.js";
import { changeParts } from "./change-parts.js";
import { changeGroup, toGroupResponse } from "./group-state.js";
import { diffMembers, type MemberChange, readMemberIds } from "./members.js";

/**
 * PATCH /Groups/{id} (RFC 7644, 3.5.2): all operations of the request, or none. Members added or removed by id are written
 * without reading the others. Responds 204, unless the request names attributes.
 */
export async function patchGroup(call: ResourceCall): Promise<ScimResponse> {
  const { ignored, operations } = readPatch(call.type, await call.readBody());
  recordIgnored(call, ignored);
  const split = isFast(call) ? splitListChanges(operations, "members") : undefined;
  if (split === undefined) await changeGroup(call, (shown) => applyPatch(call.type, shown, operations));
  else {
    const { added, removed, replaced } = split.changes;
    const toChange = async (): Promise<MemberChange> => {
      if (replaced === undefined) return { added: toMemberIds(added), removed };
      return diffMembers(await readMemberIds(call, call.api, call.id), toMemberIds(replaced));
    };
    await changeParts(call, split.rest, toChange);
  }
  const isAsked = call.query.has("attributes") || call.query.has("excludedAttributes");
  return isAsked ? toGroupResponse(call, 200) : { status: 204, headers: { location: locationOf(call, call.id) } };
}

// A request converter and a version need the whole group.
function isFast(call: ResourceCall): boolean {
  return call.tenant.converters.Group?.request === undefined && readIfMatch(call) === undefined;
}
