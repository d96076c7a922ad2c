import { CanonicalText, toListText } from "../../json/canonical-json.js";
import type { NewEvent } from "../../operations/events/recorded-event.js";
import { type AuditedChange, recordAuditChanges } from "../../operations/family/audit-change.js";
import { presentRecords } from "../../operations/family/record-steps.js";
import type { WriteCall } from "../../operations/operation.js";
import { publishEvents } from "../../operations/outbox/publish-event.js";
import type { StoredRecord } from "../../ports/storage.js";
import { groupsTable } from "../../records/groups/family.js";
import { inChunks, mapInChunks } from "../../shared/in-steps.js";
import { groups } from "../groups/rules.js";
import { type KnownMembers, type StoredMember, toMember, toMemberJson } from "./memberships.js";

/** The most members in an event, to keep a size that receivers accept. */
const membersPerEvent = 1_000;

/** Members of a group that were added, changed or removed. `before`: changed ones in their old state. */
export interface ChangedMembers {
  readonly group: StoredRecord;
  readonly type: string;
  readonly members: readonly StoredMember[];
  readonly before?: KnownMembers;
}

/** Publishes changes of groups, in this order; skips those without members. */
export async function publishChanges(call: WriteCall, all: readonly ChangedMembers[]): Promise<void> {
  const changes = all.filter(({ members }) => members.length > 0);
  if (changes.length === 0) return;
  const shown = await showGroups(call, changes);
  await inChunks({ ...call.service.runtime, size: eventsPerStep }, changes, async (chunk) =>
    publishEvents(call, describeChanges(chunk, shown)),
  );
  if (call.service.auditing !== undefined) await noteMembers(call, changes);
}

// Events show a group as the wire does, with its roles.
async function showGroups(call: WriteCall, changes: readonly ChangedMembers[]): Promise<ReadonlyMap<string, CanonicalText>> {
  const changed = [...new Set(changes.map(({ group }) => group))];
  const texts = await presentRecords(call, groups, changed);
  return new Map(changed.map(({ id }, index) => [id, new CanonicalText(texts[index] ?? "{}")]));
}

/** The events per step: few, since each contains the group. */
const eventsPerStep = 100;

function* describeChanges(changes: readonly ChangedMembers[], shown: ReadonlyMap<string, CanonicalText>): Generator<NewEvent> {
  for (const { group, type, members } of changes)
    for (let start = 0; start < members.length; start += membersPerEvent) {
      const listed = members.slice(start, start + membersPerEvent);
      // Member texts are spliced, since there may be very many.
      const fields = { group: shown.get(group.id), members: toListText(listed.map(toMemberJson)) };
      yield { type, tenantId: group.tenantId ?? "", linkedObjectId: group.id, fields };
    }
}

async function noteMembers(call: WriteCall, changes: readonly ChangedMembers[]): Promise<void> {
  let sides: AuditedChange[] = [];
  for (const [index, { before, group, members, type }] of changes.entries()) {
    const isGone = type === "group.member.remove";
    const toSides = (member: StoredMember): AuditedChange =>
      isGone ? [member, undefined] : [before?.get(member.userId)?.member, member];
    await inChunks(call.service.runtime, members, (chunk) => {
      for (const member of chunk) sides.push(toSides(member));
    });
    const next = changes[index + 1];
    if (next !== undefined && next.group.tenantId === group.tenantId && sides.length < membersPerEvent) continue;
    await recordAuditChanges(call, "groupMembers", group.tenantId, sides);
    sides = [];
  }
}

/** Publishes the events of removed memberships, by group. */
export async function publishRemoved(call: WriteCall, removed: readonly StoredRecord[]): Promise<void> {
  await publishChanges(call, await toRemovals(call, removed));
}

/** The events of memberships that are removed with others. */
export async function describeRemovedMembers(call: WriteCall, records: readonly StoredRecord[]): Promise<readonly NewEvent[]> {
  const changes = await toRemovals(call, records);
  return [...describeChanges(changes, await showGroups(call, changes))];
}

async function toRemovals(call: WriteCall, removed: readonly StoredRecord[]): Promise<readonly ChangedMembers[]> {
  const members = await mapInChunks(call.service.runtime, removed, (chunk) => chunk.map(toMember));
  const byGroup = Map.groupBy(members, (member) => member.groupId);
  const found = new Map<string, StoredRecord>();
  await inChunks(call.service.runtime, [...byGroup.keys()], async (values) => {
    for (const group of await call.reader.find(call.scope, groupsTable, { op: "in", column: "id", values }))
      found.set(group.id, group);
  });
  return [...byGroup].flatMap(([groupId, ofGroup]): ChangedMembers[] => {
    const group = found.get(groupId);
    return group === undefined ? [] : [{ group, type: "group.member.remove", members: ofGroup }];
  });
}
