import { defineIdRoutes } from "../../http/route/define-route.js";
import { lazySchema } from "../../http/schema/parse-with.js";
import { defineTable, nameSearch, parseHidden } from "../../operations/family/family.js";
import { type IdInput, type PatchInput, type RecordRow, standard } from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import { digestSecret, sealedRecord } from "../../security/seal.js";
import type { ApiKey, ApiKeyRequest, ParsedApiKeyRequest } from "./schema.js";

/** What can be done with API keys (docs/reference/api-keys.md#fields): there is no list and no search. */
export interface ApiKeyOperations {
  /** Creates a record; returns it with its id and instants. */
  readonly create: OperationSignature<ApiKeyRequest & Partial<IdInput<"keyId">>, { readonly apiKey: ApiKey }>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"keyId">, { readonly apiKey: ApiKey }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<ApiKeyRequest & IdInput<"keyId">, { readonly apiKey: ApiKey }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"keyId">, { readonly apiKey: ApiKey }>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<IdInput<"keyId">, undefined>;
}

export const apiKeysTable: Table = defineTable({
  name: "apiKeys",
  tenancy: "optional",
  since: 1,
  columns: { digest: { type: "text" }, nameFolded: { type: "text", isNullable: true } },
  uniqueKeys: [
    { name: "key", columns: ["digest"] },
    { name: "name", columns: ["nameFolded"] },
  ],
  indexes: [],
});

/** When and from where a key was last used: beside the key, so that noting it changes no version. */
export const apiKeyUsesTable: Table = defineTable({
  name: "apiKeyUses",
  tenancy: "global",
  since: 1,
  columns: { keyId: { type: "id", references: { table: "apiKeys", onRemove: "cascade" } } },
  uniqueKeys: [{ name: "keyId", columns: ["keyId"] }],
  indexes: [],
});

/** The family of API keys (docs/reference/api-keys.md#fields). */
export const apiKeyFamily: RecordRow<"apiKeys", ApiKey, ParsedApiKeyRequest, ApiKeyOperations> = {
  name: "apiKeys",
  wrapper: "apiKey",
  plural: "apiKeys",
  idParameter: "keyId",
  table: apiKeysTable,
  request: lazySchema(() => import("./schema.js"), "apiKeyRequest"),
  search: nameSearch,
  uniquePaths: { key: "apiKey.key", name: "apiKey.name" },
  setPaths: new Set(),
  secretPaths: ["key"],
  operations: { create: standard, retrieve: standard, update: standard, patch: standard, remove: standard },
  routes: defineIdRoutes("/api/api-key/:keyId", "keyManager", {
    GET: "retrieve",
    POST: "create",
    PUT: "update",
    PATCH: "patch",
    DELETE: "remove",
  }),
  // No route leads to it: it is for the host, and for managers of keys in process.
  inProcess: { list: { access: "keyManager" } },
  sealedPart: sealedRecord,
  tables: [apiKeysTable, apiKeyUsesTable],
  auditName: "API key",
  configuration: {
    key: ["name"],
    references: { tenantId: "tenants", ipAccessControlListId: "accessLists" },
    fixed: () => ["tenantId", "retrievable"],
    secrets: ["key"],
    madeWith: {
      key: (_service, stored, text) => parseHidden<{ readonly digest: string }>(stored)?.digest === digestSecret(text),
    },
    // A value that the service makes could never be read.
    needs: ({ retrievable }) => (retrievable === false ? ["key"] : []),
    isBuiltIn: ({ id }, { name }) => name === `Bootstrap ${id}`,
    isOwn: ({ id }, { name }) => name === `Bootstrap ${id}`,
  },
};
