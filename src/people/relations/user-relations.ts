import { addMembers, type CanonicalText, toListText } from "../../json/canonical-json.js";
import { parseHidden } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { findEach } from "../../operations/read-cache.js";
import type { Filter, StoredRecord } from "../../ports/storage.js";
import {
  type LegacyTwoFactor,
  presentTwoFactor,
  type TwoFactor,
  type TwoFactorState,
  toLegacyTwoFactor,
} from "../../records/factors/two-factor-state.js";
import { groupMembersTable } from "../../records/group-members/family.js";
import { registrationsTable } from "../../records/registrations/family.js";

/** Related data of a user, ready to be spliced into the user's text: there may be very many memberships. */
interface UserRelations extends Partial<LegacyTwoFactor> {
  readonly memberships: CanonicalText;
  readonly registrations: CanonicalText;
  readonly twoFactor?: TwoFactor | undefined;
}

/** Returns the relations of a user; undefined for none. */
type FindRelations = (user: Pick<StoredRecord, "id" | "hidden">) => UserRelations | undefined;

interface StoredRelations {
  readonly memberships?: readonly string[] | undefined;
  readonly registrations?: readonly string[] | undefined;
}

// One statement for all users of a page.
async function readRelations(call: OperationCall, ids: readonly string[]): Promise<FindRelations> {
  const [only, another] = ids;
  // A list takes three times as long as a value.
  const ofUsers: Filter =
    another === undefined ? { op: "equals", column: "userId", value: only ?? null } : { op: "in", column: "userId", values: ids };
  const { answerSize: sizeLimit } = call.service;
  const ofEach = [groupMembersTable, registrationsTable].map((table) => ({
    scope: call.scope,
    table,
    filter: ofUsers,
    sizeLimit,
  }));
  const [memberships, registrations] = (await findEach(call.reader, ofEach)).map((found) => groupByUser(found, ids));
  return ({ hidden, id }) =>
    toRelations(call, hidden, { memberships: memberships?.get(id), registrations: registrations?.get(id) });
}

function toRelations(call: OperationCall, hidden: string | null, stored: StoredRelations): UserRelations | undefined {
  const { memberships, registrations } = stored;
  const secondFactor = findSecondFactor(call, hidden);
  if (memberships === undefined && registrations === undefined && secondFactor === undefined) return undefined;
  const derived = { memberships: toListText(memberships ?? []), registrations: toListText(registrations ?? []) };
  return { ...derived, ...secondFactor };
}

/** A user in JSON with relations that are already loaded. */
export function presentWith(
  call: OperationCall,
  user: StoredRecord,
  { memberships, registrations }: Readonly<Record<"memberships" | "registrations", readonly StoredRecord[]>>,
): string {
  // In the order of a read.
  const texts = (records: readonly StoredRecord[]): readonly string[] | undefined =>
    records.length === 0 ? undefined : records.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ json }) => json);
  const relations = toRelations(call, user.hidden, { memberships: texts(memberships), registrations: texts(registrations) });
  return relations === undefined ? user.json : addMembers(user.json, { ...relations });
}

/** New users in JSON, without relations. */
export function presentNew(call: OperationCall, records: readonly StoredRecord[]): readonly string[] {
  return records.map((record) => presentWith(call, record, { memberships: [], registrations: [] }));
}

/** The relations of one user. */
export async function relationsOf(call: OperationCall, user: Pick<StoredRecord, "id" | "hidden">): Promise<UserRelations> {
  const find = await readRelations(call, [user.id]);
  return find(user) ?? { memberships: toListText([]), registrations: toListText([]) };
}

/** Users in JSON with their relations. */
export async function presentWithRelations(call: OperationCall, records: readonly StoredRecord[]): Promise<readonly string[]> {
  if (records.length === 0) return [];
  const ids = [...new Set(records.map((record) => record.id))];
  const find = await readRelations(call, ids);
  return records.map((record) => {
    const relations = find(record);
    return relations === undefined ? record.json : addMembers(record.json, { ...relations });
  });
}

// From 1.26.0 on, only users with a second factor show one, so that most texts are served as stored.
function findSecondFactor(
  { service }: OperationCall,
  hidden: string | null,
): LegacyTwoFactor | { readonly twoFactor: TwoFactor | undefined } | undefined {
  const hasState = hidden?.includes('"twoFactor"') ?? false;
  const state = hasState ? parseHidden<{ readonly twoFactor?: TwoFactorState }>({ hidden })?.twoFactor : undefined;
  if (service.availability.behaves("legacyTwoFactor")) return toLegacyTwoFactor(state);
  const twoFactor = state && presentTwoFactor(state);
  return twoFactor && { twoFactor };
}

function groupByUser(records: readonly StoredRecord[], ids: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const grouped = new Map<string, string[]>();
  const [only, second] = ids;
  for (const record of records) {
    // With one user, the texts need not be parsed for their owner.
    const userId = second === undefined ? (only ?? "") : ownerOf(record);
    const known = grouped.get(userId);
    if (known === undefined) grouped.set(userId, [record.json]);
    else known.push(record.json);
  }
  return grouped;
}

function ownerOf(record: StoredRecord): string {
  const { userId } = JSON.parse(record.json) as { readonly userId?: string };
  return userId ?? parseHidden<{ readonly userId: string }>(record)?.userId ?? "";
}
