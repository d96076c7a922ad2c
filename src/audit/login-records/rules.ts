import type { OperationResult } from "../../http/transport/write-response.js";
import { addMembers, toCanonicalJson } from "../../json/canonical-json.js";
import { type BaseRecord, parseRecord, type SearchableFamily } from "../../operations/family/family.js";
import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { globalDirectoryContext, type OperationCall } from "../../operations/operation.js";
import type { RecordedLogin } from "../../operations/service-context.js";
import { searchPage } from "../../operations/verbs/read.js";
import type { IdGenerator } from "../../ports/runtime.js";
import { globalScope, type RecordToStore, type StoredRecord, type Transaction } from "../../ports/storage.js";
import { loginRecordFamily, loginRecordsTable } from "../../records/login-records/family.js";
import type { LoginRecord } from "../../records/login-records/schema.js";
import { usersTable } from "../../records/users/family.js";
import { exportLogins } from "./export-logins.js";

/** The family of login records (docs/reference/tokens.md#login-records). */
export const loginRecords: SearchableFamily<BaseRecord, unknown> = { ...loginRecordFamily, rules: { present } };

async function present(call: OperationCall, records: readonly StoredRecord[]): Promise<readonly string[]> {
  const ids = new Set(records.flatMap((record) => parseRecord<LoginRecord>(record).applicationId ?? []));
  const found = ids.size === 0 ? [] : await call.service.directory.findApplications(globalDirectoryContext(call), [...ids]);
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return records.map((record) => {
    const applicationName = names.get(parseRecord<LoginRecord>(record).applicationId ?? "");
    return applicationName === undefined ? record.json : addMembers(record.json, { applicationName });
  });
}

/** GET: returns the newest logins. */
async function recent(call: OperationCall): Promise<OperationResult> {
  const { limit = "10", offset = "0", userId } = call.params;
  const { texts } = await searchPage({ ...call, params: { numberOfResults: limit, startRow: offset, userId } }, loginRecords);
  return { status: 200, json: `{"logins":[${texts.join(",")}]}` };
}

/** Stores login records, except those of removed users. */
export async function saveLogins(tx: Transaction, logins: readonly RecordedLogin[], newId: IdGenerator): Promise<void> {
  const values = [...new Set(logins.map(({ userId }) => userId))];
  const found = await tx.find(globalScope, usersTable, { op: "in", column: "id", values });
  const known = new Set(found.map(({ id }) => id));
  const records = logins.filter(({ userId }) => known.has(userId)).map((login) => toRecord(newId(), login));
  if (records.length > 0) await tx.insert(globalScope, loginRecordsTable, records);
}

function toRecord(id: string, { tenantId, ...login }: RecordedLogin): RecordToStore {
  const { applicationId = null, instant, userId } = login;
  const instants = { insertInstant: instant, lastUpdateInstant: instant };
  const json = toCanonicalJson(login satisfies LoginRecord);
  return { id, tenantId, version: 1, json, hidden: null, columns: { applicationId, userId }, ...instants };
}

/** The family's own operations. */
export const operations: FamilyRulesModule["operations"] = {
  export: async (call) => exportLogins(call, present),
  recent,
};
