import { fieldError } from "../../errors/identity-error.js";
import { addMembers, CanonicalText } from "../../json/canonical-json.js";
import type { NewEvent } from "../../operations/events/recorded-event.js";
import {
  type Change,
  type Draft,
  type DraftContext,
  type Family,
  parseHidden,
  parseRecord,
  toBaseRecord,
} from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import { mapWithinLimit } from "../../operations/family/response-size.js";
import { directoryContext, globalDirectoryContext, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import { insertLinks } from "../../operations/references/links.js";
import type { DirectoryRole } from "../../ports/directory.js";
import { globalScope, type StoredRecord, type Table, tenantScope } from "../../ports/storage.js";
import { applicationRolesTable } from "../../records/application-roles/family.js";
import type { ApplicationRole } from "../../records/application-roles/schema.js";
import { groupFamily, groupRolesTable, groupsTable } from "../../records/groups/family.js";
import type { Group, GroupRequest, ParsedGroupRequest } from "../../records/groups/schema.js";
import { foldText } from "../../shared/text.js";

/** The family of groups (docs/reference/groups.md). */
export const groups: Family<Group, ParsedGroupRequest> = {
  ...groupFamily,
  rules: { toDraft, check, afterWrite, toRequestDocument, present },
};

/** Set on groups with roles, so that the many others need no look-up. */
interface HiddenGroup {
  readonly hasRoles?: boolean;
}

function hasRoles(record: StoredRecord): boolean {
  return parseHidden<HiddenGroup>(record)?.hasRoles === true;
}

function toDraft(_call: WriteCall, request: ParsedGroupRequest, context: DraftContext<Group>): Draft<Group> {
  const { tenantId = "" } = context;
  return {
    record: { ...request.group, ...toBaseRecord(context), roles: {}, tenantId },
    hidden: request.roleIds.length > 0 ? { hasRoles: true } : undefined,
    columns: { nameFolded: foldText(request.group.name) },
  };
}

async function check(call: WriteCall, change: Change<Group, ParsedGroupRequest>): Promise<void> {
  const { roleIds } = change.request;
  if (roleIds.length === 0) return;
  const scope = tenantScope(change.draft.record.tenantId);
  const roles = await call.service.directory.findRoles(directoryContext(call, scope), { roleIds });
  const known = new Set(roles.map((role) => role.id));
  if (roleIds.some((id) => !known.has(id))) throw fieldError("invalid", "roleIds");
}

async function afterWrite(call: WriteCall, change: Change<Group, ParsedGroupRequest>): Promise<void> {
  const { draft, kind, request, stored } = change;
  const { id, tenantId } = draft.record;
  const hadRoles = stored !== undefined && hasRoles(stored);
  const original = change.original && (await withRoles(call, change.original, hadRoles));
  if (hadRoles) await call.tx.remove(tenantScope(tenantId), groupRolesTable, { op: "equals", column: "groupId", value: id });
  await insertRoles(call, draft.record, request.roleIds);
  const group = await withRoles(call, draft.record, request.roleIds.length > 0);
  await publishEvent(call, { type: `group.${kind}`, tenantId, linkedObjectId: id, fields: { group, original } });
}

async function withRoles(call: OperationCall, group: Group, mayHaveRoles: boolean): Promise<Group> {
  const roles = mayHaveRoles ? (await findRolesOfGroups(call, [group.id])).get(group.id) : undefined;
  return roles === undefined ? group : { ...group, roles: byApplication(roles) };
}

async function insertRoles(call: WriteCall, { id: groupId, tenantId }: Group, roleIds: readonly string[]): Promise<void> {
  if (roleIds.length === 0) return;
  const links = roleIds.map((roleId) => ({ tenantId, columns: { groupId, roleId } }));
  await insertLinks(call, groupRolesTable, links);
}

async function describeRemovedGroups(call: WriteCall, records: readonly StoredRecord[]): Promise<readonly NewEvent[]> {
  const toText = await groupPresenter(call, records);
  return records.map((record) => {
    const { id, tenantId } = record;
    const group = new CanonicalText(toText(record));
    return { type: "group.delete", tenantId: tenantId ?? "", linkedObjectId: id, fields: { group } };
  });
}

/** The events of groups that lose roles. The event of a removed group covers its own links. */
async function describeRemovedRoles(
  call: WriteCall,
  links: readonly StoredRecord[],
  removedWith?: Table,
): Promise<readonly NewEvent[]> {
  if (removedWith?.name !== applicationRolesTable.name) return [];
  const lost = links.map(readLink);
  const values = [...new Set(lost.map(({ groupId }) => groupId))];
  const found = await call.reader.find(globalScope, groupsTable, { op: "in", column: "id", values });
  const rolesByGroup = await findRolesOfGroups(call, values);
  const lostByGroup = Map.groupBy(lost, ({ groupId }) => groupId);
  return found.map((stored) => {
    const group = parseRecord<Group>(stored);
    const before = rolesByGroup.get(stored.id) ?? [];
    const lostIds = new Set(lostByGroup.get(stored.id)?.map(({ roleId }) => roleId));
    const after = before.filter(({ id }) => !lostIds.has(id));
    const fields = { group: { ...group, roles: byApplication(after) }, original: { ...group, roles: byApplication(before) } };
    return { type: "group.update", tenantId: group.tenantId, linkedObjectId: stored.id, fields };
  });
}

async function toRequestDocument(call: OperationCall, stored: StoredRecord, group: Group): Promise<Record<string, unknown>> {
  const { roles: _derived, ...fields } = group;
  const rolesByGroup = await findRolesOfGroups(call, hasRoles(stored) ? [stored.id] : []);
  return { group: fields, roleIds: (rolesByGroup.get(stored.id) ?? []).map((role) => role.id) };
}

function present(call: OperationCall, records: readonly StoredRecord[]): readonly string[] | Promise<readonly string[]> {
  const withRoles = records.filter(hasRoles);
  if (withRoles.length === 0) return records.map((record) => record.json);
  return groupPresenter(call, withRoles).then((toText) => mapWithinLimit(call.service, records, toText));
}

async function groupPresenter(call: OperationCall, records: readonly StoredRecord[]): Promise<(record: StoredRecord) => string> {
  const ids = records.filter(hasRoles).map((record) => record.id);
  const rolesByGroup = await findRolesOfGroups(call, ids);
  return (record) => {
    const roles = rolesByGroup.get(record.id);
    return roles === undefined ? record.json : addMembers(record.json, { roles: byApplication(roles) });
  };
}

/** The roles of each group that has some: two statements, for any number of groups. */
async function findRolesOfGroups(
  call: OperationCall,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly DirectoryRole[]>> {
  if (ids.length === 0) return new Map();
  const links = await call.reader.find(globalScope, groupRolesTable, { op: "in", column: "groupId", values: ids });
  const pairs = links.map(readLink);
  const roleIds = [...new Set(pairs.map((pair) => pair.roleId))];
  const roles = roleIds.length === 0 ? [] : await call.service.directory.findRoles(globalDirectoryContext(call), { roleIds });
  const byId = new Map(roles.map((role) => [role.id, role]));
  const found = new Map<string, DirectoryRole[]>();
  for (const { groupId, roleId } of pairs) {
    const role = byId.get(roleId);
    if (role !== undefined) found.set(groupId, [...(found.get(groupId) ?? []), role]);
  }
  return found;
}

function readLink({ json }: StoredRecord): { readonly groupId: string; readonly roleId: string } {
  return JSON.parse(json) as ReturnType<typeof readLink>;
}

function byApplication(roles: readonly DirectoryRole[]): Record<string, ApplicationRole[]> {
  const sorted = roles.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
  const grouped: Record<string, ApplicationRole[]> = {};
  for (const { applicationId, tenantId: _tenantId, ...role } of sorted) {
    grouped[applicationId] ??= [];
    grouped[applicationId].push({ isDefault: false, isSuperRole: false, insertInstant: 0, lastUpdateInstant: 0, ...role });
  }
  return grouped;
}

/** The events of removed groups and roles. */
export const describeRemoved: FamilyRulesModule["describeRemoved"] = {
  groups: describeRemovedGroups,
  groupRoles: describeRemovedRoles,
};

export const example: FamilyExample<GroupRequest> = ({ number }) => ({ group: { name: `Group ${number}` } });
