import { readResource } from "../schema/read-resource.js";
import { type ResourceCall, recordIgnored, type ScimResponse, type TypeCall } from "../server/call.js";
import { runWrites } from "../server/run-writes.js";
import { readIfMatch } from "../server/versions.js";
import { changeGroup, readGroup, toGroupResponse } from "./group-state.js";
import { draftGroup, groupPaths, toCreateWrite } from "./group-writes.js";
import { toMemberWrites } from "./members.js";
import { previewGroup } from "./preview-group.js";

/** POST /Groups (RFC 7644, 3.3). */
export async function createGroup(call: TypeCall): Promise<ScimResponse> {
  const { ignored, resource } = readResource(call.type, await call.readBody());
  recordIgnored(call, ignored);
  const draft = await draftGroup(call, resource);
  const id = call.host.newId();
  const created = { ...call, id };
  await previewGroup(created, draft);
  const members = toMemberWrites(call, id, { added: draft.members ?? [], removed: [] });
  await runWrites(call, [toCreateWrite(call, id, draft), ...members], groupPaths);
  return toGroupResponse(created, 201);
}

/** GET /Groups/{id} (RFC 7644, 3.4.1). */
export async function retrieveGroup(call: ResourceCall): Promise<ScimResponse> {
  return toGroupResponse(call, 200);
}

/** PUT /Groups/{id} (RFC 7644, 3.5.1): writes only memberships that differ. */
export async function replaceGroup(call: ResourceCall): Promise<ScimResponse> {
  const { ignored, resource } = readResource(call.type, await call.readBody());
  recordIgnored(call, ignored);
  await changeGroup(call, () => resource);
  return toGroupResponse(call, 200);
}

/** DELETE /Groups/{id} (RFC 7644, 3.6). */
export async function removeGroup(call: ResourceCall): Promise<ScimResponse> {
  if (readIfMatch(call) !== undefined) await readGroup(call);
  await runWrites(call, [(api) => api.groups.remove({ groupId: call.id }, call.options)], groupPaths);
  return { status: 204 };
}
