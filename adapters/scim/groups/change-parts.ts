import { etagOf } from "latchkey";
import type { Group } from "latchkey/types";
import { applyPatch } from "../patch/apply-patch.js";
import type { PatchOperation } from "../patch/patch-operation.js";
import type { ResourceCall, TypeCall } from "../server/call.js";
import { retryConflicts, runWrites, type Write } from "../server/run-writes.js";
import { draftGroup, groupPaths, toChangeWrites } from "./group-writes.js";
import { type MemberChange, toMemberWrites } from "./members.js";
import { showGroup } from "./show-groups.js";

/** Changes attributes of a group, and the members in the result of `toMembers`, without reading the other members. */
export async function changeParts(
  call: ResourceCall,
  operations: readonly PatchOperation[],
  toMembers: () => Promise<MemberChange>,
): Promise<void> {
  await retryConflicts(async () => {
    const answer = await call.api.groups.retrieve({ groupId: call.id }, call.options);
    const writes = operations.length === 0 ? [] : await toPatchWrites(call, answer, operations);
    await runWrites(call, [...writes, ...toMemberWrites(call, call.id, await toMembers())], groupPaths);
  });
}

// Returns the operations of a PATCH of attributes other than `members`, which are not read.
async function toPatchWrites(
  call: TypeCall,
  answer: { readonly group: Group },
  operations: readonly PatchOperation[],
): Promise<readonly Write[]> {
  const { group } = answer;
  const next = applyPatch(call.type, await showGroup(call, group, []), operations);
  return toChangeWrites(call, { group, etag: etagOf(answer) }, await draftGroup(call, next, group));
}
