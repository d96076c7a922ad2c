import { lazySchema, parseWith } from "../../http/schema/parse-with.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { CanonicalText } from "../../json/canonical-json.js";
import { recordAuditChanges } from "../../operations/audit-change.js";
import { runBulkWrite } from "../../operations/bulk-write.js";
import { publishEvents } from "../../operations/events/publish-event.js";
import type { NewEvent } from "../../operations/events/recorded-event.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { assertRecordSize } from "../../operations/response-size.js";
import { type RecordToStore, type StoredRecord, type Table, tenantScope, UniqueViolation } from "../../ports/storage.js";
import { insertMembers, makeMember } from "../../resources/group-members/memberships.js";
import { registrationsTable } from "../../resources/registrations/family.js";
import { usersTable } from "../../resources/users/family.js";
import { presentWithRelations } from "../../resources/users/user-relations.js";
import { inChunks, manyItems } from "../../shared/in-steps.js";
import { describeDuplicates } from "./find-duplicates.js";
import { type ImportStep, toDrafts } from "./import-drafts.js";
import { findReferences, findTenants } from "./import-references.js";
import { toPasswordHashes } from "./imported-passwords.js";
import { assertUnique, parseUsers, pathOf } from "./parse-import.js";

const importOptions = lazySchema(() => import("../../resources/bulk-users/schema.js"), "importOptions");

/** How many users are stored, and published, together. */
const stepSize = 500;

/**
 * POST: stores users with their registrations, memberships, second factors and passwords, all of them or none.
 * @throws IdentityError 400 with all field errors at once; `[duplicate]users[…]` names the values that are in use.
 */
export async function importUsers(call: OperationCall): Promise<OperationResult> {
  const options = await parseWith(importOptions, call.body);
  const parsed = await parseUsers(call);
  const tenants = await findTenants(call, parsed);
  assertUnique(
    parsed,
    tenants.map(({ id }) => id),
  );
  const hashes = await toPasswordHashes(parsed, options);
  const { clock, newId } = call.service.runtime;
  const users = parsed.map((user) => ({ ...user, id: user.id ?? newId() }));
  const store = async (write: WriteCall): Promise<void> => {
    const references = await findReferences(write, users);
    for (const [tenantId, indexes] of Map.groupBy(users.keys(), (index) => references.tenants[index]?.id ?? ""))
      await inChunks(
        indexes,
        (chunk) => storeUsers(write, { chunk, hashes, now: clock(), references, tenantId, users }),
        stepSize,
      );
  };
  try {
    await runBulkWrite(call, store, users.length > manyItems);
  } catch (error) {
    throw error instanceof UniqueViolation ? await describeDuplicates(call, users, tenants, error) : error;
  }
  return emptyResult;
}

async function storeUsers(call: WriteCall, step: ImportStep): Promise<void> {
  const { chunk, tenantId } = step;
  const { registrations, stored } = toDrafts(call, step);
  for (const [place, record] of stored.entries()) assertRecordSize(call.service, record, pathOf(chunk[place] ?? 0));
  const scope = tenantScope(tenantId);
  const insert = async (table: Table, records: readonly RecordToStore[]): Promise<void> => {
    if (records.length > 0) await call.tx.insert(scope, table, records);
  };
  await insert(usersTable, stored);
  await insert(registrationsTable, registrations);
  await storeMemberships(call, step);
  await publish(call, tenantId, stored);
}

async function storeMemberships(call: WriteCall, { chunk, now, references, users }: ImportStep): Promise<void> {
  const members = chunk.flatMap((index) =>
    (users[index]?.memberships ?? []).map((one) => ({ ...one, userId: users[index]?.id ?? "" })),
  );
  for (const [groupId, ofGroup] of Map.groupBy(members, (member) => member.groupId)) {
    const group = references.groups.get(groupId);
    if (group !== undefined) await insertMembers(call, group, ofGroup, (member) => makeMember(call, group, member, now));
  }
}

async function publish(call: WriteCall, tenantId: string, stored: readonly StoredRecord[]): Promise<void> {
  const texts = await presentWithRelations(call, stored);
  const event: NewEvent = { type: "user.bulk.create", tenantId, fields: { users: new CanonicalText(`[${texts.join(",")}]`) } };
  await publishEvents(call, [event]);
  if (call.service.auditing === undefined) return;
  const sides = texts.map((text) => [undefined, JSON.parse(text)] as const);
  await recordAuditChanges(call, "users", tenantId, sides);
}
