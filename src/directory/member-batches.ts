import { IdentityError } from "../errors/identity-error.js";
import type { WriteCall } from "../operations/operation.js";
import type { NoteCount } from "../operations/write-however-long.js";
import { chunkSize, nextTurn } from "../shared/async/in-steps.js";
import { carryOut, type MemberPlan, type MemberWriting, type WantedMembers } from "./member-writes.js";
import type { StoredMember } from "./memberships.js";

/** Writes the members of groups, many small ones together; answers the members that were named, by group. */
export async function writeGroups(
  writing: MemberWriting,
  call: WriteCall,
  wanted: readonly WantedMembers[],
  noteCount: NoteCount,
): Promise<readonly (readonly StoredMember[])[]> {
  const answers: (readonly StoredMember[])[] = [];
  for (const batch of toBatches(wanted, ({ byUser, group }) => ({ id: group.id, size: byUser.size, place: group.tenantId }))) {
    if (answers.length > 0) await nextTurn();
    for (const answer of await writeBatch(writing, call, batch, noteCount)) answers.push(answer);
  }
  return answers;
}

// Where it cannot be done together, it is done by halves, down to one group by itself.
async function writeBatch(
  writing: MemberWriting,
  call: WriteCall,
  batch: readonly WantedMembers[],
  noteCount: NoteCount,
): Promise<readonly (readonly StoredMember[])[]> {
  const [only] = batch;
  if (only !== undefined && batch.length === 1) {
    const [before] = (await writing.read(call, batch, noteCount)) ?? [];
    return before === undefined ? [] : carryOut(call, [await writing.plan(call, only, before)]);
  }
  const written = await writeTogether(writing, call, batch, noteCount);
  if (written !== undefined) return written;
  const middle = batch.length >> 1;
  const first = await writeBatch(writing, call, batch.slice(0, middle), noteCount);
  return [...first, ...(await writeBatch(writing, call, batch.slice(middle), noteCount))];
}

async function writeTogether(
  writing: MemberWriting,
  call: WriteCall,
  batch: readonly WantedMembers[],
  noteCount: NoteCount,
): Promise<readonly (readonly StoredMember[])[] | undefined> {
  const known = await writing.read(call, batch, noteCount);
  if (known === undefined) return undefined;
  const plans: MemberPlan[] = [];
  for (const [index, wanted] of batch.entries()) {
    const before = known[index];
    if (before !== undefined) plans.push(await writing.plan(call, wanted, before));
  }
  if (wantsIdTooEarly(plans)) return undefined;
  try {
    return await call.tx.savepoint(() => carryOut(call, plans));
  } catch (error) {
    // Which group it is about shows when it is written by itself.
    if (error instanceof IdentityError) return undefined;
    throw error;
  }
}

/** Whether a group wants an id that becomes free with a later group. */
function wantsIdTooEarly(plans: readonly MemberPlan[]): boolean {
  const taken = new Set<string>();
  for (const { goneIds, wanted } of plans) {
    if (taken.size > 0 && goneIds.some((id) => taken.has(id))) return true;
    for (const { id } of wanted.byUser.values) if (id !== undefined) taken.add(id);
  }
  return false;
}

/** What decides whether two groups can be in the same batch. */
export interface BatchItem {
  readonly id: string;
  /** How many members are named. */
  readonly size: number;
  /** What all in a batch have in common. */
  readonly place?: string | null;
}

/** Neighbours put together while they name few members, no group twice in the same batch. */
export function toBatches<Item>(items: readonly Item[], describe: (item: Item) => BatchItem): readonly (readonly Item[])[] {
  const batches: Item[][] = [];
  const ids = new Set<string>();
  let total = 0;
  let lastPlace: BatchItem["place"];
  for (const item of items) {
    const { id, place, size } = describe(item);
    total += Math.max(1, size);
    const current = batches.at(-1);
    if (current === undefined || total > chunkSize || place !== lastPlace || ids.has(id)) {
      batches.push([item]);
      ids.clear();
      total = Math.max(1, size);
    } else current.push(item);
    ids.add(id);
    lastPlace = place;
  }
  return batches;
}
