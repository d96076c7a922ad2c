import type { UserPrincipal } from "../../http/authenticate/principal.js";
import { type StorageReader, tenantScope } from "../../ports/storage.js";
import { refreshTokensTable } from "../../resources/refresh-tokens/family.js";
import { parseUuid } from "../../shared/text.js";
import { accessModel, idOfRecord, openIdRecordsTable } from "./records.js";

/** Whether the session of a token is still there, where a client of the OpenID provider obtained it; other tokens live until they expire. */
export async function isLive(reader: StorageReader, { claims, tenantId }: UserPrincipal): Promise<boolean> {
  const { gty, sid } = claims;
  if (!Array.isArray(gty)) return true;
  // A lambda may have written another, or other scopes: those do not say which session it is.
  const id = typeof sid === "string" ? parseUuid(sid) : undefined;
  if (id === undefined) return false;
  const scope = tenantScope(tenantId);
  const session = await reader.retrieve(scope, refreshTokensTable, id);
  return (session ?? (await reader.retrieve(scope, openIdRecordsTable, idOfRecord(accessModel, id)))) !== undefined;
}
