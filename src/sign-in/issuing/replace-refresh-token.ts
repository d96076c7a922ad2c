import { toCanonicalJson } from "../../json/canonical-json.js";
import type { WriteCall } from "../../operations/operation.js";
import { StaleVersion, tenantScope } from "../../ports/storage.js";
import { openIdRecordsTable, refreshAnswerModel, toStoredRecord } from "../../records/openid-records.js";
import { refreshTokensTable } from "../../records/refresh-tokens/family.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { digestSecret } from "../../security/seal.js";
import type { TokenSettings } from "../../sessions/ending/lifetimes.js";
import type { PresentedToken } from "../../sessions/subjects/presented-token.js";

/** The response of a refresh. */
export interface RefreshAnswer {
  readonly refreshToken: string;
  readonly refreshTokenId: string;
  readonly token: string;
}

/** The expiry of a refresh token, in epoch milliseconds. Tokens of earlier releases do not store it. */
export function endOf({ hidden, token }: PresentedToken, { refreshSeconds }: TokenSettings): number {
  return hidden.until ?? token.startInstant + refreshSeconds * 1_000;
}

/**
 * Replaces the presented value by that of the response. Stores the sealed response under the presented value: within the grace
 * period the value gets it again, and later ends the session.
 * @throws StaleVersion when another request replaced the value.
 */
export async function replaceRefreshToken(
  call: WriteCall,
  presented: PresentedToken,
  { answer, settings }: { readonly answer: RefreshAnswer; readonly settings: TokenSettings },
): Promise<void> {
  const { hidden, stored, token, value } = presented;
  const { applicationId, id, insertInstant, tenantId, userId } = token;
  const scope = tenantScope(tenantId);
  const now = call.service.runtime.clock();
  const [current] = await call.tx.find(scope, refreshTokensTable, equalsFilter("digest", digestSecret(value)), { limit: 1 });
  if (current?.version !== stored.version) throw new StaleVersion(refreshTokensTable.name, id);
  const until = endOf(presented, settings);
  const columns = {
    applicationId: applicationId ?? null,
    digest: digestSecret(answer.refreshToken),
    expirationInstant: until,
    grantId: null,
    userId,
  };
  const version = stored.version + 1;
  const next = { id, tenantId, version, json: stored.json, hidden: toCanonicalJson({ ...hidden, until }) };
  await call.tx.update(scope, refreshTokensTable, { ...next, insertInstant, lastUpdateInstant: now, columns });
  const payload = { accountId: userId, clientId: applicationId, answer, again: now + settings.graceSeconds * 1_000 };
  const kept = { model: refreshAnswerModel, name: value, payload, expirationInstant: until };
  await call.tx.insert(scope, openIdRecordsTable, [toStoredRecord(call.service.sealer, kept, { now, tenantId, version: 1 })]);
}
