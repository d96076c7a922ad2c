import { hash } from "node:crypto";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { defineTable, parseHidden } from "../../operations/family/family.js";
import type { RecordToStore, StoredRecord, Table } from "../../ports/storage.js";
import { digestSecret, type Sealer, sealedLocationOf } from "../../security/seal.js";

/**
 * What the OpenID provider stores for a time: sessions of browsers, codes, consents, requests (docs/reference/openid.md#storage). The id is
 * half of a digest of what names the record, which may let its bearer in; the content is sealed.
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

interface HiddenContent {
  readonly content: string;
}

/** Seals the content of a record for its place. */
export function sealPayload(sealer: Sealer, id: string, payload: OpenIdContent): string {
  return toCanonicalJson({ content: sealer.seal(JSON.stringify(payload), sealedLocationOf(openIdRecordsTable.name, id)) });
}

/** Opens the content of a stored record. */
export function openPayload(sealer: Sealer, stored: StoredRecord): OpenIdContent {
  const { content = "" } = parseHidden<HiddenContent>(stored) ?? {};
  return JSON.parse(sealer.open(content, sealedLocationOf(openIdRecordsTable.name, stored.id)));
}

/** The record to store for a content, as the given version. */
export function toStoredRecord(
  sealer: Sealer,
  { model, name, payload, expirationInstant }: OpenIdRecord,
  { now, tenantId, version }: { readonly now: number; readonly tenantId: string; readonly version: number },
): RecordToStore {
  const id = idOfRecord(model, name);
  const second = payload.uid ?? payload.userCode;
  const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
  const columns = {
    model,
    userId: textOf(payload.accountId),
    applicationId: textOf(payload.clientId),
    grantId: textOf(payload.grantId),
    alias: typeof second === "string" ? aliasOf(model, second) : null,
    expirationInstant,
  };
  const hidden = sealPayload(sealer, id, payload);
  return { id, tenantId, version, insertInstant: now, lastUpdateInstant: now, json: "{}", hidden, columns };
}
