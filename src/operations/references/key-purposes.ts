import { FieldErrorList } from "../../errors/identity-error.js";
import { type Filter, globalScope, type StoredRecord, type Table, type Transaction } from "../../ports/storage.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { valueAt } from "../../shared/objects.js";
import type { BaseRecord, Reference } from "../family/family.js";
import type { WriteCall } from "../operation.js";
import { insertLinks } from "./links.js";

/** What a key is named for: to sign access tokens; to sign other tokens, or access tokens later; to sign what webhooks are sent. */
export type KeyPurpose = "accessToken" | "token" | "webhook";

/**
 * What keys were named for, and where (docs/reference/tokens.md#jwts-accepted). What is named once is remembered until the key goes, so that a
 * token outlives a change of keys and the secret of a receiver never becomes one of tokens.
 */
export const keyPurposesTable: Table = Object.freeze({
  name: "keyPurposes",
  tenancy: "optional",
  since: 7,
  columns: {
    /** The table and the id of the record that named the key. */
    holder: { type: "text" },
    keyId: { type: "id", references: { table: "keys", onRemove: "cascade" } },
    purpose: { type: "text" },
  },
  uniqueKeys: [],
  indexes: [{ columns: ["keyId"] }, { columns: ["holder"] }],
} satisfies Table);

/** What a key serves at each place that names one, by the path from the wrapper; undefined where it signs nothing. */
export const keyPaths: Readonly<Record<string, KeyPurpose | undefined>> = {
  "application.jwtConfiguration.accessTokenKeyId": "accessToken",
  "application.jwtConfiguration.idTokenKeyId": "token",
  "application.samlv2Configuration.assertionEncryptionConfiguration.keyTransportEncryptionKeyId": undefined,
  "application.samlv2Configuration.defaultVerificationKeyId": undefined,
  "connector.sslCertificateKeyId": undefined,
  "entityType.jwtConfiguration.accessTokenKeyId": "accessToken",
  "identityProvider.assertionDecryptionConfiguration.keyTransportDecryptionKeyId": undefined,
  "identityProvider.defaultKeyId": undefined,
  "identityProvider.requestSigningKeyId": undefined,
  "tenant.jwtConfiguration.accessTokenKeyId": "accessToken",
  "tenant.jwtConfiguration.idTokenKeyId": "token",
  "webhook.signatureConfiguration.signingKeyId": "webhook",
  "webhook.sslCertificateKeyId": undefined,
};

type NamedKey = Pick<Reference, "path" | "table" | "id">;

/** The text that stands for a record that names keys. */
export function holderOf(table: string, id: string): string {
  return `${table}/${id}`;
}

/**
 * Refuses keys that serve the other purpose already. What a record named before may stay, so that a database in which a key has both
 * purposes can be put right step by step.
 * @throws IdentityError 400 `[invalid]<path>` for each such key.
 */
export async function assertOnePurpose(
  call: WriteCall,
  named: readonly NamedKey[],
  before: readonly NamedKey[] = [],
): Promise<void> {
  const isNew = ({ path, id }: NamedKey): boolean => !before.some((known) => known.path === path && known.id === id);
  const wanted = named.filter((one) => keyPaths[one.path] !== undefined && isNew(one));
  const errors = new FieldErrorList();
  for (const { path, id } of wanted) {
    const isForWebhook = keyPaths[path] === "webhook";
    const others = isForWebhook ? tokenPurposes : webhookPurposes;
    const own = named.filter((one) => one.id === id).map((one) => keyPaths[one.path]);
    const [other] = await call.tx.find(globalScope, keyPurposesTable, isFor(id, others), { limit: 1 });
    if (other === undefined && !others.some((purpose) => own.includes(purpose))) continue;
    const [mine, theirs] = isForWebhook ? ["what webhooks are sent", "tokens"] : ["tokens", "what webhooks are sent"];
    errors.add("invalid", path, `The key that [${path}] names cannot sign ${mine}: it was named to sign ${theirs}.`);
  }
  errors.throwIfAny();
}

/** The purposes of a key that signs tokens. */
export const tokenPurposes: readonly KeyPurpose[] = ["accessToken", "token"];
const webhookPurposes: readonly KeyPurpose[] = ["webhook"];

/** The filter for what was noted of a key. */
export function isFor(keyId: string, purposes: readonly KeyPurpose[]): Filter {
  return { op: "and", filters: [equalsFilter("keyId", keyId), { op: "in", column: "purpose", values: purposes }] };
}

type Writing = Pick<WriteCall, "service" | "tx">;

/** Notes what a record names its keys for. */
export async function recordPurposes(
  call: Writing,
  table: Table,
  holder: StoredRecord,
  named: readonly NamedKey[],
): Promise<void> {
  const isOff = valueAt(JSON.parse(holder.json), "jwtConfiguration.enabled") === false;
  const wanted = named.flatMap(({ id, path }) => {
    const purpose = keyPaths[path];
    if (purpose === undefined) return [];
    return [{ keyId: id, purpose: purpose === "accessToken" && isOff ? "token" : purpose }];
  });
  if (wanted.length === 0) return;
  await insertMissing(call, { holder: holderOf(table.name, holder.id), tenantId: holder.tenantId }, wanted);
}

/** Notes what a key is for. */
export async function recordKeyPurpose(call: Writing, holder: Holder, purpose: NotedPurpose): Promise<void> {
  await insertMissing(call, holder, [purpose]);
}

interface Holder {
  readonly holder: string;
  readonly tenantId: string | null;
}

interface NotedPurpose {
  readonly keyId: string;
  readonly purpose: KeyPurpose;
}

async function insertMissing(call: Writing, { holder, tenantId }: Holder, wanted: readonly NotedPurpose[]): Promise<void> {
  const noted = (await call.tx.find(globalScope, keyPurposesTable, equalsFilter("holder", holder))).map(toPurpose);
  const isNoted = ({ keyId, purpose }: NotedPurpose): boolean =>
    noted.some((one) => one.keyId === keyId && one.purpose === purpose);
  const missing = wanted.filter((one) => !isNoted(one));
  if (missing.length === 0) return;
  const links = missing.map((one) => ({ tenantId, columns: { holder, ...one } }));
  await insertLinks(call, keyPurposesTable, links);
  call.tx.afterCommit(call.service.forgetKeys);
}

/** What a stored record says of a key. */
export function toPurpose(stored: StoredRecord): NotedPurpose & { readonly holder: string } {
  return JSON.parse(stored.json) as NotedPurpose & { readonly holder: string };
}

/** Webhooks that are gone, all together: receivers keep the secrets that they were given. */
const goneWebhooks = "webhooks";

/** Forgets what a record named keys for, once it goes. What webhooks named stays named. */
export async function removePurposes(call: WriteCall, table: Table, id: string): Promise<void> {
  const ofHolder = equalsFilter("holder", holderOf(table.name, id));
  const noted = (await call.tx.find(globalScope, keyPurposesTable, ofHolder)).map(toPurpose);
  if (noted.length === 0) return;
  await call.tx.remove(globalScope, keyPurposesTable, ofHolder);
  const kept = noted.filter(({ purpose }) => purpose === "webhook").map(({ keyId, purpose }) => ({ keyId, purpose }));
  if (kept.length > 0) await insertMissing(call, { holder: goneWebhooks, tenantId: null }, kept);
  call.tx.afterCommit(call.service.forgetKeys);
}

/** Whether a webhook has named a key to sign what it is sent. */
export async function isNamedByWebhook(reader: Pick<Transaction, "find">, keyId: string): Promise<boolean> {
  const found = await reader.find(globalScope, keyPurposesTable, isFor(keyId, webhookPurposes), { limit: 1 });
  return found.length > 0;
}

/** The keys that a record names, by the paths that its family knows. */
export function namedKeysIn(wrapper: string, record: BaseRecord): readonly NamedKey[] {
  return Object.keys(keyPaths).flatMap((path) => {
    const id = path.startsWith(`${wrapper}.`) ? valueAt(record, path.slice(wrapper.length + 1)) : undefined;
    return typeof id === "string" ? [{ path, table: "keys", id }] : [];
  });
}
