import type { UserPrincipal } from "../../http/authenticate/principal.js";
import { type StorageReader, tenantScope } from "../../ports/storage.js";
import { refreshTokensTable } from "../../resources/refresh-tokens/family.js";
import { idOfRecord, openIdRecordsTable } from "./records.js";

/** The model of the records by which access tokens without a refresh token can be revoked. */
export const accessModel = "AccessToken";

/** Whether the session of a token is still there, where a client of the OpenID provider obtained it; other tokens live until they expire. */
export async function isLive(reader: StorageReader, { claims, tenantId }: UserPrincipal): Promise<boolean> {
  const { gty, scope, sid } = claims;
  if (!Array.isArray(gty)) return true;
  if (typeof sid !== "string") return false;
  const isRefreshable = String(scope).split(" ").includes("offline_access");
  const [table, id] = isRefreshable ? [refreshTokensTable, sid] : [openIdRecordsTable, idOfRecord(accessModel, sid)];
  return (await reader.retrieve(tenantScope(tenantId), table, id)) !== undefined;
}
