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

/** The record of a session: its refresh token, or its own. */
export interface FoundSession {
  readonly refresh: StoredRecord | undefined;
  readonly own: StoredRecord | undefined;
}

/** Whether the session of a token from the OpenID provider still exists; true for other tokens, which last until they expire. */
export async function isLive(reader: StorageReader, principal: UserPrincipal): Promise<boolean> {
  if (!Array.isArray(principal.claims.gty)) return true;
  const { own, refresh } = await findSession(reader, principal);
  return (refresh ?? own) !== undefined;
}

/** The names of the userinfo claims that the client of an OpenID token requested. */
export async function findUserInfoClaims(
  { reader, service: { sealer } }: OperationCall,
  principal: UserPrincipal,
): Promise<readonly string[]> {
  const { own, refresh } = await findSession(reader, principal);
  const payload: OpenIdContent = refresh ? openRefreshPayload(sealer, refresh) : own ? openPayload(sealer, own) : {};
  return Array.isArray(payload.userInfoClaims) ? payload.userInfoClaims.map(String) : [];
}

/** Returns the refresh token of a session, and the record of the OpenID provider, as far as they are stored. */
export async function findSession(reader: StorageReader, principal: UserPrincipal): Promise<FoundSession> {
  const [[refresh] = [], [own] = []] = await findEach(reader, readsOfSession(principal));
  return { own, refresh };
}

/** The reads for the record of a session, as a refresh token and as its own. Empty if the token names no session. */
export function readsOfSession({ claims: { sid }, tenantId }: UserPrincipal): readonly RecordRead[] {
  // A lambda may have written `sid`, so it may be no UUID.
  const id = typeof sid === "string" ? parseUuid(sid) : undefined;
  if (id === undefined) return [];
  const scope = tenantScope(tenantId);
  return [
    { scope, table: refreshTokensTable, filter: equalsFilter("id", id) },
    { scope, table: openIdRecordsTable, filter: equalsFilter("id", idOfRecord(accessModel, id)) },
  ];
}

/** The stored proof of a session. */
export function proofOfSession(sealer: Sealer, { own, refresh }: FoundSession): Proof | undefined {
  if (refresh !== undefined) return parseHidden<HiddenRefreshToken>(refresh)?.proof;
  return own && (openPayload(sealer, own).proof as Proof | undefined);
}
