import { FieldErrorList, fieldError } from "../../errors/identity-error.js";
import { hasGrants } from "../../http/authenticate/principal.js";
import { addUnknownEndpoints } from "../../http/authorize/endpoint-grants.js";
import { addMembers, toCanonicalJson } from "../../json/canonical-json.js";
import {
  type Change,
  completeFrom,
  type Draft,
  type DraftContext,
  type Family,
  parseHidden,
  parseRecord,
  toBaseRecord,
} from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { referencesAt } from "../../operations/references/references.js";
import { globalScope, type RecordToStore, type StorageReader, type StoredRecord, type Transaction } from "../../ports/storage.js";
import { apiKeyFamily, apiKeysTable, apiKeyUsesTable } from "../../records/api-keys/family.js";
import type { ApiKey, ApiKeyPermissions, ApiKeyRequest, ParsedApiKeyRequest } from "../../records/api-keys/schema.js";
import { generateApiKey } from "../../security/random-secrets.js";
import { sealedLocationOf } from "../../security/seal.js";
import { parseUuid } from "../../shared/text.js";
import { assertFreeValue } from "./earlier-values.js";
import { planWarning } from "./expiry-warnings.js";
import {
  assertWithinKey,
  columnsOf,
  earlierExpirationOf,
  type HiddenApiKey,
  hideValue,
  isWithinSource,
  isWithinTime,
  toGrants,
} from "./key-limits.js";
import { checkTenants, findTenantsOfKeys, saveTenants } from "./key-tenants.js";
import { rotateKey } from "./rotate-key.js";

/** The family of API keys (docs/reference/api-keys.md#fields). */
export const apiKeys: Family<ApiKey, ParsedApiKeyRequest> = {
  ...apiKeyFamily,
  referencesOf: referencesAt("apiKey", { ipAccessControlListId: "accessLists" }),
  rules: {
    completeBody: copySource,
    tenantOf,
    toDraft,
    check,
    afterWrite,
    beforeRemove,
    afterRemove: forgetKeys,
    toRequestDocument,
    present,
  },
};

/** The endpoint of this family: controlled by `keyManager` alone, never by endpoint grants. */
const ownEndpoint = "/api/api-key";

function toDraft(call: WriteCall, request: ParsedApiKeyRequest, context: DraftContext<ApiKey>): Draft<ApiKey> {
  const { id, tenantId, current } = context;
  const { key: wanted, tenantId: _inBody, ...fields } = request.apiKey;
  const value = current === undefined ? (wanted ?? generateApiKey(call.service.runtime.random)) : undefined;
  const retrievable = current?.record.retrievable ?? fields.retrievable;
  const hidden =
    current === undefined ? hideValue(call.service.sealer, { id, retrievable }, value ?? "") : parseHidden<HiddenApiKey>(current);
  const name = fields.name?.trim() === "" ? undefined : fields.name;
  const permissions = { endpoints: withoutOwnEndpoint(fields.permissions) };
  const keyManager = fields.keyManager ?? current?.record.keyManager ?? false;
  // A PUT without tenants must not extend a key from several tenants to all.
  const tenantIds = fields.tenantIds ?? current?.record.tenantIds;
  return {
    record: { ...fields, name, permissions, retrievable, keyManager, tenantId, tenantIds, ...toBaseRecord(context) },
    hidden: { ...hidden },
    columns: columnsOf(name, hidden),
    ...(value !== undefined && { shownOnce: { key: value } }),
  };
}

// No endpoint means all endpoints: a key for this endpoint alone would become a key for all.
function withoutOwnEndpoint({ endpoints }: ApiKeyPermissions): ApiKeyPermissions["endpoints"] {
  const { [ownEndpoint]: own, ...kept } = endpoints;
  if (own !== undefined && Object.keys(kept).length === 0) throw fieldError("invalid", "apiKey.permissions");
  return kept;
}

// The tenant of a key is that of the caller, else that of the body; it never changes.
async function tenantOf(call: WriteCall, request: ParsedApiKeyRequest): Promise<string | undefined> {
  const bound = call.scope.kind === "tenant" ? call.scope.tenantId : undefined;
  const wanted = request.apiKey.tenantId ?? bound;
  if (wanted === undefined) return undefined;
  const isKnown = (await call.reader.retrieve(globalScope, call.service.tenantsTable, wanted)) !== undefined;
  if (!isKnown || (bound !== undefined && wanted !== bound)) throw fieldError("invalid", "apiKey.tenantId");
  return wanted;
}

async function check(call: WriteCall, change: Change<ApiKey, ParsedApiKeyRequest>): Promise<void> {
  const { draft, original } = change;
  await checkTenants(call, change);
  const errors = new FieldErrorList();
  if (!draft.record.retrievable && draft.record.name === undefined) errors.add("blank", "apiKey.name");
  const isManager = original?.keyManager ?? false;
  if (call.principal?.kind !== "host" && draft.record.keyManager !== isManager) errors.add("invalid", "apiKey.keyManager");
  if (original !== undefined) assertWithinKey(call.principal, original);
  const { endpoints: wanted } = draft.record.permissions;
  const granted = { before: original?.permissions.endpoints, path: "apiKey.permissions.endpoints", wanted };
  addUnknownEndpoints(errors, call.service.isEndpoint, granted);
  if (!hasGrants(call.principal, toGrants(draft.record.permissions)))
    errors.add("invalid", "apiKey.permissions", "A key cannot grant what the calling key does not hold.");
  if (!isWithinSource(call.principal, draft.record))
    errors.add("invalid", "apiKey.ipAccessControlListId", "A key that has an access list can make keys with that list only.");
  if (!isWithinTime(call.principal, draft.record))
    errors.add("invalid", "apiKey.expirationInstant", "A key that expires can make only keys that expire no later.");
  errors.throwIfAny();
}

async function beforeRemove(call: WriteCall, key: ApiKey): Promise<void> {
  assertWithinKey(call.principal, key);
}

async function afterWrite(call: WriteCall, change: Change<ApiKey, ParsedApiKeyRequest>, record: RecordToStore): Promise<void> {
  if (change.kind === "create") await assertFreeValue(call, record);
  await saveTenants(call, change);
  await planWarning(call, change);
  await forgetKeys(call);
}

async function forgetKeys(call: WriteCall): Promise<void> {
  call.tx.afterCommit(call.service.forgetKeys);
}

async function copySource(call: OperationCall): Promise<unknown> {
  const body = call.body as { readonly sourceKeyId?: unknown } | null | undefined;
  const source = body?.sourceKeyId;
  if (!body || typeof source !== "string") return body;
  const stored = await call.reader.retrieve(call.scope, apiKeysTable, parseUuid(source) ?? "");
  if (stored === undefined) throw fieldError("invalid", "sourceKeyId");
  // Not copied: names and values, which are unique, and `keyManager`, which the API never sets.
  const copied = { ...parseRecord<ApiKey>(stored), name: undefined, key: undefined, keyManager: undefined };
  return completeFrom(body, "apiKey", copied);
}

async function present(call: OperationCall, records: readonly StoredRecord[]): Promise<readonly string[]> {
  const uses = await findUses(call.reader, records);
  const keys = records.map((record) => parseRecord<ApiKey>(record));
  const forSeveral = keys.filter(({ tenantIds }) => tenantIds !== undefined).map(({ id }) => id);
  const tenants = forSeveral.length === 0 ? undefined : await findTenantsOfKeys(call.reader, forSeveral);
  const now = call.service.runtime.clock();
  return records.map((record, index) => {
    const { tenantIds: listed, ...shown } = keys[index] as ApiKey;
    assertWithinKey(call.principal, shown);
    const hidden = parseHidden<HiddenApiKey>(record);
    const sealed = hidden?.sealed;
    const key = sealed === undefined ? undefined : call.service.sealer.open(sealed, sealedLocationOf("apiKeys", record.id));
    const earlierEnd = earlierExpirationOf(hidden, shown) ?? 0;
    const members = { key, earlierKeyExpirationInstant: earlierEnd > now ? earlierEnd : undefined, ...uses.get(record.id) };
    if (listed === undefined) return addMembers(record.json, members);
    const left = tenants?.get(record.id) ?? [];
    return toCanonicalJson({ ...shown, ...members, tenantIds: listed.filter((id) => left.includes(id)) });
  });
}

// The member stays even if no tenant is left: without it, an import of the document would create a key for all tenants.
async function toRequestDocument(call: OperationCall, { id }: StoredRecord, apiKey: ApiKey): Promise<Record<string, unknown>> {
  const { tenantIds } = apiKey;
  if (tenantIds === undefined) return { apiKey };
  const left = (await findTenantsOfKeys(call.reader, [id])).get(id) ?? tenantIds;
  return { apiKey: { ...apiKey, tenantIds: tenantIds.filter((tenantId) => left.includes(tenantId)) } };
}

interface KeyUse {
  readonly lastUsedInstant: number;
  readonly lastUsedIPAddress?: string | undefined;
}

async function findUses(reader: StorageReader, records: readonly StoredRecord[]): Promise<ReadonlyMap<string, KeyUse>> {
  const ids = records.map((record) => record.id);
  const uses = await reader.find(globalScope, apiKeyUsesTable, { op: "in", column: "keyId", values: ids });
  return new Map(uses.map((use) => [use.id, JSON.parse(use.json) as KeyUse]));
}

/** Stores the last uses of keys, except deleted ones. */
export async function saveKeyUses(tx: Transaction, uses: readonly LastKeyUse[]): Promise<void> {
  const ids = uses.map((use) => use.keyId);
  const known = new Set((await tx.find(globalScope, apiKeysTable, { op: "in", column: "id", values: ids })).map((key) => key.id));
  await tx.remove(globalScope, apiKeyUsesTable, { op: "in", column: "keyId", values: ids });
  const records = uses.filter((use) => known.has(use.keyId)).map(toUseRecord);
  if (records.length > 0) await tx.insert(globalScope, apiKeyUsesTable, records);
}

/** The last use of a key. */
export interface LastKeyUse {
  readonly keyId: string;
  readonly instant: number;
  readonly address: string | undefined;
}

function toUseRecord({ keyId, instant, address }: LastKeyUse): RecordToStore {
  const json = toCanonicalJson({ lastUsedInstant: instant, lastUsedIPAddress: address });
  const instants = { insertInstant: instant, lastUpdateInstant: instant };
  return { id: keyId, tenantId: null, version: 1, ...instants, json, hidden: null, columns: { keyId } };
}

/** The operations that only this family has. */
export const operations: FamilyRulesModule["operations"] = { rotate: (call) => rotateKey(call, apiKeys) };

export const example: FamilyExample<ApiKeyRequest> = ({ number }) => ({ apiKey: { name: `API key ${number}` } });
