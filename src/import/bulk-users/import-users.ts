import type { OperationResult } from "../../http/transport/write-response.js";
import { toListText } from "../../json/canonical-json.js";
import { runBulkWrite } from "../../operations/bulk-write.js";
import { recordAuditChanges } from "../../operations/family/audit-change.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { publishEvents } from "../../operations/outbox/publish-event.js";
import { assertFreeLoginIds } from "../../people/users/shared-login-ids.js";
import { type RecordToStore, type StoredRecord, type Table, tenantScope, UniqueViolation } from "../../ports/storage.js";
import { groupMembersTable } from "../../records/group-members/family.js";
import { passkeysTable } from "../../records/passkeys/family.js";
import { registrationsTable } from "../../records/registrations/family.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { userConsentsTable } from "../../records/user-consents/family.js";
import { usersTable } from "../../records/users/family.js";
import { inPreparedChunks, manyItems } from "../../shared/in-steps.js";
import { describeDuplicates } from "./find-duplicates.js";
import { toUserToStore, type UserToStore } from "./import-drafts.js";
import { findReferences, findTenants } from "./import-references.js";
import { toPasswordHashes } from "./imported-passwords.js";
import { assertUnique, parseUsers, pathOf } from "./parse-import.js";

const importOptions = lazySchema("import", "importOptions");

/** Users are stored and published in chunks of `size`, and prepared in steps that do not block the event loop. */
const sizes = { size: 500, step: 50 };

/**
 * POST: stores users with their registrations, memberships, second factors and passwords, all of them or none.
 * @throws IdentityError 400 with all field errors at once; `[duplicate]users[…]` names the values in use.
 */
export async function importUsers(call: OperationCall): Promise<OperationResult> {
  const options = await parseWith(importOptions, call.body);
  const parsed = await parseUsers(call);
  const tenants = await findTenants(call, parsed);
  assertUnique(
    parsed,
    tenants.map(({ id }) => id),
  );
  const hashes = await toPasswordHashes(call, parsed, options, pathOf);
  const { clock, newId, timers } = call.service.runtime;
  const users = parsed.map((user) => ({ ...user, id: user.id ?? newId() }));
  const store = async (write: WriteCall): Promise<void> => {
    const { references, tenants: fresh } = await findReferences(write, users);
    for (const [tenant, indexes] of Map.groupBy(users.keys(), (index) => fresh[index] as StoredRecord)) {
      const step = { now: clock(), references, tenant };
      const prepare = (index: number): UserToStore =>
        toUserToStore(write, step, { user: users[index] as (typeof users)[number], hash: hashes[index] }, pathOf(index));
      await inPreparedChunks({ ...sizes, timers }, indexes, prepare, (chunk) => storeUsers(write, tenant.id, chunk));
    }
  };
  try {
    await runBulkWrite(call, store, users.length > manyItems);
  } catch (error) {
    throw error instanceof UniqueViolation ? await describeDuplicates(call, users, tenants, error) : error;
  }
  return emptyResult;
}

async function storeUsers(call: WriteCall, tenantId: string, users: readonly UserToStore[]): Promise<void> {
  await insertUsers(call, tenantId, users);
  await publishUsers(call, tenantId, users);
}

/**
 * Stores users of one tenant with related records. @throws {@link UniqueViolation} for a login id of another user, of any type.
 */
export async function insertUsers(call: WriteCall, tenantId: string, users: readonly UserToStore[]): Promise<void> {
  const insert = async (table: Table, records: readonly RecordToStore[]): Promise<void> => {
    if (records.length > 0) await call.tx.insert(tenantScope(tenantId), table, records);
  };
  const records = users.map(({ record }) => record);
  await assertFreeLoginIds(call, tenantId, records);
  await insert(usersTable, records);
  await insert(
    registrationsTable,
    users.flatMap(({ registrations }) => registrations),
  );
  await insert(
    groupMembersTable,
    users.flatMap(({ memberships }) => memberships),
  );
  await insert(
    userConsentsTable,
    users.flatMap(({ consents }) => consents),
  );
  await insert(
    passkeysTable,
    users.flatMap(({ passkeys }) => passkeys),
  );
}

/** Publishes users of one tenant in one event. */
export async function publishUsers(call: WriteCall, tenantId: string, users: readonly UserToStore[]): Promise<void> {
  const shown = toListText(users.map((user) => user.shown));
  await publishEvents(call, [{ type: "user.bulk.create", tenantId, fields: { users: shown } }]);
  await auditUsers(call, tenantId, users);
}

/** Writes audit log entries for new users, if the service audits changes. */
export async function auditUsers(call: WriteCall, tenantId: string, users: readonly UserToStore[]): Promise<void> {
  if (call.service.auditing === undefined) return;
  const record = (family: string, texts: readonly string[]): Promise<void> =>
    recordAuditChanges(
      call,
      family,
      tenantId,
      texts.map((text) => [undefined, JSON.parse(text)] as const),
    );
  await record(
    "users",
    users.map(({ shown }) => shown),
  );
  await record(
    "passkeys",
    users.flatMap(({ passkeys }) => passkeys.map(({ json }) => json)),
  );
}
