import type { InProcessApi } from "latchkey";
import { ScimError } from "../schema/errors.js";
import type { ScimCall } from "../server/call.js";
import { tooLong } from "../server/responses.js";
import type { Write } from "../server/run-writes.js";

const pageSize = 10_000;

/** Above this number of members, the response would be too long. */
export const maxShown = 400_000;

/** Returns the ids of a group's members, the earliest first. Throws `ScimError` 400 `tooMany` above 400,000. */
export async function readMemberIds(
  { options }: Pick<ScimCall, "options">,
  api: InProcessApi,
  groupId: string,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let next: string | undefined;
  do {
    const page = next === undefined ? {} : { nextResults: next };
    const found = await api.groupMembers.search({ search: { groupId, numberOfResults: pageSize, ...page } }, options);
    if (found.total > maxShown) throw new ScimError(400, "tooMany", tooLong);
    for (const { userId } of found.members) ids.push(userId);
    next = found.nextResults;
  } while (next !== undefined);
  return ids;
}

/** The members to add to a group and to remove. */
export interface MemberChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Returns the change from some members to others. */
export function diffMembers(before: readonly string[], after: readonly string[]): MemberChange {
  const [old, wanted] = [new Set(before), new Set(after)];
  return { added: after.filter((id) => !old.has(id)), removed: before.filter((id) => !wanted.has(id)) };
}

/** Returns the operations of a change; none for an empty one. */
export function toMemberWrites({ options }: ScimCall, groupId: string, { added, removed }: MemberChange): readonly Write[] {
  const writes: Write[] = [];
  for (const ids of chunksOf(removed)) writes.push((api) => api.groupMembers.remove({ members: { [groupId]: ids } }, options));
  if (added.length > 0) {
    const members = { [groupId]: added.map((userId) => ({ userId })) };
    writes.push((api) => api.groupMembers.add({ members }, options));
  }
  return writes;
}

// The API removes at most 10,000 members in one call.
function chunksOf(ids: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / pageSize);
  return Array.from({ length: count }, (_, place) => ids.slice(place * pageSize, (place + 1) * pageSize));
}
