import { fieldError, IdentityError } from "../../errors/identity-error.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { findInChunks } from "../../operations/bulk-write.js";
import { conflictOf } from "../../operations/family/record-steps.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { createRecord } from "../../operations/verbs/create.js";
import { changeRecord } from "../../operations/verbs/update.js";
import { writeGroups } from "../../people/group-members/member-batches.js";
import { type MemberSet, merging, toMemberSet } from "../../people/group-members/member-writes.js";
import { isEqualData, type StoredMember } from "../../people/group-members/memberships.js";
import { registrations } from "../../people/registrations/rules.js";
import { presentUser } from "../../people/relations/present-user.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import type { NewGroupMember } from "../../records/group-members/schema.js";
import { groupsTable } from "../../records/groups/family.js";
import { registrationsTable } from "../../records/registrations/family.js";
import type { ParsedRegistrationRequest } from "../../records/registrations/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import type { Registration, User } from "../../records/users/schema.js";
import { findRegistration } from "../../sessions/subjects/token-subject.js";
import { isObject } from "../../shared/objects.js";
import { foldText, parseUuid } from "../../shared/text.js";

const groupMembersRequest = lazySchema("groups", "groupMembersRequest");

/** The maximum number of registrations and memberships that one login changes. */
const maxItems = { registrations: 100, memberships: 1_000 } as const;

type Members = Readonly<Record<string, unknown>>;

/** The registrations and memberships of a user to write, and the reasons why others are left out. */
export interface UserRelations {
  readonly registrations: readonly RegistrationToWrite[];
  readonly memberships: readonly MemberSet[];
  /** Grows during the write. */
  readonly faults: string[];
}

interface RegistrationToWrite {
  readonly path: string;
  readonly applicationId: string;
  /** The id of the registration; empty for a new one. */
  readonly id: string;
  readonly request: ParsedRegistrationRequest;
}

interface KnownUser extends Pick<User, "registrations"> {
  readonly id: string;
  readonly memberships: readonly StoredMember[];
}

/**
 * Prepares the registrations and memberships in a connector's response
 * (docs/reference/connectors.md#registrations-and-memberships). Call it outside of transactions: it may call a moderation service
 * for usernames.
 */
export async function prepareRelations(
  call: OperationCall,
  said: Members,
  { before, userId }: { readonly before: StoredRecord | undefined; readonly userId: string },
): Promise<UserRelations> {
  const faults: string[] = [];
  const [registered, joined] = [listOf(said, "registrations", faults), listOf(said, "memberships", faults)];
  if (registered.length + joined.length === 0) return { registrations: [], memberships: [], faults };
  const known: KnownUser =
    before === undefined ? { id: userId, memberships: [], registrations: [] } : JSON.parse(await presentUser(call, before));
  const registrations: RegistrationToWrite[] = [];
  for (const item of registered) {
    const asked = await skipFaults(faults, item.path, () => parseChanged(known, item));
    if (asked !== undefined) registrations.push(asked);
  }
  const prepared: RegistrationToWrite[] = [];
  for (const one of limit("registrations", registrations, faults)) {
    const ready = await skipFaults(faults, one.path, () => moderate(call, known.id, one));
    if (ready !== undefined) prepared.push(ready);
  }
  return { registrations: prepared, memberships: await prepareMemberships(call, known, { faults, items: joined }), faults };
}

/** Whether nothing is to be written. */
export function isEmptyOfRelations({ memberships, registrations }: UserRelations): boolean {
  return memberships.length + registrations.length === 0;
}

/** Writes them, with their events, for a stored user; records not in the tenant become faults. */
export async function writeRelations(call: WriteCall, user: StoredRecord, relations: UserRelations): Promise<void> {
  const within: WriteCall = { ...call, scope: tenantScope(user.tenantId ?? "") };
  for (const registration of relations.registrations) {
    const write = (): Promise<void> => writeRegistration(within, user, registration);
    await skipFaults(relations.faults, registration.path, () => call.tx.savepoint(write));
  }
  // Of two concurrent logins, one finds the memberships of the other.
  const join = (): Promise<unknown> => writeGroups(merging, within, relations.memberships, () => undefined);
  await skipFaults(relations.faults, "memberships", () => call.tx.savepoint(join));
}

interface Item {
  readonly item: Members;
  readonly path: string;
}

function listOf(said: Members, name: "memberships" | "registrations", faults: string[]): readonly Item[] {
  const value = said[name] ?? [];
  if (Array.isArray(value)) return value.map((item, index) => ({ item: isObject(item) ? item : {}, path: `${name}[${index}]` }));
  faults.push(`${name} is no list`);
  return [];
}

// Drops the rest, to bound the cost of a login.
function limit<Item extends { readonly path: string }>(
  name: "memberships" | "registrations",
  items: readonly Item[],
  faults: string[],
): readonly Item[] {
  const next = items[maxItems[name]];
  if (next !== undefined) faults.push(`${next.path} and what follows: one login changes at most ${maxItems[name]} ${name}`);
  return items.slice(0, maxItems[name]);
}

// Field errors affect one item only. Other errors end the login.
async function skipFaults<T>(faults: string[], path: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const codes = error instanceof IdentityError ? Object.values(error.fieldErrors).flat() : [];
    if (codes.length === 0 || conflictOf(error) !== undefined) throw error;
    faults.push(`${path}: ${codes.map(({ code }) => code).join(", ")}`);
    return undefined;
  }
}

async function parseChanged(known: KnownUser, { item, path }: Item): Promise<RegistrationToWrite | undefined> {
  const { verified: _vouched, ...said } = item;
  const asked = await parseRegistration(said);
  const { applicationId } = asked.registration;
  if (applicationId === undefined) throw fieldError("missing", "registration.applicationId");
  const before = known.registrations.find((one) => one.applicationId === applicationId);
  if (before === undefined) return { path, applicationId, id: "", request: asked };
  const request = await parseRegistration({ ...fieldsOf(before), ...said });
  const isSame = toComparable(request) === toComparable(await parseRegistration(fieldsOf(before)));
  return isSame ? undefined : { path, applicationId, id: before.id, request };
}

// Roles are a set, compared without regard to case.
function toComparable({ registration }: ParsedRegistrationRequest): string {
  return toCanonicalJson({ ...registration, roles: [...new Set(registration.roles.map(foldText))].sort() });
}

async function moderate(call: OperationCall, userId: string, asked: RegistrationToWrite): Promise<RegistrationToWrite> {
  const { applicationId, id, request } = asked;
  const stored = id === "" ? undefined : await call.reader.retrieve(call.scope, registrationsTable, id);
  const within = { ...call, params: { userId, applicationId } };
  return { ...asked, request: (await registrations.rules.prepare?.(within, request, { id, stored })) ?? request };
}

function fieldsOf({ verified: _stays, ...fields }: Registration): Members {
  return fields;
}

function parseRegistration(registration: Members): Promise<ParsedRegistrationRequest> {
  return parseWith(registrations.request, { registration, skipRegistrationVerification: true });
}

async function writeRegistration(
  call: WriteCall,
  { id: userId, tenantId }: StoredRecord,
  { applicationId, request }: RegistrationToWrite,
): Promise<void> {
  const within: WriteCall = { ...call, params: { userId, applicationId } };
  const fresh = await findRegistration(within, { id: userId, tenantId: tenantId ?? "" }, applicationId);
  if (fresh === undefined) await createRecord(within, registrations, request, call.service.runtime.newId());
  else await changeRecord(within, registrations, fresh, request);
}

async function prepareMemberships(
  call: OperationCall,
  known: KnownUser,
  { faults, items }: { readonly faults: string[]; readonly items: readonly Item[] },
): Promise<readonly MemberSet[]> {
  const before = new Map(known.memberships.map(({ data, groupId }) => [groupId, data]));
  // Keyed by group, which may occur twice.
  const changed = new Map<string, MembershipToWrite>();
  for (const { item, path } of items) {
    const asked = await skipFaults(faults, path, () => parseMembership(known.id, item, path));
    const data = asked && before.get(asked.groupId);
    const isSame = data !== undefined && isEqualData(data, asked?.member.data ?? data);
    if (asked !== undefined && !isSame) changed.set(asked.groupId, asked);
  }
  const wanted = limit("memberships", [...changed.values()], faults);
  const list = { table: groupsTable, column: "id", values: wanted.map(({ groupId }) => groupId) };
  const groups = new Map((await findInChunks(call, call.scope, list)).map((group) => [group.id, group]));
  const sets: MemberSet[] = [];
  for (const { groupId, member, path } of wanted) {
    const group = groups.get(groupId);
    if (group === undefined) faults.push(`${path}: the tenant has no group ${groupId}`);
    else sets.push(await toMemberSet(call.service.runtime, group, [member]));
  }
  return sets;
}

interface MembershipToWrite {
  readonly path: string;
  readonly groupId: string;
  readonly member: NewGroupMember;
}

async function parseMembership(userId: string, { groupId, data }: Members, path: string): Promise<MembershipToWrite> {
  const id = typeof groupId === "string" ? parseUuid(groupId) : undefined;
  if (id === undefined) throw fieldError("invalid", "groupId");
  const { members } = await parseWith(groupMembersRequest, { members: { [id]: [{ userId, data }] } });
  return { path, groupId: id, member: members[id]?.[0] ?? { userId } };
}
