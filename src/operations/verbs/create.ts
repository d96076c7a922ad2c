import type { OperationResult } from "../../http/transport/write-response.js";
import type { IdGenerator } from "../../ports/runtime.js";
import type { StoredRecord, TransactionOptions } from "../../ports/storage.js";
import { startAudit } from "../family/audit-change.js";
import type { BaseRecord, Draft, DraftContext, Family } from "../family/family.js";
import { insertRecord, optionalId, parseRequest, prepareRequest, presentOne, toRecordToStore } from "../family/record-steps.js";
import { checkResponseSize } from "../family/response-size.js";
import { sealFields } from "../family/wire-records.js";
import type { OperationCall, WriteCall } from "../operation.js";
import { assertValidKeys } from "../references/key-purposes.js";
import { assertUsableTenant, checkReferences, findTenant, saveReferences } from "../references/references.js";
import { followWrite } from "./follow-write.js";

/** POST: creates a record, with the caller's id or a new one. */
export async function runCreate<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: Family<Wire, Request>,
): Promise<OperationResult> {
  const id = optionalId(call, family.idParameter) ?? call.service.runtime.newId();
  const parsed = await parseRequest(call, family, (await family.rules.completeBody?.(call)) ?? call.body);
  const request = await prepareRequest(call, family, parsed, { id });
  return call.write(async (write) => {
    const { record, shownOnce } = await createRecord(write, family, request, id);
    return checkResponseSize(call.service, await presentOne(write, family, record, shownOnce));
  }, sharedTransaction);
}

/** The options of transactions that may be shared with other calls. */
export const sharedTransaction: TransactionOptions = Object.freeze({ isShareable: true });

/** Creates the record of a request by the family's rules: in its stored form and its wire form. */
export async function createRecord<Wire extends BaseRecord, Request>(
  call: WriteCall,
  family: Family<Wire, Request>,
  request: Request,
  id: string,
): Promise<{ readonly record: StoredRecord; readonly wire: Wire; readonly shownOnce: Draft<Wire>["shownOnce"] }> {
  const { tenantId, tenant } = await tenantOfNew(call, family, request, id);
  const noteChange = await startAudit(call, family);
  const now = call.service.runtime.clock();
  const draft = await family.rules.toDraft(call, request, { id, tenantId, tenant, now, current: undefined });
  const change = { kind: "create", request, draft, original: undefined, stored: undefined } as const;
  await family.rules.check?.(call, change);
  const references = await checkReferences(call, family, draft.record, tenantId);
  if (references !== undefined) await assertValidKeys(call, references);
  const sealed = sealFields(call.service.sealer, family, draft);
  const record = toRecordToStore(sealed, tenantId ?? null, firstVersion(call.service.runtime.newId));
  await insertRecord(call, family, record);
  if (references !== undefined) await saveReferences(call, family, record, { references, isNew: true });
  await followWrite(call, family, change, record);
  await noteChange?.(record);
  return { record, wire: draft.record, shownOnce: draft.shownOnce };
}

// Random, so that no ETag of an earlier record with this id matches: the end of a new id.
function firstVersion(newId: IdGenerator): number {
  return Number.parseInt(newId().slice(-8), 16) >>> 1;
}

async function tenantOfNew<Wire extends BaseRecord, Request>(
  call: WriteCall,
  family: Family<Wire, Request>,
  request: Request,
  id: string,
): Promise<Pick<DraftContext<Wire>, "tenant" | "tenantId">> {
  if (family.rules.tenantOf !== undefined) {
    const tenantId = await family.rules.tenantOf(call, request, id);
    return { tenantId, tenant: await assertUsableTenant(call, tenantId) };
  }
  if (family.table.tenancy === "global") return { tenantId: undefined };
  if (family.table.tenancy === "optional") return { tenantId: call.scope.kind === "tenant" ? call.scope.tenantId : undefined };
  const wrapped = (request as Readonly<Record<string, { readonly tenantId?: string } | undefined>>)[family.wrapper];
  const tenant = await findTenant(call, { tenantId: wrapped?.tenantId, path: `${family.wrapper}.tenantId` });
  return { tenantId: tenant.id, tenant };
}
