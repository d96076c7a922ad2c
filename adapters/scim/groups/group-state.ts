import { etagOf } from "latchkey";
import type { Group } from "latchkey/types";
import { readProjection } from "../lists/list-query.js";
import { toPartialResponse, toResourceResponse } from "../lists/resource-response.js";
import { isReturned } from "../schema/project.js";
import type { ScimResource } from "../schema/schemas.js";
import type { ResourceCall, ScimResponse } from "../server/call.js";
import { retryConflicts, runWrites } from "../server/run-writes.js";
import { assertVersion, readIfMatch } from "../server/versions.js";
import { draftGroup, groupPaths, toChangeWrites } from "./group-writes.js";
import { diffMembers, readMemberIds, toMemberWrites } from "./members.js";
import { previewGroup } from "./preview-group.js";
import { showGroup } from "./show-groups.js";

/** A stored group, and its resource. */
export interface CurrentGroup {
  readonly group: Group;
  readonly memberIds: readonly string[];
  readonly shown: ScimResource;
  readonly etag: string | undefined;
}

/** Returns a group with its members. Throws `ScimError` 412 when `If-Match` names another version. */
export async function readGroup(call: ResourceCall): Promise<CurrentGroup> {
  const answer = await call.api.groups.retrieve({ groupId: call.id }, call.options);
  const memberIds = await readMemberIds(call, call.api, call.id);
  const shown = await showGroup(call, answer.group, memberIds);
  assertVersion(readIfMatch(call), shown);
  return { group: answer.group, memberIds, shown, etag: etagOf(answer) };
}

/** Changes a group to another resource. Writes only memberships that differ. */
export async function changeGroup(call: ResourceCall, toNext: (shown: ScimResource) => ScimResource): Promise<void> {
  await retryConflicts(async () => {
    const { etag, group, memberIds, shown } = await readGroup(call);
    const draft = await draftGroup(call, toNext(shown), group);
    await previewGroup(call, draft, group);
    const members = toMemberWrites(call, call.id, diffMembers(memberIds, draft.members ?? []));
    await runWrites(call, [...toChangeWrites(call, { group, etag }, draft), ...members], groupPaths);
  });
}

/** Returns the response with the group of a call and its requested attributes. */
export async function toGroupResponse(call: ResourceCall, status: 200 | 201): Promise<ScimResponse> {
  const { group } = await call.api.groups.retrieve({ groupId: call.id }, call.options);
  if (!isReturned(call.type, "members", readProjection(call)))
    return toPartialResponse(call, status, await showGroup(call, group, []));
  const memberIds = await readMemberIds(call, call.api, call.id);
  return toResourceResponse(call, status, await showGroup(call, group, memberIds));
}
