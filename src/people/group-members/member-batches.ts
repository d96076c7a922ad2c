import { IdentityError } from "../../errors/identity-error.js";
import type { RecordCount } from "../../operations/bulk-write.js";
import type { WriteCall } from "../../operations/operation.js";
import { chunkSize } from "../../shared/in-steps.js";
import { applyMemberPlans, type MemberPlan, type MemberSet, type MemberWriting } from "./member-writes.js";
import type { StoredMember } from "./memberships.js";

/** Writes the members of groups, many small groups together; returns the requested members, by group. */
export async function writeGroups(
  writing: MemberWriting,
  call: WriteCall,
  wanted: readonly MemberSet[],
  noteCount: RecordCount,
): Promise<readonly (readonly StoredMember[])[]> {
  const answers: (readonly StoredMember[])[] = Array.from(wanted, () => []);
  const places = byTenant(wanted);
  const describe = (place: number): BatchItem => {
    const { byUser, group } = wanted[place] as MemberSet;
    return { id: group.id, size: byUser.size, place: group.tenantId };
  };
  for (const [index, batch] of toBatches(places, describe).entries()) {
    if (index > 0) await call.service.runtime.timers.nextTurn();
    const ofBatch = batch.map((place) => wanted[place] as MemberSet);
    for (const [at, answer] of (await writeBatch(writing, call, ofBatch, noteCount)).entries()) answers[batch[at] ?? 0] = answer;
  }
  return answers;
}

// Groups of one tenant are written together, even if not adjacent. With member ids, they stay in order: an id may become free in
// one group for the next.
function byTenant(wanted: readonly MemberSet[]): readonly number[] {
  const places = [...wanted.keys()];
  const [first] = wanted;
  if (wanted.every(({ group }) => group.tenantId === first?.group.tenantId)) return places;
  if (wanted.some(({ byUser }) => [...byUser.values()].some(({ id }) => id !== undefined))) return places;
  return [...Map.groupBy(places, (place) => wanted[place]?.group.tenantId).values()].flat();
}

// Where writing together fails, it continues by halves, down to single groups.
async function writeBatch(
  writing: MemberWriting,
  call: WriteCall,
  batch: readonly MemberSet[],
  noteCount: RecordCount,
): Promise<readonly (readonly StoredMember[])[]> {
  const [only] = batch;
  if (only !== undefined && batch.length === 1) {
    const [before] = (await writing.read(call, batch, noteCount)) ?? [];
    return before === undefined ? [] : applyMemberPlans(call, [await writing.plan(call, only, before)]);
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
  batch: readonly MemberSet[],
  noteCount: RecordCount,
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
    return await call.tx.savepoint(() => applyMemberPlans(call, plans));
  } catch (error) {
    // Writing each group by itself shows the faulty one.
    if (error instanceof IdentityError) return undefined;
    throw error;
  }
}

/** Whether a group needs an id that only a later group frees. */
function wantsIdTooEarly(plans: readonly MemberPlan[]): boolean {
  const taken = new Set<string>();
  for (const { goneIds, wanted } of plans) {
    if (taken.size > 0 && goneIds.some((id) => taken.has(id))) return true;
    for (const { id } of wanted.byUser.values()) if (id !== undefined) taken.add(id);
  }
  return false;
}

interface BatchItem {
  readonly id: string;
  /** The number of requested members. */
  readonly size: number;
  /** The common property of a batch. */
  readonly place?: string | null;
}

/** Merges adjacent changes while they have few members, no group twice in the same batch. */
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
