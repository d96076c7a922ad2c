import { fieldError, generalError, type IdentityError } from "../../errors/identity-error.js";
import { refreshTokenCookie, tokenCookies } from "../../http/authenticate/cookies.js";
import { accessTokenCookie } from "../../http/authenticate/read-credential.js";
import { noStoreHeaders, type OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseRecord } from "../../operations/family/family.js";
import type { FamilyRulesModule } from "../../operations/family/family-row.js";
import { optionalId, requireId } from "../../operations/family/record-steps.js";
import { emptyResult, type OperationCall, type WriteCall } from "../../operations/operation.js";
import { publishEvent } from "../../operations/outbox/publish-event.js";
import { findPresentedUser } from "../../people/relations/present-user.js";
import { endSessions } from "../../people/user-action-logs/end-sessions.js";
import { type Filter, globalScope, StaleVersion, type StoredRecord } from "../../ports/storage.js";
import { applicationsTable } from "../../records/applications/family.js";
import { refreshTokensTable } from "../../records/refresh-tokens/family.js";
import type { HiddenRefreshToken, RefreshToken } from "../../records/refresh-tokens/schema.js";
import { lazySchema, parseWith } from "../../records/schemas.js";
import { usersTable } from "../../records/users/family.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { parseJws } from "../../security/compact-jws.js";
import { endGrants, endRemovedSessions } from "../../sessions/ending/end-browser-sessions.js";
import { tokenSettingsOf } from "../../sessions/ending/lifetimes.js";
import { revokeTokens } from "../../sessions/ending/revoke-tokens.js";
import {
  bindingOf,
  canRefreshSessions,
  findPresented,
  type PresentedToken,
  readCookie,
} from "../../sessions/subjects/presented-token.js";
import { findLoginScope, findTokenSubject, type TokenSubject } from "../../sessions/subjects/token-subject.js";
import { isGiven } from "../../shared/text.js";
import { signAccessToken } from "../issuing/access-token.js";
import { endOf, type RefreshAnswer, replaceRefreshToken } from "../issuing/replace-refresh-token.js";
import { endReplacedToken, findReplacedToken, findTokenToEnd } from "../issuing/replaced-token.js";
import { describeRevokedTokens } from "../issuing/revocation-events.js";
import { newRefreshValue } from "../issuing/session-tokens.js";
import { assertReal } from "../steps/assert-usable-login.js";
import { findRefreshEnding, findUsableTokens } from "./usable-tokens.js";

const refreshRequest = lazySchema("logins", "refreshRequest");

/**
 * POST: issues an access token for a refresh token, with the user's current roles.
 * @throws IdentityError 400 `[invalid]refreshToken` for a token that is unknown, revoked or expired, or whose session has ended;
 * 401 for a bound token without proof of its key.
 */
async function refreshAccessToken(call: OperationCall): Promise<OperationResult> {
  assertReal(call);
  const request = await parseWith(refreshRequest, call.body);
  const original = isGiven(request.token) ? request.token : readCookie(call, accessTokenCookie);
  const presented = await findPresented(call, request.refreshToken);
  if (presented === undefined) return answerAgain(call, request.refreshToken);
  // Clients of the OpenID provider authenticate at its token endpoint.
  if (presented.hidden.openId !== undefined) throw refusalOf(call, request.refreshToken);
  assertDoor(call, presented.hidden);
  const { hidden, token: refreshToken, value } = presented;
  const subject = await findRefreshable(call, presented);
  const settings = tokenSettingsOf(subject.tenant, subject.application);
  const jkt = await findProvenKey(call, hidden);
  const { id, startInstant } = refreshToken;
  const authTime = Math.floor(startInstant / 1_000);
  const provenAt = hidden.proof?.at;
  const options = { authenticationType: "REFRESH_TOKEN", authTime, provenAt, sessionId: id, isRefreshable: true, jkt };
  const { token } = await signAccessToken(call, subject, options);
  const isReplaced = settings.isOneTimeUse;
  const answer = { refreshToken: isReplaced ? newRefreshValue(call) : value, refreshTokenId: id, token };
  try {
    await call.write(async (write) => {
      await publishRefresh(write, refreshToken, { original, token });
      if (isReplaced) await replaceRefreshToken(write, presented, { answer, settings });
    });
  } catch (error) {
    if (!(error instanceof StaleVersion)) throw error;
    return answerAgain(call, value);
  }
  return toAnswer(call, answer, { isBound: jkt !== undefined, until: isReplaced ? endOf(presented, settings) : undefined });
}

// Two tabs may refresh concurrently, and responses get lost: within the grace period, a replaced token gets the same response
// again.
async function answerAgain(call: OperationCall, given: string | undefined): Promise<OperationResult> {
  const value = isGiven(given) ? given : readCookie(call, refreshTokenCookie);
  const replaced = value === undefined ? undefined : await findReplacedToken(call, value);
  if (replaced === undefined) throw refusalOf(call, given);
  const { again, answer, hidden } = replaced;
  assertDoor(call, hidden);
  if (again <= call.service.runtime.clock()) {
    await call.write((write) => endReplacedToken(write, replaced));
    throw refusalOf(call, given);
  }
  await findRefreshable(call, replaced);
  const jkt = await findProvenKey(call, hidden);
  return toAnswer(call, answer, { isBound: jkt !== undefined, until: hidden.until });
}

// A front door, such as the console, ends its sessions by its own rules, such as after a pause: a stolen token must not bypass
// them.
function assertDoor(call: OperationCall, { isOfDoor }: HiddenRefreshToken): void {
  if (isOfDoor && call.principal?.kind !== "host" && !canRefreshSessions(call)) throw fieldError("invalid", "refreshToken");
}

interface AnsweredTokens {
  readonly isBound: boolean;
  /** The expiry of a new refresh token, in epoch milliseconds. */
  readonly until: number | undefined;
}

function toAnswer(call: OperationCall, answer: RefreshAnswer, { isBound, until }: AnsweredTokens): OperationResult {
  const { cookies, runtime } = call.service;
  const { refreshToken, token } = answer;
  const json = toCanonicalJson({ ...answer });
  // A browser cannot prove possession of a key, so a bound token is useless in a cookie.
  if (isBound) return { status: 200, json, headers: noStoreHeaders };
  const lifetimeSeconds = until === undefined ? undefined : Math.floor((until - runtime.clock()) / 1_000);
  const refresh = lifetimeSeconds === undefined ? undefined : { token: refreshToken, lifetimeSeconds };
  return { status: 200, json, headers: { ...noStoreHeaders, "set-cookie": tokenCookies(cookies, { token, refresh }) } };
}

function refusalOf(call: OperationCall, value: string | undefined): IdentityError {
  const isAbsent = !isGiven(value) && readCookie(call, refreshTokenCookie) === undefined;
  return fieldError(isAbsent ? "blank" : "invalid", "refreshToken");
}

async function findRefreshable(
  call: OperationCall,
  { stored, token }: Pick<PresentedToken, "stored" | "token">,
): Promise<TokenSubject> {
  const { userId, applicationId, tenantId } = token;
  const user = await call.reader.retrieve(call.scope, usersTable, userId);
  if (user === undefined) throw fieldError("invalid", "refreshToken");
  const place = await findLoginScope(call, tenantId, applicationId);
  const ending = await findRefreshEnding(call, stored, { user, ...place });
  const reason = ending === "settings" ? "The application does not allow the refresh of tokens." : undefined;
  if (ending !== undefined) throw fieldError("invalid", "refreshToken", reason);
  return findTokenSubject(call, user, place);
}

// A refresh token for a bound access token issues tokens for the same key only (RFC 9449, 5).
async function findProvenKey(call: OperationCall, { jkt }: HiddenRefreshToken): Promise<string | undefined> {
  const proven = (await bindingOf(call))?.jkt;
  if (jkt !== undefined && jkt !== proven) throw generalError("unauthorized");
  return proven;
}

async function publishRefresh(
  call: WriteCall,
  { id, applicationId, tenantId, userId }: RefreshToken,
  { original, token }: { readonly original: string | undefined; readonly token: string },
): Promise<void> {
  // The token may have been revoked since it was read.
  if ((await call.reader.retrieve(globalScope, refreshTokensTable, id)) === undefined)
    throw fieldError("invalid", "refreshToken");
  const fields = {
    applicationId,
    original: await toShownToken(original, userId),
    refreshToken: id,
    token: await toShownToken(token, userId),
    userId,
  };
  await publishEvent(call, { type: "jwt.refresh", tenantId, linkedObjectId: userId, fields });
}

// Without the signature: the token in an event must not be usable. Tokens of other users are left out.
async function toShownToken(token: string | undefined, userId: string): Promise<string | undefined> {
  const jws = token === undefined ? undefined : await parseJws(token);
  return jws?.payload.sub === userId ? jws.token.slice(0, jws.token.lastIndexOf(".")) : undefined;
}

/** GET: the refresh tokens of a user that can be used, oldest first, without their values. Users see only their own. */
async function listRefreshTokens(call: OperationCall): Promise<OperationResult> {
  const userId = ownUserId(call) ?? requireId(call, "userId");
  const { answerSize: sizeLimit } = call.service;
  const sort = [{ column: "insertInstant", direction: "asc" } as const];
  const filters = [equalsFilter("userId", userId), isAliveFilter(call)];
  const found = await call.reader.find(call.scope, refreshTokensTable, { op: "and", filters }, { sort, sizeLimit });
  const usable = await findUsableTokens(call, userId, found);
  return { status: 200, json: `{"refreshTokens":[${usable.map(({ json }) => json).join(",")}]}` };
}

/** GET by id. @throws IdentityError 404 for a token that is unknown, expired, ended or another user's. */
async function retrieveRefreshToken(call: OperationCall): Promise<OperationResult> {
  const stored = await loadToken(call);
  const [usable] = await findUsableTokens(call, parseRecord<RefreshToken>(stored).userId, [stored]);
  if (usable === undefined) throw generalError("notFound");
  return { status: 200, json: `{"refreshToken":${usable.json}}` };
}

async function loadToken(call: OperationCall): Promise<StoredRecord> {
  const own = ownUserId(call);
  const filters = [
    equalsFilter("id", requireId(call, "tokenId")),
    isAliveFilter(call),
    ...(own ? [equalsFilter("userId", own)] : []),
  ];
  const [stored] = await call.reader.find(call.scope, refreshTokensTable, { op: "and", filters }, { limit: 1 });
  if (stored === undefined) throw generalError("notFound");
  return stored;
}

function isAliveFilter(call: OperationCall): Filter {
  return { op: "compare", column: "expirationInstant", comparison: ">", value: call.service.runtime.clock() };
}

// The calling user; undefined for callers that may read every user's tokens. @throws IdentityError 404 when the user names
// another one.
function ownUserId(call: OperationCall): string | undefined {
  const { principal } = call;
  if (principal?.kind !== "user") return undefined;
  const named = optionalId(call, "userId");
  if (named !== undefined && named !== principal.userId) throw generalError("notFound");
  return principal.userId;
}

/**
 * DELETE: revokes one refresh token, by its id or its value, or all of a user, of an application or of a user for an application.
 * @throws IdentityError 404 for an unknown id; 400 `[missing]tokenId` without any parameter.
 */
async function revokeRefreshTokens(call: OperationCall): Promise<OperationResult> {
  await call.write(async (write) => {
    const token = await findNamedToken(write);
    if (token !== undefined) await revokeOne(write, token);
    else if (!isGiven(call.params.token)) await revokeAll(write);
  });
  return emptyResult;
}

async function findNamedToken(call: WriteCall): Promise<RefreshToken | undefined> {
  if (isGiven(call.params.tokenId)) return parseRecord<RefreshToken>(await loadToken(call));
  if (!isGiven(call.params.token)) return undefined;
  const own = ownUserId(call);
  const token = await findTokenToEnd(call, call.params.token);
  return own === undefined || token?.userId === own ? token : undefined;
}

async function revokeOne(call: WriteCall, token: RefreshToken): Promise<void> {
  const { applicationId, id, tenantId, userId } = token;
  const fields = { applicationId, refreshToken: token, user: await findPresentedUser(call, userId), userId };
  await revokeTokens(call, { tenantId, filter: equalsFilter("id", id), fields });
}

// An unknown id is no error: no token can belong to it.
async function revokeAll(call: WriteCall): Promise<void> {
  const userId = ownUserId(call) ?? optionalId(call, "userId");
  const applicationId = optionalId(call, "applicationId");
  if (userId === undefined && applicationId === undefined) throw fieldError("missing", "tokenId");
  const table = userId === undefined ? applicationsTable : usersTable;
  const holder = await call.reader.retrieve(call.scope, table, userId ?? applicationId ?? "");
  if (holder === undefined) return;
  const kept = optionalId(call, "exceptTokenId");
  const filters: Filter[] = Object.entries({ applicationId, userId }).flatMap(([column, id]) =>
    id === undefined ? [] : [equalsFilter(column, id)],
  );
  if (kept !== undefined) filters.push({ op: "not", filter: equalsFilter("id", kept) });
  const fields = { applicationId, user: await findPresentedUser(call, userId), userId };
  const tenantId = holder.tenantId ?? "";
  await revokeTokens(call, { tenantId, filter: { op: "and", filters }, fields });
  await endGrants(call, { tenantId, userId, applicationIds: applicationId ? [applicationId] : undefined });
  if (applicationId === undefined) await endSessions(call, { id: holder.id, tenantId }, kept);
}

/** GET: the claims of a token that authentication verified. @throws IdentityError 401 without a token. */
async function validateToken({ principal }: OperationCall): Promise<OperationResult> {
  if (principal === undefined || !("claims" in principal)) throw generalError("unauthorized");
  return { status: 200, json: toCanonicalJson({ jwt: principal.claims }) };
}

/** The operations of this family. */
export const operations: FamilyRulesModule["operations"] = {
  refresh: refreshAccessToken,
  list: listRefreshTokens,
  retrieve: retrieveRefreshToken,
  revoke: revokeRefreshTokens,
  validate: validateToken,
};

/** The events of removed records. */
export const describeRemoved: FamilyRulesModule["describeRemoved"] = {
  refreshTokens: describeRevokedTokens,
  // Clients receive logout tokens for these instead of events.
  openIdRecords: async (...removed) => {
    await endRemovedSessions(...removed);
    return [];
  },
};
