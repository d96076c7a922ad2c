import { applyPatch } from "../patch/apply-patch.js";
import { readPatch } from "../patch/read-patch.js";
import { readResource } from "../schema/read-resource.js";
import { type ResourceCall, recordIgnored, type ScimResponse, type TypeCall } from "../server/call.js";
import { retryConflicts, runWrites } from "../server/run-writes.js";
import { previewUser } from "./preview-user.js";
import { changeUser, readUser, toUserResponse } from "./user-state.js";
import { draftUser, toCreateWrites, userPaths } from "./user-writes.js";

/** POST /Users (RFC 7644, 3.3). */
export async function createUser(call: TypeCall): Promise<ScimResponse> {
  const { ignored, resource } = readResource(call.type, await call.readBody());
  recordIgnored(call, ignored);
  const draft = await draftUser(call, resource);
  const id = call.host.newId();
  await previewUser({ ...call, id }, draft);
  await runWrites(call, toCreateWrites(call, id, draft), userPaths);
  return toUserResponse(call, 201, id);
}

/** GET /Users/{id} (RFC 7644, 3.4.1). */
export async function retrieveUser(call: ResourceCall): Promise<ScimResponse> {
  return toUserResponse(call, 200, call.id);
}

/** PUT /Users/{id} (RFC 7644, 3.5.1): removes attributes that the request omits. */
export async function replaceUser(call: ResourceCall): Promise<ScimResponse> {
  const { ignored, resource } = readResource(call.type, await call.readBody());
  recordIgnored(call, ignored);
  return changeUser(call, () => resource);
}

/** PATCH /Users/{id} (RFC 7644, 3.5.2): all operations of the request, or none. */
export async function patchUser(call: ResourceCall): Promise<ScimResponse> {
  const { ignored, operations } = readPatch(call.type, await call.readBody());
  recordIgnored(call, ignored);
  return changeUser(call, (shown) => applyPatch(call.type, shown, operations));
}

/** DELETE /Users/{id} (RFC 7644, 3.6): hard-deletes the user. */
export async function removeUser(call: ResourceCall): Promise<ScimResponse> {
  await retryConflicts(async () => {
    const { etag } = await readUser(call);
    const options = { ...call.options, ...(etag !== undefined && { ifMatch: etag }) };
    await runWrites(call, [(api) => api.users.remove({ userId: call.id, hardDelete: true }, options)], userPaths);
  });
  return { status: 204 };
}
