import { generalError } from "../../errors/identity-error.js";
import { checkBody } from "../../http/transport/read-body.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import type { JsonObject } from "../../json/json-value.js";
import type { StoredRecord } from "../../ports/storage.js";
import { lazily } from "../../shared/async.js";
import { type BaseRecord, copyFixedFields, type Family } from "../family/family.js";
import { assertPrecondition, loadRecord, parseRequest, prepareRequest, withoutAbsentFields } from "../family/record-steps.js";
import { openRecord, toHostNames } from "../family/wire-records.js";
import type { OperationCall, WriteCall } from "../operation.js";
import { changeRecord } from "./update.js";

// Loaded with the first patch: the patch library is large.
const loadPatching = lazily(() => import("./apply-patch.js"));

/**
 * PATCH in three flavors (docs/reference/patch.md). One transaction reads, patches, checks and writes the latest record, so that
 * patches of different members all survive.
 */
export async function runPatch<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: Family<Wire, Request>,
): Promise<OperationResult> {
  const prepared = await prepareFirst(call, family);
  return call.write(async (write) => {
    const stored = await loadRecord(write, family);
    await assertPrecondition(write, family, stored);
    const isPrepared = prepared?.version === stored.version;
    const request = isPrepared ? prepared.request : await patchedRequest(write, family, stored, prepared?.request);
    return changeRecord(write, family, stored, request);
  });
}

// Slow work such as hashing must not hold the transaction: it repeats inside only when the record changed meanwhile.
async function prepareFirst<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: Family<Wire, Request>,
): Promise<{ readonly version: number; readonly request: Request } | undefined> {
  if (family.rules.prepare === undefined) return undefined;
  const stored = await loadRecord(call, family);
  const request = await patchedRequest(call, family, stored);
  return { version: stored.version, request };
}

/** The request document of a stored record. */
export async function toRequestDocument<Wire extends BaseRecord, Request>(
  call: OperationCall,
  family: Family<Wire, Request>,
  stored: StoredRecord,
): Promise<Readonly<Record<string, unknown>>> {
  const record = openRecord<Wire>(call.service.sealer, family, stored);
  return (await family.rules.toRequestDocument?.(call, stored, record)) ?? { [family.wrapper]: record };
}

async function patchedRequest<Wire extends BaseRecord, Request>(
  call: OperationCall | WriteCall,
  family: Family<Wire, Request>,
  stored: StoredRecord,
  earlier?: Request,
): Promise<Request> {
  const document = await toRequestDocument(call, family, stored);
  const known = withoutAbsentFields(call, family.wrapper, document) as typeof document;
  const shown = { ...known, [family.wrapper]: toHostNames(call.service.names, family, known[family.wrapper]) };
  const { applyPatch } = await loadPatching();
  const patched = applyPatch(call, family, shown as JsonObject);
  if (Buffer.byteLength(JSON.stringify(patched)) > call.service.maxBodyBytes)
    throw generalError("invalidPatch", "The result is too large.");
  checkBody(patched);
  const request = await parseRequest(call, family, copyFixedFields(family, patched, stored));
  return prepareRequest(call, family, request, { id: stored.id, stored, earlier });
}
