import type { UserPrincipal } from "../../http/authenticate/principal.js";
import type { OperationCall } from "../../operations/operation.js";
import { type StorageReader, type StoredRecord, tenantScope } from "../../ports/storage.js";
import { accessModel, idOfRecord, type OpenIdContent, openIdRecordsTable, openPayload } from "../../records/openid-records.js";
import { refreshTokensTable } from "../../records/refresh-tokens/family.js";
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
export async function findSession(reader: StorageReader, { claims: { sid }, tenantId }: UserPrincipal): Promise<FoundSession> {
  // A lambda may have written another, or other scopes: those do not say which session it is.
  const id = typeof sid === "string" ? parseUuid(sid) : undefined;
  if (id === undefined) return { own: undefined, refresh: undefined };
  const scope = tenantScope(tenantId);
  const refresh = await reader.retrieve(scope, refreshTokensTable, id);
  const own = refresh === undefined ? await reader.retrieve(scope, openIdRecordsTable, idOfRecord(accessModel, id)) : undefined;
  return { own, refresh };
}
