import { publishEvent } from "../events/publish-event.js";
import { noteChanges, type Sides } from "../operations/audit-change.js";
import type { WriteCall } from "../operations/operation.js";
import { presentRecords } from "../operations/record-steps.js";
import type { StoredRecord } from "../ports/storage.js";
import { groups } from "../resources/groups/rules.js";
import { groupsTable } from "../resources/groups/table.js";
import { CanonicalText, toListText } from "../values/canonical-json.js";
import { mapInChunks, nextTurn } from "../values/in-steps.js";
import { type KnownMember, toMember } from "./memberships.js";

/** Tells of members of a group that were added, changed or removed; nothing when there are none. `before` is what changed ones were. */
export async function publishMembers(
  call: WriteCall,
  group: StoredRecord,
  type: string,
  records: readonly StoredRecord[],
  before: ReadonlyMap<string, KnownMember> = new Map(),
): Promise<void> {
  if (records.length === 0) return;
  // The texts of the members are spliced: there may be very many. Events show a group as the wire does, with its roles.
  const [json = "{}"] = await presentRecords(call, groups, [group]);
  const texts = await mapInChunks(records, (chunk) => [chunk.map((record) => record.json).join(",")]);
  if (texts.length > 1) await nextTurn();
  const fields = { group: new CanonicalText(json), members: toListText(texts) };
  await publishEvent(call, { type, tenantId: group.tenantId ?? "", linkedObjectId: group.id, fields });
  // Neither writing a long event nor what comes after it makes others wait for both.
  if (texts.length > 1) await nextTurn();
  if (call.service.auditing !== undefined) await noteMembers(call, group, type, records, before);
}

async function noteMembers(
  call: WriteCall,
  group: StoredRecord,
  type: string,
  records: readonly StoredRecord[],
  before: ReadonlyMap<string, KnownMember>,
): Promise<void> {
  const isGone = type === "group.member.remove";
  const sides = records.map((record): Sides => {
    const member = toMember(record);
    return isGone ? [member, undefined] : [before.get(member.userId)?.member, member];
  });
  await noteChanges(call, "groupMembers", group.tenantId, sides);
}

/** Tells of memberships that were removed, by group. */
export async function publishRemoved(call: WriteCall, removed: readonly StoredRecord[]): Promise<void> {
  const byGroup = Map.groupBy(removed, (record) => toMember(record).groupId);
  for (const [groupId, records] of byGroup) {
    const group = await call.reader.retrieve(call.scope, groupsTable, groupId);
    if (group !== undefined) await publishMembers(call, group, "group.member.remove", records);
  }
}
