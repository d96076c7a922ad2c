import type { CanonicalText } from "../../json/canonical-json.js";
import type { NewEvent } from "../../operations/events/recorded-event.js";
import { conflictOf } from "../../operations/family/record-steps.js";
import type { AnyOperation, OperationCall, WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import { type RecordToStore, type StoredRecord, tenantScope } from "../../ports/storage.js";
import { usersTable } from "../../records/users/family.js";
import type { User } from "../../records/users/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { presentWithRelations } from "../relations/user-relations.js";

/** A changed user: in its new form, its original form, and the form of events. */
interface ChangedUser {
  readonly user: User;
  readonly original: User;
  readonly shown: CanonicalText;
}

/**
 * Publishes `user.identity.update` and `user.email.update` for each login id that a user gained, lost or changed
 * (docs/reference/events.md#event-types).
 */
export async function publishNewLoginIds(call: WriteCall, { user, original, shown }: ChangedUser): Promise<void> {
  const event = { tenantId: user.tenantId, linkedObjectId: user.id };
  if (original.email !== undefined && original.email !== user.email)
    await publishEvent(call, { ...event, type: "user.email.update", fields: { user: shown, previousEmail: original.email } });
  for (const loginIdType of ["email", "phoneNumber", "username"] as const) {
    const [newLoginId, previousLoginId] = [user[loginIdType], original[loginIdType]];
    if (newLoginId === previousLoginId) continue;
    const fields = { loginIdType, newLoginId, previousLoginId, user: shown };
    await publishEvent(call, { ...event, type: "user.identity.update", fields });
  }
}

/** The unique keys of users: their column, and the name of the login id in the event. */
const loginIds = {
  email: { column: "email", member: "duplicateEmail" },
  phoneNumber: { column: "phoneNumber", member: "duplicatePhoneNumber" },
  username: { column: "usernameFolded", member: "duplicateUsername" },
} as const;

type LoginIdType = keyof typeof loginIds;

/**
 * Wraps an operation: it also publishes `user.loginId.duplicate.*` when it refuses a user because of a login id in use
 * (docs/reference/events.md#event-types).
 */
export function publishDuplicates(run: AnyOperation["run"], kind: "create" | "update"): AnyOperation["run"] {
  const type = `user.loginId.duplicate.${kind}`;
  return async (call) => {
    try {
      return await run(call);
    } catch (error) {
      if (call.service.availability.isSent(type)) await tellDuplicates(call, type, error);
      throw error;
    }
  };
}

// The refused change rolls back, its event does not: the event has its own transaction.
async function tellDuplicates(call: OperationCall, type: string, error: unknown): Promise<void> {
  const taken = conflictOf(error);
  if (taken?.table !== usersTable) return;
  const types = (["email", "username", "phoneNumber"] as const).filter((key) => taken.keys.includes(key));
  await call.write(async (write) => {
    const existing = await findExisting(write, taken.record, types);
    for (const [user, own] of existing) await publishEvent(write, await toDuplicate(write, taken.record, { type, user, own }));
  });
}

// Two different users may have the email and the name.
async function findExisting(
  { tx }: WriteCall,
  { columns, tenantId }: RecordToStore,
  types: readonly LoginIdType[],
): Promise<ReadonlyMap<StoredRecord, readonly LoginIdType[]>> {
  const found = new Map<string, { readonly user: StoredRecord; readonly own: LoginIdType[] }>();
  for (const type of types) {
    const { column } = loginIds[type];
    const isHis = equalsFilter(column, columns[column] ?? null);
    const [user] = await tx.find(tenantScope(tenantId ?? ""), usersTable, isHis, { limit: 1 });
    if (user === undefined) continue;
    const known = found.get(user.id) ?? { user, own: [] };
    known.own.push(type);
    found.set(user.id, known);
  }
  return new Map([...found.values()].map(({ user, own }) => [user, own]));
}

async function toDuplicate(
  call: WriteCall,
  attempted: RecordToStore,
  { type, user, own }: { readonly type: string; readonly user: StoredRecord; readonly own: readonly LoginIdType[] },
): Promise<NewEvent> {
  const [existing = "{}", wanted = "{}"] = await presentWithRelations(call, [user, attempted]);
  const record = JSON.parse(wanted) as User;
  const duplicates = own.map((key) => [loginIds[key].member, record[key]] as const);
  const duplicateIdentities = own.map((key) => ({ type: key, value: record[key] }));
  const fields = { ...Object.fromEntries(duplicates), duplicateIdentities, existing: JSON.parse(existing), user: record };
  return { type, ...(user.tenantId !== null && { tenantId: user.tenantId }), linkedObjectId: user.id, fields };
}
