import { publishEvent } from "../events/publish-event.js";
import type { NewEvent } from "../events/recorded-event.js";
import { noteChanges, type Sides } from "../operations/audit-change.js";
import type { WriteCall } from "../operations/operation.js";
import { presentRecords } from "../operations/record-steps.js";
import { globalScope, type StoredRecord } from "../ports/storage.js";
import { groups } from "../resources/groups/rules.js";
import { groupsTable } from "../resources/groups/table.js";
import { CanonicalText, toListText } from "../values/canonical-json.js";
import { inChunks, mapInChunks } from "../values/in-steps.js";
import { type KnownMembers, type StoredMember, toMember, toMemberJson } from "./memberships.js";

/** How many members an event lists: more are told by several events, each of which a receiver can take. */
const membersPerEvent = 1_000;

/** Tells of members of a group that were added, changed or removed; nothing when there are none. `before` is what changed ones were. */
export async function publishMembers(
  call: WriteCall,
  group: StoredRecord,
  type: string,
  members: readonly StoredMember[],
  before?: KnownMembers,
): Promise<void> {
  if (members.length === 0) return;
  // Events show a group as the wire does, with its roles.
  const [json = "{}"] = await presentRecords(call, groups, [group]);
  const common = { type, tenantId: group.tenantId ?? "", linkedObjectId: group.id };
  const publish = async (listed: readonly StoredMember[]): Promise<void> => {
    // The texts of the members are spliced: there may be very many.
    const fields = { group: new CanonicalText(json), members: toListText(listed.map(toMemberJson)) };
    await publishEvent(call, { ...common, fields });
  };
  await inChunks(members, publish, membersPerEvent);
  if (call.service.auditing !== undefined) await noteMembers(call, group, type, members, before);
}

async function noteMembers(
  call: WriteCall,
  group: StoredRecord,
  type: string,
  members: readonly StoredMember[],
  before: KnownMembers | undefined,
): Promise<void> {
  const isGone = type === "group.member.remove";
  const toSides = (member: StoredMember): Sides => (isGone ? [member, undefined] : [before?.get(member.userId)?.member, member]);
  const sides = await mapInChunks(members, (chunk) => chunk.map(toSides));
  await noteChanges(call, "groupMembers", group.tenantId, sides);
}

/** Tells of memberships that were removed, by group. */
export async function publishRemoved(call: WriteCall, removed: readonly StoredRecord[]): Promise<void> {
  const members = await mapInChunks(removed, (chunk) => chunk.map(toMember));
  for (const [groupId, ofGroup] of Map.groupBy(members, (member) => member.groupId)) {
    const group = await call.reader.retrieve(call.scope, groupsTable, groupId);
    if (group !== undefined) await publishMembers(call, group, "group.member.remove", ofGroup);
  }
}

/** The events of memberships that are removed with others: one for each group and 1,000 members. */
export async function describeRemovedMembers(call: WriteCall, records: readonly StoredRecord[]): Promise<readonly NewEvent[]> {
  const byGroup = Map.groupBy(records, (record) => toMember(record).groupId);
  const found = await call.reader.find(globalScope, groupsTable, { op: "in", column: "id", values: [...byGroup.keys()] });
  const texts = await presentRecords(call, groups, found);
  return found.flatMap(({ id, tenantId }, index) => {
    const group = new CanonicalText(texts[index] ?? "{}");
    return chunksOf(byGroup.get(id) ?? []).map((members) => ({
      type: "group.member.remove",
      tenantId: tenantId ?? "",
      linkedObjectId: id,
      fields: { group, members: toListText(members.map(({ json }) => json)) },
    }));
  });
}

function chunksOf(members: readonly StoredRecord[]): readonly (readonly StoredRecord[])[] {
  const chunks: (readonly StoredRecord[])[] = [];
  for (let start = 0; start < members.length; start += membersPerEvent)
    chunks.push(members.slice(start, start + membersPerEvent));
  return chunks;
}
