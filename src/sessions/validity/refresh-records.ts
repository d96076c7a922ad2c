import type { EndedLogin } from "../../delivery/queues/message-kinds.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { WriteCall } from "../../operations/operation.js";
import { type RecordToStore, type StorageReader, type StoredRecord, tenantScope } from "../../ports/storage.js";
import { type OpenIdContent, openEnding } from "../../records/openid-records.js";
import { refreshTokensTable } from "../../records/refresh-tokens/family.js";
import type { HiddenRefreshToken, RefreshToken } from "../../records/refresh-tokens/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { digestSecret, type Sealer, sealedLocationOf } from "../../security/seal.js";

/** A refresh token of the OpenID provider to store. One record is one session; the token's value changes with each use. */
export interface RefreshRecord {
  /** The id of the session. */
  readonly id: string;
  readonly name: string;
  readonly payload: OpenIdContent;
  /** In epoch milliseconds. */
  readonly expirationInstant: number;
}

/** The stored refresh token with a value; undefined if there is none of the OpenID provider. */
export async function findRefreshRecord(
  reader: StorageReader,
  tenantId: string,
  name: string,
): Promise<StoredRecord | undefined> {
  const ofValue = equalsFilter("digest", digestSecret(name));
  const [stored] = await reader.find(tenantScope(tenantId), refreshTokensTable, ofValue, { limit: 1 });
  return stored !== undefined && parseHidden<HiddenRefreshToken>(stored)?.openId !== undefined ? stored : undefined;
}

/** The content that the provider's library stored with a refresh token; empty for tokens of other origin. */
export function openRefreshPayload(sealer: Sealer, stored: StoredRecord): OpenIdContent {
  const { openId, proof } = parseHidden<HiddenRefreshToken>(stored) ?? {};
  if (openId === undefined) return {};
  const content: OpenIdContent = JSON.parse(sealer.open(openId, sealedLocationOf(refreshTokensTable.name, stored.id)));
  return proof === undefined ? content : { ...content, proof };
}

/** The logins of applications that belong to refresh tokens of the OpenID provider. */
export function loginsOfTokens({ service }: Pick<WriteCall, "service">, tokens: readonly StoredRecord[]): readonly EndedLogin[] {
  return tokens.flatMap((stored) => {
    const { accountId, clientId, sid } = openEnding(() => openRefreshPayload(service.sealer, stored));
    const isNamed = typeof accountId === "string" && typeof clientId === "string" && typeof sid === "string";
    return isNamed ? [{ applicationId: clientId, sid, userId: accountId }] : [];
  });
}

/** The record to store for a refresh token: a new one, or the next value of a stored one. */
export function toRefreshRecord(
  sealer: Sealer,
  { id, name, payload, expirationInstant }: RefreshRecord,
  { now, stored, tenantId }: { readonly now: number; readonly stored: StoredRecord | undefined; readonly tenantId: string },
): RecordToStore {
  const userId = String(payload.accountId);
  const applicationId = String(payload.clientId);
  const startInstant = typeof payload.authTime === "number" ? payload.authTime * 1_000 : now;
  const fresh: RefreshToken = { applicationId, id, insertInstant: now, startInstant, tenantId, userId };
  const record = stored === undefined ? fresh : parseRecord<RefreshToken>(stored);
  const openId = sealer.seal(JSON.stringify(payload), sealedLocationOf(refreshTokensTable.name, id));
  const jkt = typeof payload.jkt === "string" ? payload.jkt : undefined;
  const columns = {
    applicationId,
    digest: digestSecret(name),
    expirationInstant,
    grantId: typeof payload.grantId === "string" ? payload.grantId : null,
    userId,
  };
  const instants = { insertInstant: record.insertInstant, lastUpdateInstant: now };
  const version = (stored?.version ?? 0) + 1;
  const hidden = toCanonicalJson({ jkt, openId, proof: payload.proof });
  return { id, tenantId, version, ...instants, json: toCanonicalJson(record), hidden, columns };
}
