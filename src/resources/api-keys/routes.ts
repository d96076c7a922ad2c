import { defineRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, Operation, OperationSignature, OperationsOf } from "../../operations/operation.js";
import { createOperation } from "../../operations/verbs/create.js";
import { listOperation } from "../../operations/verbs/list.js";
import { patchOperation } from "../../operations/verbs/patch.js";
import { removeOperation } from "../../operations/verbs/remove.js";
import { retrieveOperation } from "../../operations/verbs/retrieve.js";
import { updateOperation } from "../../operations/verbs/update.js";
import type { IdInput, PatchInput } from "../../operations/wire-types.js";
import { apiKeys } from "./rules.js";
import type { ApiKey, ApiKeyRequest } from "./schema.js";

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

export const apiKeyOperations: OperationsOf<ApiKeyOperations> = {
  create: createOperation(apiKeys),
  retrieve: retrieveOperation(apiKeys),
  update: updateOperation(apiKeys),
  patch: patchOperation(apiKeys),
  remove: removeOperation(apiKeys),
};

/** The list of API keys, which no route leads to: for the host, and for managers of keys in process. */
export const listApiKeys: Operation<Record<never, never>, { readonly apiKeys: readonly ApiKey[] }> = listOperation(apiKeys);

const { create, retrieve, update, patch, remove } = apiKeyOperations;

export const apiKeyRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/api/api-key", "keyManager", create],
  ["POST", "/api/api-key/:keyId", "keyManager", create],
  ["GET", "/api/api-key", "keyManager", retrieve],
  ["GET", "/api/api-key/:keyId", "keyManager", retrieve],
  ["PUT", "/api/api-key", "keyManager", update],
  ["PUT", "/api/api-key/:keyId", "keyManager", update],
  ["PATCH", "/api/api-key", "keyManager", patch],
  ["PATCH", "/api/api-key/:keyId", "keyManager", patch],
  ["DELETE", "/api/api-key", "keyManager", remove],
  ["DELETE", "/api/api-key/:keyId", "keyManager", remove],
]);
