import { fieldError, generalError } from "../../errors/identity-error.js";
import type { OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { type Draft, type DraftContext, type Family, parseHidden, parseRecord } from "../../operations/family/family.js";
import type { FamilyExample, FamilyRulesModule } from "../../operations/family/family-row.js";
import { optionalId, toRecordToStore } from "../../operations/family/record-steps.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { isNamedByWebhook } from "../../operations/references/key-purposes.js";
import type { ServiceContext } from "../../operations/service-context.js";
import { runCreate } from "../../operations/verbs/create.js";
import { globalScope, type StorageReader, type StoredRecord, type Transaction } from "../../ports/storage.js";
import { applicationsTable } from "../../records/applications/family.js";
import type { Application } from "../../records/applications/schema.js";
import { defaultIdTokenKeyId, defaultSigningKeyId, isBuiltInKey, keyFamily, keysTable } from "../../records/keys/family.js";
import type { GenerateKeyRequest, ImportKeyRequest, Key, UpdateKeyRequest, WithMaterial } from "../../records/keys/schema.js";
import { lazySchema } from "../../records/schemas.js";
import { tenantsTable } from "../../records/tenants/family.js";
import type { Tenant } from "../../records/tenants/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { type GenerateKeyOptions, generateKey } from "../../security/keys/generate-key.js";
import { importKey } from "../../security/keys/import-key.js";
import { loadKey, type NamedKey, type SealedKey, sealKey } from "../../security/keys/loaded-keys.js";
import { type KeyMaterial, type PublicJwk, toPublicJwk, toThumbprint } from "../../security/keys/public-key-data.js";
import type { Sealer } from "../../security/seal.js";
import { foldText } from "../../shared/text.js";

// Loaded with the first new key.
const generateKeyRequest = lazySchema("keys", "generateKeyRequest");
const importKeyRequest = lazySchema("keys", "importKeyRequest");

/** The sealed private half or secret; for a pair with a stored private half also the public JWK. */
interface HiddenKey extends SealedKey {
  readonly jwk?: PublicJwk;
}

/** The family of signing keys (docs/reference/signing-keys.md). */
export const keys: Family<Key, UpdateKeyRequest> = {
  ...keyFamily,
  rules: { toDraft: rename, beforeRemove, afterRemove: forgetKeys },
};

/** The family for generated keys. */
const generatedKeys: Family<Key, WithMaterial<GenerateKeyRequest>> = {
  ...keyFamily,
  request: generateKeyRequest,
  rules: { prepare: addGenerated, toDraft: toNewDraft },
};

/** The family for imported keys. */
const importedKeys: Family<Key, WithMaterial<ImportKeyRequest>> = {
  ...keyFamily,
  request: importKeyRequest,
  rules: { prepare: addImported, toDraft: toNewDraft },
};

/** Ids of built-in keys of the reference's product: known to its clients, never used here. */
const reservedIds: ReadonlySet<string> = new Set([
  "092dbedc-30af-4149-9c61-b578f2c72f59",
  "4b8f1c06-518e-45bd-9ac5-d549686ae02a",
  "c753a44d-7f2e-48d3-bc4e-c2c16488a23b",
]);

async function addGenerated(
  call: OperationCall,
  request: WithMaterial<GenerateKeyRequest>,
): Promise<WithMaterial<GenerateKeyRequest>> {
  assertNotReserved(call);
  return { ...request, material: await generateKey(request.key, call.service.runtime.random) };
}

async function addImported(
  call: OperationCall,
  request: WithMaterial<ImportKeyRequest>,
): Promise<WithMaterial<ImportKeyRequest>> {
  assertNotReserved(call);
  const material = await importKey(request.key);
  const { algorithm, type } = material;
  return { key: { ...request.key, algorithm, type }, material };
}

function assertNotReserved(call: OperationCall): void {
  if (reservedIds.has(optionalId(call, "keyId") ?? "")) throw fieldError("invalid", "keyId", "The [keyId] is reserved.");
}

function toNewDraft(
  call: Pick<WriteCall, "service">,
  request: WithMaterial<{ readonly key: Pick<Key, "name"> & Partial<Pick<Key, "kid" | "issuer">> }>,
  { id, now }: Pick<DraftContext<Key>, "id" | "now">,
): Draft<Key> {
  const { key, material } = request;
  if (material === undefined) throw new Error("A key must be generated or imported before it is stored.");
  const { algorithm, certificate, certificateInformation, length, privateKey, publicKey, publicMembers, type } = material;
  const kid = key.kid ?? toKid(call, material);
  const hasPrivateKey = privateKey !== undefined;
  const source = { algorithm, certificate, certificateInformation, kid };
  const jwk = hasPrivateKey && publicMembers !== undefined ? toPublicJwk({ ...source, publicMembers }) : undefined;
  const expirationInstant = certificateInformation?.validTo;
  const instants = { expirationInstant, insertInstant: now, lastUpdateInstant: now };
  const { issuer, name } = key;
  const record = { ...source, ...instants, hasPrivateKey, id, issuer, length, name, publicKey, type };
  return toKeyDraft(record, { ...sealKey(call.service.sealer, id, material), ...(jwk && { jwk }) });
}

// The `kid` of a secret is random: one derived from the secret would help to guess it.
function toKid(call: Pick<WriteCall, "service">, { publicMembers }: KeyMaterial): string {
  if (publicMembers !== undefined) return toThumbprint(publicMembers);
  return Buffer.from(call.service.runtime.random(16)).toString("base64url");
}

function rename(_call: WriteCall, request: UpdateKeyRequest, { current, now }: DraftContext<Key>): Draft<Key> {
  if (current === undefined) throw new Error("Only a stored key can be renamed.");
  const record = { ...current.record, name: request.key.name, lastUpdateInstant: now };
  return toKeyDraft(record, parseHidden<HiddenKey>(current));
}

function toKeyDraft(record: Key, hidden: HiddenKey | undefined): Draft<Key> {
  const { algorithm, expirationInstant = null, kid, name, type } = record;
  return { record, hidden: { ...hidden }, columns: { nameFolded: foldText(name), kid, type, algorithm, expirationInstant } };
}

async function beforeRemove(_call: WriteCall, key: Key): Promise<void> {
  if (isBuiltInKey(key)) throw fieldError("inUse", "keyId", "The key signs what no other key is named for.");
}

async function forgetKeys(call: WriteCall): Promise<void> {
  call.tx.afterCommit(call.service.forgetKeys);
}

/** Creates the default signing key, used if neither the application nor the tenant sets one. */
export function makeBuiltIn(tx: Transaction, service: ServiceContext): Promise<void> {
  return makeOwn(tx, service, { id: defaultSigningKeyId, name: "Default signing key", algorithm: "ES256" });
}

/**
 * Creates the default signing key of ID tokens: with RS256, which every client library accepts (OpenID Connect Discovery 3).
 * Not if there are applications, since their clients may expect another algorithm.
 */
export async function makeIdTokenKey(tx: Transaction, service: ServiceContext): Promise<void> {
  if ((await tx.find(globalScope, applicationsTable, undefined, { limit: 1 })).length > 0) return;
  await makeOwn(tx, service, { id: defaultIdTokenKeyId, name: "Default ID token key", algorithm: "RS256", length: 2_048 });
}

async function makeOwn(
  tx: Transaction,
  service: ServiceContext,
  { id, name, ...parameters }: { readonly id: string; readonly name: string } & GenerateKeyOptions,
): Promise<void> {
  const material = await generateKey(parameters, service.runtime.random);
  const isTaken = (await tx.find(globalScope, keysTable, equalsFilter("nameFolded", foldText(name)), { limit: 1 })).length > 0;
  const key = { name: isTaken ? `${name} ${id}` : name };
  const draft = toNewDraft({ service }, { key, material }, { id, now: service.runtime.clock() });
  await tx.insert(globalScope, keysTable, [toRecordToStore(draft, null, 1)]);
}

/** Loads the key with this id, to sign or to verify; undefined if there is none. */
export async function openKeyById(reader: StorageReader, sealer: Sealer, id: string): Promise<NamedKey | undefined> {
  const stored = await reader.retrieve(globalScope, keysTable, id);
  return stored && openStored(reader, sealer, stored);
}

/** Loads the key with the `kid` of a token; undefined if there is none. */
export async function openKeyByKid(reader: StorageReader, sealer: Sealer, kid: string): Promise<NamedKey | undefined> {
  const [stored] = await reader.find(globalScope, keysTable, equalsFilter("kid", kid), { limit: 1 });
  return stored && openStored(reader, sealer, stored);
}

async function openStored(reader: StorageReader, sealer: Sealer, stored: StoredRecord): Promise<NamedKey> {
  const key = loadKey(sealer, parseRecord<Key>(stored), parseHidden<HiddenKey>(stored) ?? {});
  return { ...key, isForWebhooks: await isNamedByWebhook(reader, key.id) };
}

/** The public halves of the local signing keys. */
async function retrieveJwks(call: OperationCall): Promise<OperationResult> {
  const found = (await findPublished(call)).map(({ jwk }) => jwk);
  return { status: 200, json: toCanonicalJson({ keys: found }) };
}

// Verifiers trust every published key, so public keys of other signers are excluded.
async function findPublished(call: OperationCall): Promise<readonly { readonly key: Key; readonly jwk: PublicJwk }[]> {
  const isPair = { op: "in", column: "type", values: ["EC", "OKP", "RSA"] } as const;
  const sort = [{ column: "insertInstant", direction: "asc" } as const];
  const found = await call.reader.find(globalScope, keysTable, isPair, { sort });
  return found.flatMap((stored) => {
    const jwk = parseHidden<HiddenKey>(stored)?.jwk;
    return jwk === undefined ? [] : [{ key: parseRecord<Key>(stored), jwk }];
  });
}

/** GET of public keys in PEM. Keys without a public half are 404. */
async function retrievePublicKey(call: OperationCall): Promise<OperationResult> {
  if (["applicationId", "keyId", "kid"].every((name) => (call.params[name] ?? "") === "")) {
    const publicKeys = Object.fromEntries((await findPublished(call)).map(({ key }) => [key.kid, key.publicKey]));
    return { status: 200, json: toCanonicalJson({ publicKeys }) };
  }
  const stored = await findNamed(call);
  const found = stored && parseRecord<Key>(stored).publicKey;
  if (found === undefined) throw generalError("notFound");
  return { status: 200, json: toCanonicalJson({ publicKey: found }) };
}

async function findNamed(call: OperationCall): Promise<StoredRecord | undefined> {
  const keyId = optionalId(call, "keyId");
  const { kid = "" } = call.params;
  if (keyId === undefined && kid !== "") {
    const [stored] = await call.reader.find(globalScope, keysTable, equalsFilter("kid", kid), { limit: 1 });
    return stored;
  }
  const id = keyId ?? (await findKeyIdOfApplication(call));
  return id === undefined ? undefined : call.reader.retrieve(globalScope, keysTable, id);
}

// Without an own configuration, an application signs like its tenant, and a tenant without a key with the default key.
async function findKeyIdOfApplication(call: OperationCall): Promise<string | undefined> {
  const stored = await call.reader.retrieve(call.scope, applicationsTable, optionalId(call, "applicationId") ?? "");
  if (stored === undefined) return undefined;
  const { jwtConfiguration, tenantId } = parseRecord<Application>(stored);
  const own = jwtConfiguration.enabled ? jwtConfiguration.accessTokenKeyId : undefined;
  if (own !== undefined) return own;
  const tenant = await call.reader.retrieve(globalScope, tenantsTable, tenantId);
  return tenant && (parseRecord<Tenant>(tenant).jwtConfiguration.accessTokenKeyId ?? defaultSigningKeyId);
}

/** The operations that only this family has. */
export const operations: FamilyRulesModule["operations"] = {
  generate: (call) => runCreate(call, generatedKeys),
  import: (call) => runCreate(call, importedKeys),
  jwks: retrieveJwks,
  publicKey: retrievePublicKey,
};

export const example: FamilyExample<GenerateKeyRequest> = ({ number }) => ({
  key: { name: `Key ${number}`, algorithm: "HS256" },
});
