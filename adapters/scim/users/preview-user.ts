import type { User } from "latchkey/types";
import type { ResourceCall } from "../server/call.js";
import { runWrites } from "../server/run-writes.js";
import { showUser } from "./show-users.js";
import { type UserDraft, userPaths } from "./user-writes.js";

/**
 * Runs the tenant's response converter, if any, on the user of a draft before the write: its failure refuses the request.
 * `current`: the user before a change.
 */
export async function previewUser(call: ResourceCall, { isActive, user }: UserDraft, current?: User): Promise<void> {
  if (call.tenant.converters[call.type.id]?.response === undefined) return;
  const options = { ...call.options, dryRun: true };
  const preview = async (api: ResourceCall["api"]): Promise<void> => {
    const input = { userId: call.id, user };
    const made = await (current === undefined ? api.users.create(input, options) : api.users.update(input, options));
    await showUser(call, { ...made.user, active: isActive });
  };
  await runWrites(call, [preview], userPaths);
}
