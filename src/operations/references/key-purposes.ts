import { FieldErrorList } from "../../errors/identity-error.js";
import { type Filter, globalScope, type StoredRecord, type Table, type Transaction } from "../../ports/storage.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { valueAt } from "../../shared/objects.js";
import type { BaseRecord } from "../family/family.js";
import type { WriteCall } from "../operation.js";
import { addInvalidKeys, type KeyPurpose, keyPlaces, type NamedKey } from "./key-places.js";
import { insertLinks } from "./links.js";

/**
 * The purposes of keys, by the records that refer to them (docs/reference/tokens.md#jwts-accepted). A purpose stays until the key
 * is removed, so that a token outlives a change of keys and the secret of a receiver never signs tokens.
 */
export const keyPurposesTable: Table = Object.freeze({
  name: "keyPurposes",
  tenancy: "optional",
  since: 7,
  columns: {
    /** The table and the id of the record that refers to the key. */
    holder: { type: "text" },
    keyId: { type: "id", references: { table: "keys", onRemove: "cascade" } },
    purpose: { type: "text" },
  },
  uniqueKeys: [],
  indexes: [{ columns: ["keyId"] }, { columns: ["holder"] }],
} satisfies Table);

/** The identifier of a record that refers to keys. */
export function holderOf(table: string, id: string): string {
  return `${table}/${id}`;
}

/**
 * Refuses keys that do not meet the requirement of their place, and keys that already serve the opposite purpose. Earlier
 * references of the record may stay, so that a database of an earlier release can be corrected step by step.
 * @throws IdentityError 400 `[invalid]<path>` for each such key.
 */
export async function assertValidKeys(
  call: WriteCall,
  references: readonly NamedKey[],
  before: readonly NamedKey[] = [],
): Promise<void> {
  const isKnown = (one: NamedKey): boolean =>
    before.some(({ path, id, needs }) => path === one.path && id === one.id && needs === one.needs);
  const named = references.filter(({ table }) => table === "keys");
  const added = named.filter((one) => !isKnown(one));
  const errors = new FieldErrorList();
  await addInvalidKeys(call, added, errors);
  await addOtherPurposes(call, { added, named }, errors);
  errors.throwIfAny();
}

interface KeysOfRecord {
  readonly added: readonly NamedKey[];
  readonly named: readonly NamedKey[];
}

async function addOtherPurposes(call: WriteCall, { added, named }: KeysOfRecord, errors: FieldErrorList): Promise<void> {
  for (const { path, id } of added.filter((one) => purposeAt(one) !== undefined)) {
    const isForWebhook = purposeAt({ path }) === "webhook";
    const others = isForWebhook ? tokenPurposes : webhookPurposes;
    const own = named.filter((one) => one.id === id).map(purposeAt);
    const [other] = await call.tx.find(globalScope, keyPurposesTable, isFor(id, others), { limit: 1 });
    if (other === undefined && !others.some((purpose) => own.includes(purpose))) continue;
    const [mine, theirs] = isForWebhook ? ["what webhooks are sent", "tokens"] : ["tokens", "what webhooks are sent"];
    errors.add("invalid", path, `The key that [${path}] names cannot sign ${mine}: it was named to sign ${theirs}.`);
  }
}

function purposeAt({ path }: Pick<NamedKey, "path">): KeyPurpose | undefined {
  return keyPlaces[path]?.purpose;
}

/** The purposes of a key that signs tokens. */
export const tokenPurposes: readonly KeyPurpose[] = ["accessToken", "token"];
const webhookPurposes: readonly KeyPurpose[] = ["webhook"];

/** The filter for recorded purposes of a key. */
export function isFor(keyId: string, purposes: readonly KeyPurpose[]): Filter {
  return { op: "and", filters: [equalsFilter("keyId", keyId), { op: "in", column: "purpose", values: purposes }] };
}

type Writing = Pick<WriteCall, "service" | "tx">;

/** Records the purposes of a record's keys. */
export async function recordPurposes(
  call: Writing,
  table: Table,
  holder: StoredRecord,
  named: readonly NamedKey[],
): Promise<void> {
  const isOff = valueAt(JSON.parse(holder.json), "jwtConfiguration.enabled") === false;
  const wanted = named.flatMap(({ id, path }) => {
    const purpose = purposeAt({ path });
    if (purpose === undefined) return [];
    return [{ keyId: id, purpose: purpose === "accessToken" && isOff ? "token" : purpose }];
  });
  if (wanted.length === 0) return;
  await insertMissing(call, { holder: holderOf(table.name, holder.id), tenantId: holder.tenantId }, wanted);
}

/** Records the purpose of one key. */
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

/** The purpose in a stored record. */
export function toPurpose(stored: StoredRecord): NotedPurpose & { readonly holder: string } {
  return JSON.parse(stored.json) as NotedPurpose & { readonly holder: string };
}

/** The holder that stands for all removed webhooks: receivers still have the secrets of these. */
const goneWebhooks = "webhooks";

/** Removes the key purposes of a record that is removed. Purposes from webhooks stay. */
export async function removePurposes(call: WriteCall, table: Table, id: string): Promise<void> {
  const ofHolder = equalsFilter("holder", holderOf(table.name, id));
  const noted = (await call.tx.find(globalScope, keyPurposesTable, ofHolder)).map(toPurpose);
  if (noted.length === 0) return;
  await call.tx.remove(globalScope, keyPurposesTable, ofHolder);
  const kept = noted.filter(({ purpose }) => purpose === "webhook").map(({ keyId, purpose }) => ({ keyId, purpose }));
  if (kept.length > 0) await insertMissing(call, { holder: goneWebhooks, tenantId: null }, kept);
  call.tx.afterCommit(call.service.forgetKeys);
}

/** Whether a webhook has used a key to sign its requests. */
export async function isNamedByWebhook(reader: Pick<Transaction, "find">, keyId: string): Promise<boolean> {
  const found = await reader.find(globalScope, keyPurposesTable, isFor(keyId, webhookPurposes), { limit: 1 });
  return found.length > 0;
}

/** The keys that a record refers to, by the paths in `keyPlaces`. */
export function namedKeysIn(wrapper: string, record: BaseRecord): readonly NamedKey[] {
  return Object.keys(keyPlaces).flatMap((path) => {
    const id = path.startsWith(`${wrapper}.`) ? valueAt(record, path.slice(wrapper.length + 1)) : undefined;
    return typeof id === "string" ? [{ path, table: "keys", id }] : [];
  });
}
