import { refreshTokenCookie } from "../../http/authenticate/cookies.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { StaleVersion, tenantScope } from "../../ports/storage.js";
import { idOfRecord, openIdRecordsTable, openPayload, refreshAnswerModel, toStoredRecord } from "../../records/openid-records.js";
import { refreshTokensTable } from "../../records/refresh-tokens/family.js";
import type { HiddenRefreshToken, RefreshToken } from "../../records/refresh-tokens/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { digestSecret } from "../../security/seal.js";
import type { TokenSettings } from "../../sessions/ending/lifetimes.js";
import { revokeTokens } from "../../sessions/ending/revoke-tokens.js";
import { findPresented, type PresentedToken, readCookie } from "../../sessions/subjects/presented-token.js";
import { isGiven } from "../../shared/text.js";

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
  answer: RefreshAnswer,
  settings: TokenSettings,
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

/** The response that a replaced value got, and the token that replaced it. */
export interface UsedToken {
  readonly answer: RefreshAnswer;
  readonly token: RefreshToken;
  readonly hidden: HiddenRefreshToken;
  /** The end of the grace period, in epoch milliseconds. */
  readonly again: number;
}

/** Finds the replacement of a value; undefined for a value that was not replaced, and after the end of the session. */
export async function findUsedToken(call: OperationCall, value: string): Promise<UsedToken | undefined> {
  const ofValue = equalsFilter("id", idOfRecord(refreshAnswerModel, value));
  const [stored] = await call.reader.find(call.scope, openIdRecordsTable, ofValue, { limit: 1 });
  const { again, answer } = (stored === undefined ? {} : openPayload(call.service.sealer, stored)) as Partial<UsedToken>;
  if (answer === undefined || again === undefined) return undefined;
  const session = await call.reader.retrieve(call.scope, refreshTokensTable, answer.refreshTokenId);
  const hidden = session && (parseHidden<HiddenRefreshToken>(session) ?? {});
  return hidden && { answer, again, hidden, token: parseRecord<RefreshToken>(session) };
}

/**
 * The refresh token whose session a client wants to end, by its value or the cookie; undefined for an unknown one. A replaced value
 * stands for its replacement: a client whose answer was lost has no other.
 */
export async function findTokenToEnd(call: OperationCall, given: string | undefined): Promise<RefreshToken | undefined> {
  const presented = await findPresented(call, given);
  if (presented !== undefined) return presented.token;
  const value = isGiven(given) ? given : readCookie(call, refreshTokenCookie);
  return value === undefined ? undefined : (await findUsedToken(call, value))?.token;
}

/** Ends the session of a value reused after the grace period: it may be stolen. */
export async function endUsedToken(call: WriteCall, { token }: UsedToken): Promise<void> {
  const { applicationId, id, tenantId, userId } = token;
  const fields = { applicationId, refreshToken: token, userId };
  await revokeTokens(call, { tenantId, filter: equalsFilter("id", id), fields });
}
