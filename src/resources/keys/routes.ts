import { defineRoutes, type Route } from "../../http/route/define-route.js";
import type { AnyOperation, OperationSignature, OperationsOf } from "../../operations/operation.js";
import { createOperation } from "../../operations/verbs/create.js";
import { listOperation } from "../../operations/verbs/list.js";
import { patchOperation } from "../../operations/verbs/patch.js";
import { removeOperation } from "../../operations/verbs/remove.js";
import { retrieveOperation } from "../../operations/verbs/retrieve.js";
import { searchOperation } from "../../operations/verbs/search.js";
import { updateOperation } from "../../operations/verbs/update.js";
import type { IdInput, PatchInput, SearchInput, SearchOutput } from "../../operations/wire-types.js";
import type { KeyAlgorithm, KeyType } from "../../security/keys/algorithms.js";
import {
  generatedKeys,
  importedKeys,
  type JwkSet,
  keys,
  type PublicKeyInput,
  type PublicKeyOutput,
  retrieveJwks,
  retrievePublicKey,
} from "./rules.js";
import type { GenerateKeyRequest, ImportKeyRequest, Key, UpdateKeyRequest } from "./schema.js";

/** The criteria of a key search (docs/reference/search.md). */
export interface KeyCriteria {
  /** Only keys with this algorithm. */
  readonly algorithm?: KeyAlgorithm;
  /** A text filter on the name: part of it, or with `*` at its ends. */
  readonly name?: string;
  /** Only keys of this type. */
  readonly type?: KeyType;
}

/** What can be done with signing keys (docs/reference/signing-keys.md). */
export interface KeyOperations {
  /** Creates a key pair or a secret; returns the key without its private half or secret. */
  readonly generate: OperationSignature<GenerateKeyRequest & Partial<IdInput<"keyId">>, { readonly key: Key }>;
  /** Stores an existing key; 400 `[invalid]key.<part>` when its parts do not belong together. */
  readonly import: OperationSignature<ImportKeyRequest & Partial<IdInput<"keyId">>, { readonly key: Key }>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"keyId">, { readonly key: Key }>;
  /** Returns all records in the caller's scope. */
  readonly list: OperationSignature<Record<never, never>, { readonly keys: readonly Key[] }>;
  /** Replaces a record; members that the request leaves out return to their defaults. */
  readonly update: OperationSignature<UpdateKeyRequest & IdInput<"keyId">, { readonly key: Key }>;
  /** Changes single members of a record. */
  readonly patch: OperationSignature<PatchInput<"keyId">, { readonly key: Key }>;
  /** Removes a record; 404 for an unknown one. */
  readonly remove: OperationSignature<IdInput<"keyId">, undefined>;
  /** Searches records; returns a page in the requested order, and the total. */
  readonly search: OperationSignature<SearchInput<KeyCriteria>, SearchOutput<"keys", Key>>;
  /** What verifiers of tokens need; open to everybody, as `publicKey` is. */
  readonly jwks: OperationSignature<Record<never, never>, JwkSet>;
  /** Returns one public key as PEM, or all of them by key id; 404 for an unknown key or a secret. */
  readonly publicKey: OperationSignature<PublicKeyInput, PublicKeyOutput>;
}

export const keyOperations: OperationsOf<KeyOperations> = {
  generate: createOperation(generatedKeys, "generate"),
  import: createOperation(importedKeys, "import"),
  retrieve: retrieveOperation(keys),
  list: listOperation(keys),
  update: updateOperation(keys),
  patch: patchOperation(keys),
  remove: removeOperation(keys),
  search: searchOperation(keys),
  jwks: retrieveJwks,
  publicKey: retrievePublicKey,
};

const { generate, import: take, retrieve, list, update, patch, remove, search } = keyOperations;

export const keyRoutes: readonly Route<AnyOperation>[] = defineRoutes<AnyOperation>([
  ["POST", "/api/key/generate", "global", generate],
  ["POST", "/api/key/generate/:keyId", "global", generate],
  ["POST", "/api/key/import", "global", take],
  ["POST", "/api/key/import/:keyId", "global", take],
  ["GET", "/api/key", "global", list],
  ["GET", "/api/key/:keyId", "global", retrieve],
  ["PUT", "/api/key", "global", update],
  ["PUT", "/api/key/:keyId", "global", update],
  ["PATCH", "/api/key", "global", patch],
  ["PATCH", "/api/key/:keyId", "global", patch],
  ["DELETE", "/api/key", "global", remove],
  ["DELETE", "/api/key/:keyId", "global", remove],
  ["GET", "/api/key/search", "global", search],
  ["POST", "/api/key/search", "global", search],
  ["GET", "/.well-known/jwks.json", "public", retrieveJwks],
  ["GET", "/api/jwt/public-key", "public", retrievePublicKey],
]);
