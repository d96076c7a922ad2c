import { FieldErrorList, fieldError, generalError } from "../../errors/identity-error.js";
import {
  type AllowedSource,
  type ApiKeyPrincipal,
  type EndpointGrants,
  hasGrants,
  type Principal,
} from "../../http/authenticate/principal.js";
import { addMembers, toCanonicalJson } from "../../json/canonical-json.js";
import {
  type Change,
  completeFrom,
  type Draft,
  type DraftContext,
  type Family,
  parseHidden,
  parseRecord,
} from "../../operations/family/family.js";
import type { FamilyExample } from "../../operations/family/family-row.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { referencesAt } from "../../operations/references/references.js";
import { globalScope, type RecordToStore, type StorageReader, type StoredRecord, type Transaction } from "../../ports/storage.js";
import { generateApiKey } from "../../security/random-secrets.js";
import { digestSecret, type Sealer, sealedLocationOf } from "../../security/seal.js";
import { lazily } from "../../shared/async.js";
import { foldText, parseUuid } from "../../shared/text.js";
import { accessListsTable } from "../access-lists/family.js";
import type { AccessList } from "../access-lists/schema.js";
import { tenantsTable } from "../tenants/family.js";
import type { Tenant } from "../tenants/schema.js";
import { apiKeyFamily, apiKeysTable, apiKeyUsesTable } from "./family.js";
import type { ApiKey, ApiKeyPermissions, ApiKeyRequest, ParsedApiKeyRequest } from "./schema.js";

/** The digest of the value, and the value itself sealed when the key is retrievable. */
interface HiddenApiKey {
  readonly digest: string;
  readonly sealed?: string;
}

/** The family of API keys (docs/reference/api-keys.md#fields). */
export const apiKeys: Family<ApiKey, ParsedApiKeyRequest> = {
  ...apiKeyFamily,
  referencesOf: referencesAt("apiKey", { ipAccessControlListId: "accessLists" }),
  rules: {
    completeBody: copySource,
    tenantOf,
    toDraft,
    check,
    afterWrite: forgetKeys,
    beforeRemove,
    afterRemove: forgetKeys,
    present,
  },
};

/** The endpoint of this family: governed by `keyManager` alone, never by endpoint grants. */
const ownEndpoint = "/api/api-key";

function toDraft(call: WriteCall, request: ParsedApiKeyRequest, context: DraftContext<ApiKey>): Draft<ApiKey> {
  const { id, tenantId, now, current } = context;
  const { key: wanted, tenantId: _inBody, ...fields } = request.apiKey;
  const value = current === undefined ? (wanted ?? generateApiKey(call.service.runtime.random)) : undefined;
  const retrievable = current?.record.retrievable ?? fields.retrievable;
  const hidden =
    current === undefined ? hideValue(call.service.sealer, id, value ?? "", retrievable) : parseHidden<HiddenApiKey>(current);
  const name = fields.name?.trim() === "" ? undefined : fields.name;
  const insertInstant = current?.record.insertInstant ?? now;
  const permissions = { endpoints: withoutOwnEndpoint(fields.permissions) };
  const keyManager = fields.keyManager ?? current?.record.keyManager ?? false;
  return {
    record: { ...fields, name, permissions, retrievable, keyManager, tenantId, id, insertInstant, lastUpdateInstant: now },
    hidden: { ...hidden },
    columns: { digest: hidden?.digest ?? "", nameFolded: name === undefined ? null : foldText(name) },
    ...(value !== undefined && { shownOnce: { key: value } }),
  };
}

function hideValue(sealer: Sealer, id: string, value: string, isRetrievable: boolean): HiddenApiKey {
  const digest = digestSecret(value);
  return isRetrievable ? { digest, sealed: sealer.seal(value, sealedLocationOf("apiKeys", id)) } : { digest };
}

// Without any endpoint a key may call them all, so a key for this family alone would become one for everything.
function withoutOwnEndpoint({ endpoints }: ApiKeyPermissions): ApiKeyPermissions["endpoints"] {
  const { [ownEndpoint]: own, ...kept } = endpoints;
  if (own !== undefined && Object.keys(kept).length === 0) throw fieldError("invalid", "apiKey.permissions");
  return kept;
}

// A key's tenant is what the caller is bound to, else what the body says; it never changes.
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
  const errors = new FieldErrorList();
  if (!draft.record.retrievable && draft.record.name === undefined) errors.add("blank", "apiKey.name");
  const isManager = original?.keyManager ?? false;
  if (call.principal?.kind !== "host" && draft.record.keyManager !== isManager) errors.add("invalid", "apiKey.keyManager");
  if (original !== undefined) assertReaches(call.principal, original);
  if (!hasGrants(call.principal, toGrants(draft.record.permissions)))
    errors.add("invalid", "apiKey.permissions", "A key cannot grant what the calling key does not hold.");
  if (!isWithinSource(call.principal, draft.record))
    errors.add("invalid", "apiKey.ipAccessControlListId", "A key that has an access list can make keys with that list only.");
  if (!isWithinTime(call.principal, draft.record))
    errors.add("invalid", "apiKey.expirationInstant", "A key that expires can make only keys that expire no later.");
  errors.throwIfAny();
}

async function beforeRemove(call: WriteCall, key: ApiKey): Promise<void> {
  assertReaches(call.principal, key);
}

// A caller that reads or changes a key has its rights: it must not do more than the caller's own key, nor for longer, nor from elsewhere.
function assertReaches(principal: Principal | undefined, key: ApiKey): void {
  const isWithin = isWithinSource(principal, key) && isWithinTime(principal, key);
  if (!isWithin || !hasGrants(principal, toGrants(key.permissions))) throw generalError("unauthorized");
}

function isWithinTime(principal: Principal | undefined, { expirationInstant = Number.POSITIVE_INFINITY }: ApiKey): boolean {
  const latest = principal?.kind === "apiKey" ? principal.expirationInstant : undefined;
  return latest === undefined || expirationInstant <= latest;
}

function isWithinSource(principal: Principal | undefined, { ipAccessControlListId }: ApiKey): boolean {
  const source = principal?.kind === "apiKey" ? principal.source : undefined;
  return source === undefined || source.accessListId === ipAccessControlListId;
}

function toGrants(permissions: ApiKeyPermissions): EndpointGrants {
  const endpoints = Object.entries(permissions.endpoints);
  return endpoints.length === 0 ? "all" : new Map(endpoints.map(([endpoint, methods]) => [endpoint, new Set(methods)]));
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
  // Names and values are unique and managers are never made by the API: those three are not copied.
  const copied = { ...parseRecord<ApiKey>(stored), name: undefined, key: undefined, keyManager: undefined };
  return completeFrom(body, "apiKey", copied);
}

async function present(call: OperationCall, records: readonly StoredRecord[]): Promise<readonly string[]> {
  const uses = await findUses(call.reader, records);
  return records.map((record) => {
    assertReaches(call.principal, parseRecord<ApiKey>(record));
    const sealed = parseHidden<HiddenApiKey>(record)?.sealed;
    const key = sealed === undefined ? undefined : call.service.sealer.open(sealed, sealedLocationOf("apiKeys", record.id));
    return addMembers(record.json, { key, ...uses.get(record.id) });
  });
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

/** The principal that the key with this digest stands for. */
export async function findPrincipalByDigest(reader: StorageReader, digest: string): Promise<ApiKeyPrincipal | undefined> {
  const [stored] = await reader.find(globalScope, apiKeysTable, { op: "equals", column: "digest", value: digest }, { limit: 1 });
  if (stored === undefined) return undefined;
  const { id, tenantId, keyManager, permissions, expirationInstant, ipAccessControlListId } = parseRecord<ApiKey>(stored);
  // A key of a tenant that is being deleted, or is gone in another process, opens nothing any more.
  if (tenantId !== undefined && !(await isUsable(reader, tenantId))) return undefined;
  const grants = toGrants(permissions);
  const source = ipAccessControlListId === undefined ? undefined : await readSource(reader, ipAccessControlListId);
  return { kind: "apiKey", keyId: id, tenantId, isKeyManager: keyManager, grants, expirationInstant, source };
}

async function isUsable(reader: StorageReader, tenantId: string): Promise<boolean> {
  const tenant = await reader.retrieve(globalScope, tenantsTable, tenantId);
  return tenant !== undefined && parseRecord<Tenant>(tenant).state !== "PendingDelete";
}

const loadAccessCheck = lazily(() => import("../../http/authenticate/access-list.js"));

// The check is made once for each time that the key is read, and what reads addresses is loaded with the first list.
async function readSource(reader: StorageReader, accessListId: string): Promise<AllowedSource> {
  const stored = await reader.retrieve(globalScope, accessListsTable, accessListId);
  const { createAccessCheck } = await loadAccessCheck();
  const isAllowed = createAccessCheck(stored === undefined ? [] : parseRecord<AccessList>(stored).entries);
  return { accessListId, includes: (address) => address !== undefined && isAllowed(address) };
}

/** Writes when and from where keys were last used; keys that are gone are left out. */
export async function saveKeyUses(tx: Transaction, uses: readonly LastKeyUse[]): Promise<void> {
  const ids = uses.map((use) => use.keyId);
  const known = new Set((await tx.find(globalScope, apiKeysTable, { op: "in", column: "id", values: ids })).map((key) => key.id));
  await tx.remove(globalScope, apiKeyUsesTable, { op: "in", column: "keyId", values: ids });
  const records = uses.filter((use) => known.has(use.keyId)).map(toUseRecord);
  if (records.length > 0) await tx.insert(globalScope, apiKeyUsesTable, records);
}

/** When and from where a key was last used. */
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

export const example: FamilyExample<ApiKeyRequest> = ({ number }) => ({ apiKey: { name: `API key ${number}` } });
