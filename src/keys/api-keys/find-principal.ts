import { createAccessCheck } from "../../http/authenticate/access-list.js";
import type { AllowedSource, ApiKeyPrincipal } from "../../http/authenticate/principal.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import { globalScope, type StorageReader, type StoredRecord } from "../../ports/storage.js";
import { accessListsTable } from "../../records/access-lists/family.js";
import type { AccessList } from "../../records/access-lists/schema.js";
import { apiKeysTable } from "../../records/api-keys/family.js";
import type { ApiKey } from "../../records/api-keys/schema.js";
import { tenantsTable } from "../../records/tenants/family.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { parseClientAddress } from "../../shared/ip-address.js";
import { earlierExpirationOf, type HiddenApiKey, toGrants } from "./key-limits.js";
import { findTenantsOfKeys } from "./key-tenants.js";

/** Returns the principal of the key with this digest: of its value, or of the value before its last rotation. */
export async function findPrincipalByDigest(reader: StorageReader, digest: string): Promise<ApiKeyPrincipal | undefined> {
  const stored = await findByDigest(reader, digest);
  if (stored === undefined) return undefined;
  const { id, tenantId, keyManager, permissions, ipAccessControlListId, ...key } = parseRecord<ApiKey>(stored);
  const tenantIds = key.tenantIds && (await findUsableTenants(reader, id));
  // Keys of a deleted tenant, or of one that another process is deleting, are invalid.
  if (tenantIds?.size === 0 || (tenantId !== undefined && !(await isUsable(reader, tenantId)))) return undefined;
  const grants = toGrants(permissions);
  const source = ipAccessControlListId === undefined ? undefined : await readSource(reader, ipAccessControlListId);
  const hidden = parseHidden<HiddenApiKey>(stored);
  const isEarlier = hidden?.earlier?.digest === digest;
  const expirationInstant = isEarlier ? earlierExpirationOf(hidden, key) : key.expirationInstant;
  return { kind: "apiKey", keyId: id, tenantId, tenantIds, isKeyManager: keyManager, grants, expirationInstant, source };
}

async function findByDigest(reader: StorageReader, digest: string): Promise<StoredRecord | undefined> {
  for (const column of ["digest", "earlierDigest"]) {
    const [stored] = await reader.find(globalScope, apiKeysTable, equalsFilter(column, digest), { limit: 1 });
    if (stored !== undefined) return stored;
  }
  return undefined;
}

async function findUsableTenants(reader: StorageReader, keyId: string): Promise<ReadonlySet<string>> {
  const ids = (await findTenantsOfKeys(reader, [keyId])).get(keyId) ?? [];
  const tenants = await reader.find(globalScope, tenantsTable, { op: "in", column: "id", values: ids });
  return new Set(tenants.filter(isOpen).map(({ id }) => id));
}

async function isUsable(reader: StorageReader, tenantId: string): Promise<boolean> {
  const tenant = await reader.retrieve(globalScope, tenantsTable, tenantId);
  return tenant !== undefined && isOpen(tenant);
}

function isOpen(tenant: StoredRecord): boolean {
  return parseRecord<Tenant>(tenant).state !== "PendingDelete";
}

// Compiles the check once for each time that the key is read; the first list loads the address parser.
async function readSource(reader: StorageReader, accessListId: string): Promise<AllowedSource> {
  const stored = await reader.retrieve(globalScope, accessListsTable, accessListId);
  const isAllowed = createAccessCheck(stored === undefined ? [] : parseRecord<AccessList>(stored).entries);
  return {
    accessListId,
    includes: (text) => {
      const address = text === undefined ? undefined : parseClientAddress(text);
      return address !== undefined && isAllowed(address);
    },
  };
}
