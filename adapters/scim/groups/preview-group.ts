import type { Group } from "latchkey/types";
import type { ResourceCall } from "../server/call.js";
import { runWrites } from "../server/run-writes.js";
import { type GroupDraft, groupPaths } from "./group-writes.js";
import { showGroup } from "./show-groups.js";

/**
 * Runs the tenant's response converter, if any, on the group of a draft before the write: its failure refuses the request.
 * `current`: the group before a change.
 */
export async function previewGroup(call: ResourceCall, draft: GroupDraft, current?: Group): Promise<void> {
  if (call.tenant.converters.Group?.response === undefined) return;
  const { group, members = [], roleIds } = draft;
  const { id: groupId } = call;
  const options = { ...call.options, dryRun: true };
  const preview = async (api: ResourceCall["api"]): Promise<void> => {
    const verb = current === undefined ? api.groups.create : api.groups.update;
    const made = await verb({ groupId, group, roleIds }, options);
    await showGroup(call, made.group, members);
  };
  await runWrites(call, [preview], groupPaths);
}
