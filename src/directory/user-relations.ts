import { addMembers, parseHidden } from "../operations/family.js";
import type { OperationCall } from "../operations/operation.js";
import type { StoredRecord } from "../ports/storage.js";
import { groupMembersTable } from "../resources/group-members/table.js";
import { registrationsTable } from "../resources/registrations/table.js";
import type { User } from "../resources/users/schema.js";
import {
  type LegacyTwoFactor,
  type TwoFactor,
  type TwoFactorState,
  toLegacyTwoFactor,
  toShownTwoFactor,
} from "../sessions/two-factor-state.js";
import { toCanonicalJson } from "../values/canonical-json.js";

/** Users in JSON with what belongs to them: two statements for all users of a page, however many groups and applications they are in. */
export async function presentWithRelations(call: OperationCall, records: readonly StoredRecord[]): Promise<readonly string[]> {
  if (records.length === 0) return [];
  const ofUsers = { op: "in", column: "userId", values: records.map((record) => record.id) } as const;
  const { answerSize: sizeLimit } = call.service;
  const memberships = groupByUser(await call.reader.find(call.scope, groupMembersTable, ofUsers, { sizeLimit }));
  const registrations = groupByUser(await call.reader.find(call.scope, registrationsTable, ofUsers, { sizeLimit }));
  return records.map((record) => {
    const own = { memberships: memberships.get(record.id), registrations: registrations.get(record.id) };
    const secondFactor = findSecondFactor(call, record);
    if (own.memberships === undefined && own.registrations === undefined && secondFactor === undefined) return record.json;
    const derived = { memberships: own.memberships ?? [], registrations: own.registrations ?? [] };
    return addMembers(record.json, { ...derived, ...secondFactor });
  });
}

/** A user as the wire shows it, as events do; `hidden` is what the wire does not. */
export async function withRelations(call: OperationCall, user: User, hidden: string | null): Promise<User> {
  const { id, tenantId } = user;
  const [json = "{}"] = await presentWithRelations(call, [{ id, tenantId, version: 0, json: toCanonicalJson(user), hidden }]);
  return JSON.parse(json) as User;
}

// From 1.26.0 on only those who have a second factor show one, so that most texts stay as they are kept.
function findSecondFactor(
  { service }: OperationCall,
  { hidden }: StoredRecord,
): LegacyTwoFactor | { readonly twoFactor: TwoFactor | undefined } | undefined {
  const hasState = hidden?.includes('"twoFactor"') ?? false;
  const state = hasState ? parseHidden<{ readonly twoFactor?: TwoFactorState }>({ hidden })?.twoFactor : undefined;
  if (service.availability.behaves("legacyTwoFactor")) return toLegacyTwoFactor(state);
  const twoFactor = state && toShownTwoFactor(state);
  return twoFactor && { twoFactor };
}

function groupByUser(records: readonly StoredRecord[]): ReadonlyMap<string, readonly object[]> {
  const grouped = new Map<string, object[]>();
  for (const record of records) {
    const value = JSON.parse(record.json) as { readonly userId?: string };
    const userId = value.userId ?? parseHidden<{ readonly userId: string }>(record)?.userId ?? "";
    const known = grouped.get(userId);
    if (known === undefined) grouped.set(userId, [value]);
    else known.push(value);
  }
  return grouped;
}
