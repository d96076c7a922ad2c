import { parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { findPairs, insertMembers, makeMember, toMember } from "../../people/group-members/memberships.js";
import { operations as registrationOperations } from "../../people/registrations/rules.js";
import { operations as userOperations } from "../../people/users/rules.js";
import { type StoredRecord, tenantScope } from "../../ports/storage.js";
import { registrationsTable } from "../../records/registrations/family.js";
import type { Registration } from "../../records/users/schema.js";
import type { ImportReferences } from "../bulk-users/import-references.js";
import type { PreparedRow } from "./prepare-rows.js";

/** Members that do not change an existing user, such as ids and credentials. */
const kept: ReadonlySet<string> = new Set([
  ...["consents", "earlierPasswordHashes", "identities", "moderationId", "passkeys", "usernameStatus"],
  ...["active", "encryptionScheme", "factor", "id", "insertInstant", "lastLoginInstant", "memberships", "password"],
  ...[
    "passwordHash",
    "passwordLastUpdateInstant",
    "registrations",
    "salt",
    "tenantId",
    "twoFactor",
    "verified",
    "verifiedInstant",
  ],
]);

const keptOfRegistration: ReadonlySet<string> = new Set(["insertInstant", "lastLoginInstant", "verified"]);

type Members = Readonly<Record<string, unknown>>;

/**
 * Updates a user from a row: its members as by a merge patch, registrations and memberships added or changed. Password, second
 * factor and state stay.
 * @throws IdentityError like the single calls.
 */
export async function updateUser(
  call: WriteCall,
  { given, user }: PreparedRow,
  stored: StoredRecord,
  references: ImportReferences,
): Promise<void> {
  const fields = without(given, kept);
  const run = (operation: Run, params: Params, body: Members): Promise<void> =>
    runWithin({ ...call, params: { ...params, userId: stored.id }, body }, operation);
  if (Object.keys(fields).length > 0) await run(userOperations?.patch, {}, { user: fields });
  const registered = await registrationsOf(call, stored);
  for (const [index, { applicationId }] of user.registrations.entries()) {
    const registration = without(listAt(given, "registrations", index), keptOfRegistration);
    const operation = registered.has(applicationId) ? registrationOperations?.patch : registrationOperations?.create;
    await run(operation, { applicationId }, { registration });
  }
  await addMemberships(call, user.memberships, stored, references);
}

type Run = ((call: WriteCall) => Promise<unknown>) | undefined;
type Params = Readonly<Record<string, string>>;

// Runs another operation inside the transaction of this call.
async function runWithin(call: WriteCall, operation: Run): Promise<void> {
  const within: WriteCall = {
    ...call,
    bodyKind: "mergePatch",
    ifMatch: undefined,
    // A refusal by the storage rolls back this change alone.
    write: (work) => call.tx.savepoint(() => work(within)),
  };
  if (operation === undefined) throw new Error("The operation is gone.");
  await operation(within);
}

async function registrationsOf(call: WriteCall, { id, tenantId }: StoredRecord): Promise<ReadonlySet<string>> {
  const found = await call.reader.find(tenantScope(tenantId ?? ""), registrationsTable, {
    op: "equals",
    column: "userId",
    value: id,
  });
  return new Set(found.map((record) => parseRecord<Registration>(record).applicationId));
}

async function addMemberships(
  call: WriteCall,
  memberships: PreparedRow["user"]["memberships"],
  { id: userId, tenantId }: StoredRecord,
  { groups }: ImportReferences,
): Promise<void> {
  if (memberships.length === 0) return;
  const pairs = memberships.map(({ groupId }) => ({ groupId, userId }));
  const found = await findPairs(call, tenantScope(tenantId ?? ""), pairs);
  const existing = new Set(found.map((record) => toMember(record).groupId));
  for (const membership of memberships) {
    const group = groups.get(membership.groupId);
    if (group === undefined || existing.has(group.id)) continue;
    const now = call.service.runtime.clock();
    await insertMembers(call, group, [{ ...membership, userId }], (member) => makeMember(call, group, member, now));
  }
}

function without(members: Members, names: ReadonlySet<string>): Members {
  return Object.fromEntries(Object.entries(members).filter(([name, value]) => !names.has(name) && value !== null));
}

function listAt(given: Members, name: string, index: number): Members {
  const list = given[name];
  const item: unknown = Array.isArray(list) ? list[index] : undefined;
  return typeof item === "object" && item !== null ? { ...item } : {};
}
