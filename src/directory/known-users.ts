import type { Directory, DirectoryContext } from "../ports/directory.js";
import { inChunks } from "../shared/in-steps.js";

/**
 * Looks up users in the directory, a bounded number at a time in batches, and reports unknown ones by their
 * place in the list.
 */
export async function findUnknownUsers(
  directory: Directory,
  context: DirectoryContext,
  named: readonly { readonly userId: string }[],
): Promise<readonly number[]> {
  const unknown: number[] = [];
  let index = 0;
  await inChunks(named, async (chunk) => {
    const userIds = [...new Set(chunk.map(({ userId }) => userId))];
    const known = new Set((await directory.findUsers(context, userIds)).map((user) => user.id));
    for (const { userId } of chunk) {
      if (!known.has(userId)) unknown.push(index);
      index++;
    }
  });
  return unknown;
}
