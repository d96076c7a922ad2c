import { FieldErrorList, fieldError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { findInChunks, runBulkWrite } from "../../operations/bulk-write.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import { assertRecordSize } from "../../operations/family/response-size.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { assertUsableTenant } from "../../operations/references/references.js";
import { globalScope, type RecordToStore, type StoredRecord, tenantScope, UniqueViolation } from "../../ports/storage.js";
import { applicationsTable } from "../../records/applications/family.js";
import type { Application } from "../../records/applications/schema.js";
import type { ImportedRefreshToken } from "../../records/bulk-users/refresh-token-schema.js";
import { refreshTokensTable } from "../../records/refresh-tokens/family.js";
import type { RefreshToken } from "../../records/refresh-tokens/schema.js";
import { registrationsTable } from "../../records/registrations/family.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { usersTable } from "../../records/users/family.js";
import { digestSecret } from "../../security/seal.js";
import { tokenSettingsOf } from "../../sessions/ending/lifetimes.js";
import { proofOf } from "../../sessions/validity/proof.js";
import { inChunks, manyItems } from "../../shared/in-steps.js";
import { formatPath } from "../../shared/text.js";

const refreshTokenImportRequest = lazySchema("import", "refreshTokenImportRequest");

const stepSize = 500;

/**
 * POST: stores the digests of refresh tokens from another system, all of them or none.
 * @throws IdentityError 400 `[invalid]refreshTokens[…].userId` for an unknown user, and for one without a registration to the
 *   application.
 */
export async function importRefreshTokens(call: OperationCall): Promise<OperationResult> {
  const { refreshTokens } = await parseWith(refreshTokenImportRequest, call.body);
  if (refreshTokens.length === 0) throw fieldError("empty", "refreshTokens");
  const store = async (write: WriteCall): Promise<void> => {
    let start = 0;
    await inChunks({ ...call.service.runtime, size: stepSize }, refreshTokens, async (chunk) => {
      await storeTokens(write, chunk, start);
      start += chunk.length;
    });
  };
  try {
    await runBulkWrite(call, store, refreshTokens.length > manyItems);
  } catch (error) {
    if (error instanceof UniqueViolation) throw fieldError("duplicate", "refreshTokens");
    throw error;
  }
  return emptyResult;
}

async function storeTokens(call: WriteCall, tokens: readonly ImportedRefreshToken[], start: number): Promise<void> {
  const owners = await findOwners(call, tokens, start);
  const records = tokens.map((token, index) => {
    const record = toRecord(call, token, owners[index] as Owner);
    assertRecordSize(call.service, record, formatPath(["refreshTokens", start + index]));
    return record;
  });
  for (const [tenantId, ofTenant] of Map.groupBy(records, (record) => record.tenantId ?? ""))
    await call.tx.insert(tenantScope(tenantId), refreshTokensTable, ofTenant);
}

interface Owner {
  readonly user: StoredRecord;
  readonly tenant: StoredRecord;
  readonly application: Application | undefined;
}

async function findOwners(call: WriteCall, tokens: readonly ImportedRefreshToken[], start: number): Promise<readonly Owner[]> {
  const userIds = [...new Set(tokens.map(({ userId }) => userId))];
  const users = byId(await findInChunks(call, call.scope, { table: usersTable, column: "id", values: userIds }));
  const registrations = await findInChunks(call, call.scope, {
    table: registrationsTable,
    column: "userId",
    values: userIds,
  });
  const registered = new Set(registrations.map(keyOfRegistration));
  const applicationIds = [...new Set(tokens.flatMap(({ applicationId }) => applicationId ?? []))];
  const list = { table: applicationsTable, column: "id", values: applicationIds };
  const applications = byId(await findInChunks(call, globalScope, list));
  const tenants = new Map<string, StoredRecord | undefined>();
  for (const { tenantId } of users.values())
    if (!tenants.has(tenantId ?? "")) tenants.set(tenantId ?? "", await assertUsableTenant(call, tenantId));
  const errors = new FieldErrorList();
  const owners = tokens.flatMap(({ applicationId, userId }, index) => {
    const tenant = tenants.get(users.get(userId)?.tenantId ?? "");
    const isRegistered = applicationId === undefined || registered.has(`${userId} ${applicationId}`);
    if (tenant === undefined || !isRegistered) errors.add("invalid", formatPath(["refreshTokens", start + index, "userId"]));
    const application = applications.get(applicationId ?? "");
    const user = users.get(userId);
    if (tenant === undefined || user === undefined) return [];
    return { user, tenant, application: application && parseRecord<Application>(application) };
  });
  errors.throwIfAny();
  return owners;
}

function byId(records: readonly StoredRecord[]): ReadonlyMap<string, StoredRecord> {
  return new Map(records.map((record) => [record.id, record]));
}

function keyOfRegistration(stored: StoredRecord): string {
  const { applicationId } = parseRecord<{ readonly applicationId: string }>(stored);
  return `${parseHidden<{ readonly userId: string }>(stored)?.userId} ${applicationId}`;
}

function toRecord(call: WriteCall, given: ImportedRefreshToken, { application, tenant, user }: Owner): RecordToStore {
  const { clock, newId } = call.service.runtime;
  const { applicationId, id = newId(), insertInstant = clock(), metaData, token, userId } = given;
  const { startInstant = insertInstant } = given;
  const tenantId = tenant.id;
  const record: RefreshToken = { applicationId, id, insertInstant, metaData, startInstant, tenantId, userId };
  const { refreshSeconds } = tokenSettingsOf(parseRecord<Tenant>(tenant), application);
  const expirationInstant = startInstant + refreshSeconds * 1_000;
  const columns = { applicationId: applicationId ?? null, digest: digestSecret(token), expirationInstant, userId };
  const instants = { insertInstant, lastUpdateInstant: insertInstant };
  // The caller of the import vouches for the session.
  const proof = proofOf(user, []);
  const hidden = toCanonicalJson({ isRegistered: applicationId === undefined ? undefined : true, proof });
  return { id, tenantId, version: 1, json: toCanonicalJson(record), hidden, columns, ...instants };
}
