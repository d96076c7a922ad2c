import { FieldErrorList, IdentityError } from "../../errors/identity-error.js";
import { type LazySchema, parseWith } from "../../http/schema/parse-with.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { DirectoryContext } from "../../ports/directory.js";
import type { GroupMembersRequest, NewGroupMember } from "../../records/group-members/schema.js";
import { hasManyItems, inChunks, type Steps } from "../../shared/in-steps.js";
import { isObject } from "../../shared/objects.js";
import { formatPath } from "../../shared/text.js";

/**
 * Parses a body with members by group; a very long one in steps that yield to other work.
 * @throws IdentityError 400 with all field errors at once, up to the listed number.
 */
export async function parseMembers(
  steps: Steps,
  schema: LazySchema<GroupMembersRequest>,
  body: unknown,
): Promise<GroupMembersRequest> {
  const lists = hasManyItems(body) ? listsOf(body) : undefined;
  if (lists === undefined) return parseWith(schema, body);
  const errors = new FieldErrorList();
  const members: [string, NewGroupMember[]][] = [];
  for (const [groupId, list] of lists) members.push([groupId, await parseList({ schema, errors, steps }, groupId, list)]);
  errors.throwIfAny();
  return { members: Object.fromEntries(members) };
}

function listsOf(body: unknown): readonly (readonly [string, unknown])[] | undefined {
  const { members } = body as { readonly members?: unknown };
  return isObject(members) ? Object.entries(members) : undefined;
}

interface Parsing {
  readonly schema: LazySchema<GroupMembersRequest>;
  readonly errors: FieldErrorList;
  readonly steps: Steps;
}

async function parseList({ schema, errors, steps }: Parsing, groupId: string, list: unknown): Promise<NewGroupMember[]> {
  const parsed: NewGroupMember[] = [];
  let start = 0;
  const toPath = ([members = "", group = "", index, ...rest]: readonly PropertyKey[]): string =>
    formatPath([members, group, ...(typeof index === "number" ? [start + index] : []), ...rest]);
  const parseSome = async (some: unknown): Promise<readonly NewGroupMember[]> => {
    if (errors.isFull) return [];
    try {
      return (await parseWith(schema, { members: { [groupId]: some } }, toPath)).members[groupId] ?? [];
    } catch (error) {
      if (!(error instanceof IdentityError)) throw error;
      errors.addAll(error);
      return [];
    }
  };
  if (!Array.isArray(list)) return [...(await parseSome(list))];
  await inChunks(steps, list, async (chunk) => {
    for (const member of await parseSome(chunk)) parsed.push(member);
    start += chunk.length;
  });
  return parsed;
}

/** Looks up users in the directory, in bounded batches, and returns the indexes of unknown ones. */
export async function findUnknownUsers(
  { directory, runtime }: Pick<ServiceContext, "directory" | "runtime">,
  context: DirectoryContext,
  named: readonly { readonly userId: string }[],
): Promise<readonly number[]> {
  const unknown: number[] = [];
  let index = 0;
  await inChunks(runtime, named, async (chunk) => {
    const userIds = [...new Set(chunk.map(({ userId }) => userId))];
    const known = new Set((await directory.findUsers(context, userIds)).map((user) => user.id));
    for (const { userId } of chunk) {
      if (!known.has(userId)) unknown.push(index);
      index++;
    }
  });
  return unknown;
}
