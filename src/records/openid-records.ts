import { hash } from "node:crypto";
import { toCanonicalJson } from "../json/canonical-json.js";
import { defineTable, parseHidden, parseRecord } from "../operations/family/family.js";
import type { RecordToStore, StoredRecord, Table } from "../ports/storage.js";
import { digestSecret, type Sealer, sealedLocationOf } from "../security/seal.js";

/**
 * What the OpenID provider stores for a time: sessions of browsers, codes, consents, requests (docs/reference/openid.md#storage). The id is
 * half of a digest of what names the record, which may let its bearer in; the content is sealed where it lets its bearer in.
 */
export const openIdRecordsTable: Table = defineTable({
  name: "openIdRecords",
  tenancy: "tenant",
  since: 9,
  columns: {
    model: { type: "text" },
    userId: { type: "id", isNullable: true, references: { table: "users", onRemove: "cascade" } },
    applicationId: { type: "id", isNullable: true, references: { table: "applications", onRemove: "cascade" } },
    grantId: { type: "text", isNullable: true },
    /** The digest of a second name: the `uid` of a session, the code that a user types. */
    alias: { type: "text", isNullable: true },
    expirationInstant: { type: "integer" },
  },
  uniqueKeys: [],
  indexes: [
    { columns: ["userId"] },
    { columns: ["applicationId"] },
    { columns: ["grantId"] },
    { columns: ["alias"] },
    { columns: ["expirationInstant"] },
  ],
});

/** The content of a record, as the provider's library makes it. */
export type OpenIdContent = Readonly<Record<string, unknown>>;

/** A record that is to be stored. */
export interface OpenIdRecord {
  /** What kind of record it is, such as `AuthorizationCode`. */
  readonly model: string;
  /** Names the record, and may be a secret. */
  readonly name: string;
  readonly payload: OpenIdContent;
  /** In epoch milliseconds. */
  readonly expirationInstant: number;
}

/** The id of the record of a model by a name. */
export function idOfRecord(model: string, name: string): string {
  const digest = hash("sha256", `${model} ${name}`);
  return [digest.slice(0, 8), digest.slice(8, 12), digest.slice(12, 16), digest.slice(16, 20), digest.slice(20, 32)].join("-");
}

/** The digest of a second name of a record of a model. */
export function aliasOf(model: string, name: string): string {
  return digestSecret(`${model} ${name}`);
}

/** The model of the records by which access tokens without a refresh token can be revoked. */
export const accessModel = "AccessToken";

/** The model of the answers that a refresh token got which was replaced since, by its value. */
export const refreshAnswerModel = "RefreshAnswer";

/** What lets nobody in, such as the scopes that a user granted, is not sealed. Codes and sessions name themselves in their contents. */
const openModels: ReadonlySet<string> = new Set([accessModel, "Consent", "Grant"]);

interface HiddenContent {
  /** JSON, or sealed JSON. */
  readonly content: string;
}

/** What a record says openly: when it was used, in epoch seconds. */
interface OpenContent {
  readonly consumed?: number;
}

/** Opens the content of a stored record. */
export function openPayload(sealer: Sealer, stored: StoredRecord): OpenIdContent {
  const { content = "" } = parseHidden<HiddenContent>(stored) ?? {};
  const text = content.startsWith("{") ? content : sealer.open(content, sealedLocationOf(openIdRecordsTable.name, stored.id));
  return { ...JSON.parse(text), ...parseRecord<OpenContent>(stored) };
}

/** Opens the content of a stored record that is about to end. Returns an empty one if its secret is not in use any more: no client can use it then. */
export function openEnding(open: () => OpenIdContent): OpenIdContent {
  try {
    return open();
  } catch {
    return {};
  }
}

/** What a new version of a record needs beside its content. */
interface RecordVersion {
  readonly now: number;
  readonly tenantId: string;
  readonly version: number;
}

/** The record to store for a content, as the given version. */
export function toStoredRecord(
  sealer: Sealer,
  { model, name, payload, expirationInstant }: OpenIdRecord,
  { now, tenantId, version }: RecordVersion,
): RecordToStore {
  const id = idOfRecord(model, name);
  const text = JSON.stringify(payload);
  const content = openModels.has(model) ? text : sealer.seal(text, sealedLocationOf(openIdRecordsTable.name, id));
  const hidden = toCanonicalJson({ content });
  const columns = toColumns({ model, payload, expirationInstant });
  return { id, tenantId, version, insertInstant: now, lastUpdateInstant: now, json: "{}", hidden, columns };
}

/** The next version of a stored record, which was used now: what is sealed stays as it is. */
export function toUsedRecord(
  stored: StoredRecord,
  { model, payload, expirationInstant }: Omit<OpenIdRecord, "name">,
  { now, tenantId, version }: RecordVersion,
): RecordToStore {
  const { hidden, id } = stored;
  const json = toCanonicalJson({ consumed: payload.consumed });
  const columns = toColumns({ model, payload, expirationInstant });
  return { id, tenantId, version, insertInstant: now, lastUpdateInstant: now, json, hidden, columns };
}

function toColumns({ expirationInstant, model, payload }: Omit<OpenIdRecord, "name">): RecordToStore["columns"] {
  const second = payload.uid ?? payload.userCode;
  const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return {
    model,
    userId: textOf(payload.accountId),
    applicationId: textOf(payload.clientId),
    grantId: textOf(payload.grantId),
    alias: typeof second === "string" ? aliasOf(model, second) : null,
    expirationInstant,
  };
}
