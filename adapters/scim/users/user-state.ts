import { etagOf } from "latchkey";
import type { User } from "latchkey/types";
import { isObject } from "../../internal/objects.js";
import { toResourceResponse } from "../lists/resource-response.js";
import type { ScimResource } from "../schema/schemas.js";
import type { ResourceCall, ScimResponse, TypeCall } from "../server/call.js";
import { retryConflicts, runWrites } from "../server/run-writes.js";
import { assertVersion, readIfMatch } from "../server/versions.js";
import { previewUser } from "./preview-user.js";
import { showUser } from "./show-users.js";
import { draftUser, toChangeWrites, userPaths } from "./user-writes.js";

/** A stored user, and its resource. */
export interface CurrentUser {
  readonly user: User;
  readonly shown: ScimResource;
  /** The version for a dependent write. */
  readonly etag: string | undefined;
}

/**
 * Returns a user. Throws `ScimError` 412 when `If-Match` names another version: a client only overwrites the version that it
 * read.
 */
export async function readUser(call: ResourceCall): Promise<CurrentUser> {
  const answer = await call.api.users.retrieve({ userId: call.id }, call.options);
  const shown = await showUser(call, answer.user);
  assertVersion(readIfMatch(call), shown);
  return { user: answer.user, shown, etag: etagOf(answer) };
}

/** Changes a user to another resource. */
export async function changeUser(call: ResourceCall, toNext: (shown: ScimResource) => ScimResource): Promise<ScimResponse> {
  const changed = await retryConflicts(async () => {
    const { etag, shown, user } = await readUser(call);
    const draft = await draftUser(call, toNext(shown), user);
    await previewUser(call, draft, user);
    const writes = toChangeWrites(call, { user, etag }, draft);
    return writes.length === 0 ? { user } : runWrites(call, writes, userPaths);
  });
  return showsUser(changed) ? respond(call, 200, changed.user) : toUserResponse(call, 200, call.id);
}

// The last of several operations may return no user.
function showsUser(answer: unknown): answer is { readonly user: User } {
  return isObject(answer) && isObject(answer.user);
}

/** Returns the response with a user and the requested attributes. */
export async function toUserResponse(call: TypeCall, status: 200 | 201, id: string): Promise<ScimResponse> {
  const { user } = await call.api.users.retrieve({ userId: id }, call.options);
  return respond(call, status, user);
}

async function respond(call: TypeCall, status: 200 | 201, user: User): Promise<ScimResponse> {
  return toResourceResponse(call, status, await showUser(call, user));
}
