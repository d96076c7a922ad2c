import { refreshTokenCookie } from "../../http/authenticate/cookies.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import type { StoredRecord } from "../../ports/storage.js";
import { idOfRecord, openIdRecordsTable, openPayload, refreshAnswerModel } from "../../records/openid-records.js";
import { refreshTokensTable } from "../../records/refresh-tokens/family.js";
import type { HiddenRefreshToken, RefreshToken } from "../../records/refresh-tokens/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { revokeTokens } from "../../sessions/ending/revoke-tokens.js";
import { findPresented, readCookie } from "../../sessions/subjects/presented-token.js";
import { isGiven } from "../../shared/text.js";
import type { RefreshAnswer } from "./replace-refresh-token.js";

/** The response that a replaced value got, and the token that replaced it. */
export interface ReplacedToken {
  readonly answer: RefreshAnswer;
  /** The record of the token that replaced it. */
  readonly stored: StoredRecord;
  readonly token: RefreshToken;
  readonly hidden: HiddenRefreshToken;
  /** The end of the grace period, in epoch milliseconds. */
  readonly again: number;
}

/** Finds the replacement of a value; undefined for a value that was not replaced, and after the end of the session. */
export async function findReplacedToken(call: OperationCall, value: string): Promise<ReplacedToken | undefined> {
  const ofValue = equalsFilter("id", idOfRecord(refreshAnswerModel, value));
  const [stored] = await call.reader.find(call.scope, openIdRecordsTable, ofValue, { limit: 1 });
  const { again, answer } = (stored === undefined ? {} : openPayload(call.service.sealer, stored)) as Partial<ReplacedToken>;
  if (answer === undefined || again === undefined) return undefined;
  const current = await call.reader.retrieve(call.scope, refreshTokensTable, answer.refreshTokenId);
  const hidden = current && (parseHidden<HiddenRefreshToken>(current) ?? {});
  return hidden && { answer, again, hidden, stored: current, token: parseRecord<RefreshToken>(current) };
}

/**
 * The refresh token whose session a client wants to end, by its value or the cookie; undefined for an unknown one. A replaced value
 * stands for its replacement: a client whose answer was lost has no other.
 */
export async function findTokenToEnd(call: OperationCall, given: string | undefined): Promise<RefreshToken | undefined> {
  const presented = await findPresented(call, given);
  if (presented !== undefined) return presented.token;
  const value = isGiven(given) ? given : readCookie(call, refreshTokenCookie);
  return value === undefined ? undefined : (await findReplacedToken(call, value))?.token;
}

/** Ends the session of a value reused after the grace period: it may be stolen. */
export async function endReplacedToken(call: WriteCall, { token }: ReplacedToken): Promise<void> {
  const { applicationId, id, tenantId, userId } = token;
  const fields = { applicationId, refreshToken: token, userId };
  await revokeTokens(call, { tenantId, filter: equalsFilter("id", id), fields });
}
