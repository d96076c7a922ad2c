import { fieldError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { startAudit } from "../../operations/family/audit-change.js";
import { type Family, parseHidden, parseRecord } from "../../operations/family/family.js";
import { loadRecord, presentOne, replaceRecord, toRecordToStore } from "../../operations/family/record-steps.js";
import { checkResponseSize } from "../../operations/family/response-size.js";
import type { OperationCall } from "../../operations/operation.js";
import { assertUsableTenant } from "../../operations/references/references.js";
import type { ApiKey, ParsedApiKeyRequest } from "../../records/api-keys/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { generateApiKey } from "../../security/random-secrets.js";
import { assertFreeValue, removeEarlierValue } from "./earlier-values.js";
import { assertWithinKey, columnsOf, type HiddenApiKey, hideValue } from "./key-limits.js";

const rotateApiKeyRequest = lazySchema("keys", "rotateApiKeyRequest");

/**
 * POST: replaces the value of a key. The previous value stays valid until the end of the grace period; an older one ends now.
 * @throws IdentityError 400 for the key of the option `apiKey` and for a value that a key has or, within its grace period, had;
 * 401 for a key that can do more than the caller.
 */
export async function rotateKey(call: OperationCall, family: Family<ApiKey, ParsedApiKeyRequest>): Promise<OperationResult> {
  await loadRecord(call, family);
  const { apiKey, gracePeriodInSeconds } = await parseWith(rotateApiKeyRequest, call.body ?? {});
  return call.write(async (write) => {
    const stored = await loadRecord(write, family);
    await assertUsableTenant(write, stored.tenantId);
    const key = parseRecord<ApiKey>(stored);
    assertWithinKey(write.principal, key);
    assertNotOfOption(key);
    const noteChange = await startAudit(write, family, stored);
    const { runtime, sealer } = write.service;
    const now = runtime.clock();
    const value = apiKey.key ?? generateApiKey(runtime.random);
    const digest = parseHidden<HiddenApiKey>(stored)?.digest ?? "";
    const earlier = { digest, expirationInstant: now + gracePeriodInSeconds * 1_000 };
    const hidden = { ...hideValue(sealer, key, value), ...(gracePeriodInSeconds > 0 && { earlier }) };
    if (hidden.digest === digest) throw fieldError("duplicate", "apiKey.key");
    const draft = { record: { ...key, lastUpdateInstant: now }, hidden: { ...hidden }, columns: columnsOf(key.name, hidden) };
    const record = toRecordToStore(draft, stored.tenantId, stored.version + 1);
    await removeEarlierValue(write, key.id, digest);
    await replaceRecord(write, family, record);
    await assertFreeValue(write, record);
    write.tx.afterCommit(write.service.forgetKeys);
    await noteChange?.(record);
    return checkResponseSize(write.service, await presentOne(write, family, record, { key: value }));
  });
}

function assertNotOfOption({ id, name }: ApiKey): void {
  if (name === `Bootstrap ${id}`)
    throw fieldError("invalid", "keyId", "The option apiKey made this key: pass another value there, and remove this key.");
}
