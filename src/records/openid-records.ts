import { hash } from "node:crypto";
import { toCanonicalJson } from "../json/canonical-json.js";
import { defineTable, parseHidden, parseRecord } from "../operations/family/family.js";
import type { RecordToStore, StoredRecord, Table } from "../ports/storage.js";
import { digestSecret, type Sealer, sealedLocationOf } from "../security/seal.js";

/**
 * Temporary records of the OpenID provider: browser sessions, codes, consents, requests (docs/reference/openid.md#storage). The
 * name of a record may be a bearer credential, so the id is half of its digest. The content is sealed if it contains such
 * credentials.
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
    /** The digest of a second name: the `uid` of a session, or the code that a user types. */
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

/** The content of a record, defined by the library of the provider. */
export type OpenIdContent = Readonly<Record<string, unknown>>;

/** A record to store. */
export interface OpenIdRecord {
  /** The kind of record, such as `AuthorizationCode`. */
  readonly model: string;
  /** The name of the record, possibly a secret. */
  readonly name: string;
  readonly payload: OpenIdContent;
  /** In epoch milliseconds. */
  readonly expirationInstant: number;
}

/** The id of a record, from its model and name. */
export function idOfRecord(model: string, name: string): string {
  const digest = hash("sha256", `${model} ${name}`);
  return [digest.slice(0, 8), digest.slice(8, 12), digest.slice(12, 16), digest.slice(16, 20), digest.slice(20, 32)].join("-");
}

/** The digest of a second name of a record. */
export function aliasOf(model: string, name: string): string {
  return digestSecret(`${model} ${name}`);
}

/** The model of records that make access tokens without a refresh token revocable. */
export const accessModel = "AccessToken";

/** The model of the last response for a replaced refresh token, by the value of that token. */
export const refreshAnswerModel = "RefreshAnswer";

/** Models without credentials, such as the granted scopes, are not sealed. Codes and sessions contain their own names. */
const openModels: ReadonlySet<string> = new Set([accessModel, "Consent", "Grant"]);

interface HiddenContent {
  /** JSON, or sealed JSON. */
  readonly content: string;
}

/** The unsealed part of a record: the instant of use, in epoch seconds. */
interface OpenContent {
  readonly consumed?: number;
}

/** Opens the content of a stored record. */
export function openPayload(sealer: Sealer, stored: StoredRecord): OpenIdContent {
  const { content = "" } = parseHidden<HiddenContent>(stored) ?? {};
  const text = content.startsWith("{") ? content : sealer.open(content, sealedLocationOf(openIdRecordsTable.name, stored.id));
  return { ...JSON.parse(text), ...parseRecord<OpenContent>(stored) };
}

/**
 * Opens the content of a record that is about to end. Returns an empty one if its sealing secret is not in use anymore: no
 * client can use it then.
 */
export function openEnding(open: () => OpenIdContent): OpenIdContent {
  try {
    return open();
  } catch {
    return {};
  }
}

/** Parameters of a new version of a record, beside its content. */
interface RecordVersion {
  readonly now: number;
  readonly tenantId: string;
  readonly version: number;
}

/** Seals a content and returns the record to store. */
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

/** Returns the next version of a record after a use; the sealed content stays as it is. */
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
