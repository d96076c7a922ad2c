import { IdentityError } from "../errors/identity-error.js";
import type { GroupMembersRequest, NewGroupMember } from "../resources/group-members/schema.js";
import { type LazySchema, parseWith } from "../schema/parse-with.js";
import { isVeryLong, mapInChunks } from "../values/in-steps.js";

/**
 * Parses a body that names members by group; a very long one in steps, between which others have their turn.
 * @throws IdentityError 400 with all field errors at once.
 */
export async function parseMembers(schema: LazySchema<GroupMembersRequest>, body: unknown): Promise<GroupMembersRequest> {
  const lists = isVeryLong(body) ? listsOf(body) : undefined;
  if (lists === undefined) return parseWith(schema, body);
  try {
    const members: [string, NewGroupMember[]][] = [];
    for (const [groupId, list] of lists) members.push([groupId, await parseList(schema, groupId, list)]);
    return { members: Object.fromEntries(members) };
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    // Whatever is wrong is told at once, each with its place in the whole.
    return parseWith(schema, body);
  }
}

function listsOf(body: unknown): readonly (readonly [string, readonly unknown[]])[] | undefined {
  const { members } = body as { readonly members?: unknown };
  if (typeof members !== "object" || members === null || Array.isArray(members)) return undefined;
  const entries = Object.entries(members);
  return entries.every(([, list]) => Array.isArray(list)) ? entries : undefined;
}

function parseList(
  schema: LazySchema<GroupMembersRequest>,
  groupId: string,
  list: readonly unknown[],
): Promise<NewGroupMember[]> {
  return mapInChunks(list, async (chunk) => {
    const { members } = await parseWith(schema, { members: { [groupId]: chunk } });
    return members[groupId] ?? [];
  });
}
