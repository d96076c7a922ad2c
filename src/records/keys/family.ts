import { createPrivateKey, createPublicKey } from "node:crypto";
import { defineIdRoutes, defineRoutes, defineSearchRoutes } from "../../http/route/define-route.js";
import { defineTable, foldedName, nameSearch, parseHidden, parseRecord } from "../../operations/family/family.js";
import {
  customOperation,
  type IdInput,
  type Members,
  type RecordRow,
  type SearchableOperations,
  standard,
} from "../../operations/family/family-row.js";
import type { OperationSignature } from "../../operations/operation.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { StoredRecord, Table } from "../../ports/storage.js";
import type { SearchDefinition } from "../../search/parse-criteria.js";
import {
  generatedAlgorithms,
  type KeyAlgorithm,
  type KeyType,
  keyAlgorithms,
  keyTypes,
  rsaLengths,
} from "../../security/keys/algorithms.js";
import { isSecretOf, loadKey, type SealedKey } from "../../security/keys/loaded-keys.js";
import type { PublicJwk } from "../../security/keys/public-key-data.js";
import { lazySchema } from "../schemas.js";
import type { GenerateKeyRequest, ImportKeyRequest, Key, UpdateKeyRequest } from "./schema.js";

/** Parts of an import. Without any of them the service generates the key. */
const importedParts = ["certificate", "publicKey", "privateKey", "secret"];

/** The operation that creates a key from a configuration document. */
function verbOfKey(record: Members): string {
  return importedParts.some((part) => record[part] !== undefined) ? "import" : "generate";
}

/** The members of both `generate` and `import`. */
const newKeyRequest = lazySchema("keys", "newKeyRequest");

/** The members that never change: all except the name. */
function fixedOfKey(): readonly string[] {
  return ["algorithm", "type", "length", "issuer", "kid", "publicKey", "certificate"];
}

/**
 * Returns the description of a key for a configuration document: the parameters to generate an equivalent key, or the public
 * parts of an imported one. Never contains a private key or a secret.
 */
function describeKey(record: Members): Members {
  const { name, algorithm, certificate, issuer, kid, length, publicKey, type, hasPrivateKey: isPair } = record as Members & Key;
  const isMadeHere = (isPair && certificate === undefined) || type === "HMAC";
  const isGenerated = isMadeHere && generatedAlgorithms.some((known) => known === algorithm);
  if (isGenerated && type !== "RSA") return { name, algorithm, issuer };
  if (isGenerated && rsaLengths.includes(length ?? 0)) return { name, algorithm, length, issuer };
  const secret = { $secret: "kept" };
  if (type === "HMAC" || type === "Secret") return { name, algorithm, type, kid, secret };
  return { name, algorithm, kid, certificate, publicKey, ...(isPair && { privateKey: secret }) };
}

/** Whether the PEM text is the private half of a key. */
function hasPrivateKey(_service: ServiceContext, stored: StoredRecord, pem: string): boolean {
  try {
    const publicKey = createPublicKey(createPrivateKey(pem)).export({ type: "spki", format: "pem" });
    return publicKey.toString().trim() === parseRecord<Key>(stored).publicKey?.trim();
  } catch {
    return false;
  }
}

/** Whether the text is the secret of a key. */
function hasSecret({ sealer }: ServiceContext, stored: StoredRecord, secret: string): boolean {
  const key = parseRecord<Key>(stored);
  return isSecretOf(loadKey(sealer, { ...key, type: "HMAC" }, parseHidden<SealedKey>(stored) ?? {}), secret);
}

/** The response of the JWKS endpoint (RFC 7517, 5). */
export interface JwkSet {
  /** The public halves of key pairs with a stored private half, oldest first. */
  readonly keys: readonly PublicJwk[];
}

/** A public key: by id, by `kid`, or the signing key of an application's tokens. */
export interface PublicKeyInput {
  /** The signing key for access tokens of this application, else of its tenant. */
  readonly applicationId?: string;
  /** The key with this id. */
  readonly keyId?: string;
  /** The key with this `kid`. */
  readonly kid?: string;
}

/** One public key in PEM, or all public keys of tokens by `kid`. */
export type PublicKeyOutput = { readonly publicKey: string } | { readonly publicKeys: Readonly<Record<string, string>> };

/** The criteria of a key search (docs/reference/search.md). */
export interface KeyCriteria {
  /** Only keys with this algorithm. */
  readonly algorithm?: KeyAlgorithm;
  /** A text filter on the name: part of it, or with `*` at its ends. */
  readonly name?: string;
  /** Only keys of this type. */
  readonly type?: KeyType;
}

/** Operations on signing keys (docs/reference/signing-keys.md). */
export interface KeyOperations extends Omit<SearchableOperations<"key", "keys", Key, UpdateKeyRequest, KeyCriteria>, "create"> {
  /** Generates a key pair or a secret; returns the key without its private half or secret. */
  readonly generate: OperationSignature<GenerateKeyRequest & Partial<IdInput<"keyId">>, { readonly key: Key }>;
  /** Imports an existing key; 400 `[invalid]key.<part>` if its parts do not belong together. */
  readonly import: OperationSignature<ImportKeyRequest & Partial<IdInput<"keyId">>, { readonly key: Key }>;
  /** Returns the public keys that verify tokens. Needs no credential, like `publicKey`. */
  readonly jwks: OperationSignature<Record<never, never>, JwkSet>;
  /** Returns one public key as PEM, or all of them by key id; 404 for an unknown key or a secret. */
  readonly publicKey: OperationSignature<PublicKeyInput, PublicKeyOutput>;
}

export const keysTable: Table = defineTable({
  name: "keys",
  tenancy: "global",
  since: 2,
  columns: {
    nameFolded: foldedName,
    kid: { type: "text" },
    type: { type: "text" },
    algorithm: { type: "text" },
    expirationInstant: { type: "integer", isNullable: true },
  },
  uniqueKeys: [
    { name: "kid", columns: ["kid"] },
    { name: "name", columns: ["nameFolded"] },
  ],
  indexes: [],
});

const keySearch: SearchDefinition = {
  filters: {
    ...nameSearch.filters,
    algorithm: { kind: "option", column: "algorithm", values: keyAlgorithms },
    type: { kind: "option", column: "type", values: keyTypes },
  },
  sortable: {
    ...nameSearch.sortable,
    algorithm: { column: "algorithm" },
    expiration: { column: "expirationInstant" },
    type: { column: "type" },
  },
  defaultOrder: nameSearch.defaultOrder,
};

/** The id of the default signing key: the same in every storage, created at the first start. */
export const defaultSigningKeyId = "8f4c1f6e-2a57-4c0b-9d3e-61b7c0a4d2e5";

/**
 * The id of the default signing key of ID tokens, created at the first start with an OpenID provider. A storage with clients
 * from an earlier release has none and continues with {@link defaultSigningKeyId}.
 */
export const defaultIdTokenKeyId = "5d0f8c52-6b1e-4e3a-8f27-9c41d2a7b3f6";

/** Whether the service created the key for itself. */
export function isBuiltInKey({ id }: { readonly id: string }): boolean {
  return id === defaultSigningKeyId || id === defaultIdTokenKeyId;
}

/** The family of signing keys. */
export const keyFamily: RecordRow<"keys", Key, UpdateKeyRequest, KeyOperations> = {
  name: "keys",
  wrapper: "key",
  plural: "keys",
  searchPath: "/api/key/search",
  idParameter: "keyId",
  table: keysTable,
  request: lazySchema("keys", "updateKeyRequest"),
  search: keySearch,
  uniquePaths: { kid: "key.kid", name: "key.name" },
  setPaths: new Set(),
  operations: {
    generate: customOperation("keyId"),
    import: customOperation("keyId"),
    retrieve: standard,
    list: standard,
    update: standard,
    patch: standard,
    remove: standard,
    search: standard,
    jwks: customOperation(),
    publicKey: customOperation("applicationId", "keyId", "kid"),
  },
  routes: [
    ...defineIdRoutes("/api/key/generate/:keyId", "global", { POST: "generate" }),
    ...defineIdRoutes("/api/key/import/:keyId", "global", { POST: "import" }),
    ...defineRoutes([
      ["GET", "/api/key", "global", "list"],
      ["GET", "/api/key/:keyId", "global", "retrieve"],
    ]),
    ...defineIdRoutes("/api/key/:keyId", "global", { PUT: "update", PATCH: "patch", DELETE: "remove" }),
    ...defineSearchRoutes("/api/key/search", "global"),
    ...defineRoutes([
      ["GET", "/.well-known/jwks.json", "public", "jwks"],
      ["GET", "/api/jwt/public-key", "public", "publicKey"],
    ]),
  ],
  sealedPart: ([member]) => member,
  tables: [keysTable],
  auditName: "key",
  builtIn: { name: "defaultSigningKey" },
  configuration: {
    key: ["name"],
    fixed: fixedOfKey,
    newRequest: newKeyRequest,
    verbs: { create: verbOfKey },
    secrets: ["privateKey", "secret"],
    madeWith: { privateKey: hasPrivateKey, secret: hasSecret },
    describe: describeKey,
    isBuiltIn: isBuiltInKey,
    isOwn: isBuiltInKey,
  },
};
