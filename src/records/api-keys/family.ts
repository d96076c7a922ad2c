import { defineIdRoutes, defineRoutes } from "../../http/route/define-route.js";
import { defineTable, nameSearch, parseHidden } from "../../operations/family/family.js";
import { customOperation, type IdInput, type PatchInput, type RecordRow, standard } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import { digestSecret, sealedRecord } from "../../security/seal.js";
import { lazySchema } from "../schemas.js";
import type { ApiKey, ApiKeyRequest, ParsedApiKeyRequest, RotateApiKeyRequest } from "./schema.js";

/** Operations on API keys (docs/reference/api-keys.md#fields), without list and search. */
export interface ApiKeyOperations {
  /** Creates and returns a record. */
  readonly create: OperationSignature<ApiKeyRequest & Partial<IdInput<"keyId">>, { readonly apiKey: ApiKey }>;
  /** Returns a record; 404 for an unknown id. */
  readonly retrieve: OperationSignature<IdInput<"keyId">, { readonly apiKey: ApiKey }>;
  /** Replaces a record; missing members return to their defaults. */
  readonly update: OperationSignature<ApiKeyRequest & IdInput<"keyId">, { readonly apiKey: ApiKey }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"keyId">, { readonly apiKey: ApiKey }>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<IdInput<"keyId">, undefined>;
  /** Replaces the value of the key and returns the new one; the old value stays valid for a grace period. */
  readonly rotate: OperationSignature<RotateApiKeyRequest & IdInput<"keyId">, { readonly apiKey: ApiKey }>;
}

export const apiKeysTable: Table = defineTable({
  name: "apiKeys",
  tenancy: "optional",
  since: 1,
  columns: {
    digest: { type: "text" },
    nameFolded: { type: "text", isNullable: true },
    /** The digest of the value before the last rotation. */
    earlierDigest: { type: "text", isNullable: true, since: 11 },
  },
  uniqueKeys: [
    { name: "key", columns: ["digest"] },
    { name: "name", columns: ["nameFolded"] },
    { name: "earlierKey", columns: ["earlierDigest"], since: 11 },
  ],
  indexes: [],
});

/** The last use of each key: a table of its own, so that a use does not change the version of the key. */
export const apiKeyUsesTable: Table = defineTable({
  name: "apiKeyUses",
  tenancy: "global",
  since: 1,
  columns: { keyId: { type: "id", references: { table: "apiKeys", onRemove: "cascade" } } },
  uniqueKeys: [{ name: "keyId", columns: ["keyId"] }],
  indexes: [],
});

/** The tenants of keys with several tenants. Each row belongs to its tenant, and is deleted with it. */
export const apiKeyTenantsTable: Table = defineTable({
  name: "apiKeyTenants",
  tenancy: "tenant",
  since: 11,
  columns: { keyId: { type: "id", references: { table: "apiKeys", onRemove: "cascade" } } },
  uniqueKeys: [{ name: "tenant", columns: ["keyId", "tenantId"] }],
  indexes: [{ columns: ["tenantId"] }],
});

/** Pending expiry warnings: one for each key that expires, until the warning is published. */
export const apiKeyWarningsTable: Table = defineTable({
  name: "apiKeyWarnings",
  tenancy: "global",
  since: 11,
  columns: {
    keyId: { type: "id", references: { table: "apiKeys", onRemove: "cascade" } },
    dueInstant: { type: "integer" },
  },
  uniqueKeys: [{ name: "keyId", columns: ["keyId"] }],
  indexes: [{ columns: ["dueInstant"] }],
});

/** The family of API keys. */
export const apiKeyFamily: RecordRow<"apiKeys", ApiKey, ParsedApiKeyRequest, ApiKeyOperations> = {
  name: "apiKeys",
  wrapper: "apiKey",
  plural: "apiKeys",
  idParameter: "keyId",
  table: apiKeysTable,
  request: lazySchema("keys", "apiKeyRequest"),
  search: nameSearch,
  uniquePaths: { earlierKey: "apiKey.key", key: "apiKey.key", name: "apiKey.name" },
  setPaths: new Set(["apiKey.tenantIds"]),
  secretPaths: ["key"],
  operations: {
    create: standard,
    retrieve: standard,
    update: standard,
    patch: standard,
    remove: standard,
    rotate: customOperation("keyId"),
  },
  routes: [
    ...defineIdRoutes("/api/api-key/:keyId", "keyManager", {
      GET: "retrieve",
      POST: "create",
      PUT: "update",
      PATCH: "patch",
      DELETE: "remove",
    }),
    ...defineRoutes([["POST", "/api/api-key/:keyId/rotate", "keyManager", "rotate"]]),
  ],
  // No route: for the host, and for key managers in process.
  inProcess: { list: { access: "keyManager" } },
  sealedPart: sealedRecord,
  tables: [apiKeysTable, apiKeyUsesTable, apiKeyTenantsTable, apiKeyWarningsTable],
  auditName: "API key",
  configuration: {
    key: ["name"],
    references: { tenantId: "tenants", "tenantIds[]": "tenants", ipAccessControlListId: "accessLists" },
    fixed: () => ["tenantId", "retrievable"],
    sets: ["tenantIds"],
    secrets: ["key"],
    madeWith: {
      key: (_service, stored, text) => parseHidden<{ readonly digest: string }>(stored)?.digest === digestSecret(text),
    },
    // A generated value could never be read.
    needs: ({ retrievable }) => (retrievable === false ? ["key"] : []),
    isBuiltIn: ({ id }, { name }) => name === `Bootstrap ${id}`,
    isOwn: ({ id }, { name }) => name === `Bootstrap ${id}`,
  },
};
