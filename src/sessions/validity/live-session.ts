import type { UserPrincipal } from "../../http/authenticate/principal.js";
import { parseHidden } from "../../operations/family/family.js";
import type { OperationCall } from "../../operations/operation.js";
import { findEach } from "../../operations/read-cache.js";
import { type RecordRead, type StorageReader, type StoredRecord, tenantScope } from "../../ports/storage.js";
import { accessModel, idOfRecord, type OpenIdContent, openIdRecordsTable, openPayload } from "../../records/openid-records.js";
import { refreshTokensTable } from "../../records/refresh-tokens/family.js";
import type { HiddenRefreshToken, Proof } from "../../records/refresh-tokens/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import type { Sealer } from "../../security/seal.js";
import { parseUuid } from "../../shared/text.js";
import { openRefreshPayload } from "./refresh-records.js";

/** The record of a session: that of its refresh token, or its own. */
export interface FoundSession {
  readonly refresh: StoredRecord | undefined;
  readonly own: StoredRecord | undefined;
}

/** Whether the session of a token is still there, where a client of the OpenID provider obtained it; other tokens live until they expire. */
export async function isLive(reader: StorageReader, principal: UserPrincipal): Promise<boolean> {
  if (!Array.isArray(principal.claims.gty)) return true;
  const { own, refresh } = await findSession(reader, principal);
  return (refresh ?? own) !== undefined;
}

/** The names of the claims that the client of a token of the OpenID provider asked userinfo for. */
export async function findUserInfoClaims(
  { reader, service: { sealer } }: OperationCall,
  principal: UserPrincipal,
): Promise<readonly string[]> {
  const { own, refresh } = await findSession(reader, principal);
  const payload: OpenIdContent = refresh ? openRefreshPayload(sealer, refresh) : own ? openPayload(sealer, own) : {};
  return Array.isArray(payload.userInfoClaims) ? payload.userInfoClaims.map(String) : [];
}

/** The record of the session of a token. */
export async function findSession(reader: StorageReader, principal: UserPrincipal): Promise<FoundSession> {
  const [[refresh] = [], [own] = []] = await findEach(reader, readsOfSession(principal));
  return { own, refresh };
}

/** The reads of the record of a session: as that of a refresh token, and as its own. None where the token does not name its session. */
export function readsOfSession({ claims: { sid }, tenantId }: UserPrincipal): readonly RecordRead[] {
  // A lambda may have written another, or other scopes: those do not say which session it is.
  const id = typeof sid === "string" ? parseUuid(sid) : undefined;
  if (id === undefined) return [];
  const scope = tenantScope(tenantId);
  return [
    { scope, table: refreshTokensTable, filter: equalsFilter("id", id) },
    { scope, table: openIdRecordsTable, filter: equalsFilter("id", idOfRecord(accessModel, id)) },
  ];
}

/** The proof that is stored with a session. */
export function proofOfSession(sealer: Sealer, { own, refresh }: FoundSession): Proof | undefined {
  if (refresh !== undefined) return parseHidden<HiddenRefreshToken>(refresh)?.proof;
  return own && (openPayload(sealer, own).proof as Proof | undefined);
}
