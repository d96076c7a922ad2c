import type { Directory, DirectoryContext } from "../ports/directory.js";
import { inChunks } from "../values/in-steps.js";

/** Which of these users the directory knows. It is asked about a bounded number at a time, however many there are. */
export async function findKnownUsers(
  directory: Directory,
  context: DirectoryContext,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  await inChunks([...new Set(userIds)], async (chunk) => {
    for (const user of await directory.findUsers(context, chunk)) known.add(user.id);
  });
  return known;
}
