import type { EndedLogin } from "../../delivery/queues/message-kinds.js";
import type { WriteCall } from "../../operations/operation.js";
import { type Filter, type StoredRecord, type Table, tenantScope } from "../../ports/storage.js";
import { applicationsTable } from "../../records/applications/family.js";
import { type OpenIdContent, openEnding, openIdRecordsTable, openPayload, toStoredRecord } from "../../records/openid-records.js";
import type { User } from "../../records/users/schema.js";
import { equalsFilter } from "../../search/parse-criteria.js";
import { inChunks } from "../../shared/in-steps.js";
import { isObject } from "../../shared/objects.js";
import { findEnding } from "../validity/check-artifact.js";
import { toArtifact } from "../validity/openid-artifact.js";
import { queueLogoutTokens } from "./logout-tokens.js";

/** The OpenID model of browser sessions. */
export const sessionModel = "Session";
const grantModel = "Grant";

/** The logins of applications in a browser session, at all applications or only at these. */
export function loginsOf(session: OpenIdContent, applicationIds?: ReadonlySet<string>): readonly EndedLogin[] {
  const { accountId: userId, authorizations } = session;
  if (typeof userId !== "string" || !isObject(authorizations)) return [];
  return Object.entries(authorizations).flatMap(([applicationId, authorization]) => {
    const sid = isObject(authorization) ? authorization.sid : undefined;
    const isAsked = applicationIds?.has(applicationId) !== false;
    return isAsked && typeof sid === "string" ? [{ applicationId, sid, userId }] : [];
  });
}

/**
 * Ends the browser sessions that a change of the user has invalidated (see `findEnding`), and queues their logout tokens. Call it
 * after the change is written.
 */
export async function endStaleSessions(call: WriteCall, user: StoredRecord): Promise<void> {
  const tenantId = user.tenantId ?? "";
  const ended: (readonly EndedLogin[])[] = [];
  for (const { content, stored } of await findSessions(call, tenantId, [user.id])) {
    const asked = { applicationId: undefined, tenantId, userId: user.id };
    const artifact = toArtifact({ kind: "browserSession", content }, asked);
    if ((await findEnding(call, artifact, { user })) === undefined) continue;
    ended.push(loginsOf(content));
    await call.tx.remove(tenantScope(tenantId), openIdRecordsTable, equalsFilter("id", stored.id));
  }
  await queueLogoutTokens(call, tenantId, ended.flat());
}

/** The logins to end. */
export interface EndedPlace {
  readonly tenantId: string;
  /** Undefined for all users. */
  readonly userId?: string | undefined;
  readonly applicationIds: readonly string[];
}

/** Ends the logins of browsers at applications and queues their logout tokens. The sessions continue for other applications. */
export async function endLoginsAt(call: WriteCall, { applicationIds, tenantId, userId }: EndedPlace): Promise<void> {
  const userIds = userId === undefined ? await findUsersOf(call, tenantId, applicationIds) : [userId];
  const asked = new Set(applicationIds);
  await inChunks(call.service.runtime, userIds, async (chunk) => {
    const ended: (readonly EndedLogin[])[] = [];
    for (const session of await findSessions(call, tenantId, chunk)) {
      const logins = loginsOf(session.content, asked);
      if (logins.length > 0) await takeOut(call, session, asked);
      ended.push(logins);
    }
    await queueLogoutTokens(call, tenantId, ended.flat());
  });
}

/** Queues the logout tokens of OpenID records that are removed with their user or application. */
export async function endRemovedSessions(call: WriteCall, records: readonly StoredRecord[], removedWith?: Table): Promise<void> {
  for (const [tenantId, own] of Map.groupBy(records, (record) => record.tenantId ?? "")) {
    const contents = own.map((stored) => openEnding(() => openPayload(call.service.sealer, stored)));
    const isOf = (model: string) => contents.filter(({ kind }) => kind === model);
    if (removedWith?.name !== applicationsTable.name) {
      await queueLogoutTokens(
        call,
        tenantId,
        isOf(sessionModel).flatMap((session) => loginsOf(session)),
      );
      continue;
    }
    for (const [userId, grants] of Map.groupBy(isOf(grantModel), ({ accountId }) => String(accountId)))
      await endLoginsAt(call, { tenantId, userId, applicationIds: grants.map(({ clientId }) => String(clientId)) });
  }
}

/** The sessions to end. */
export interface EndedSessions {
  readonly tenantId: string;
  /** Undefined for all users. */
  readonly userId?: string | undefined;
  /** Undefined for all applications. */
  readonly applicationIds?: readonly string[] | undefined;
}

/** Models of tokens and codes that a client holds. */
const grantModels = ["AccessToken", "AuthorizationCode", "DeviceCode"];

/**
 * Ends all that the OpenID provider issued for a user, for applications, or both, except refresh tokens: codes, sessions without
 * a refresh token, and the logins at these applications in browser sessions.
 */
export async function endGrants(call: WriteCall, { applicationIds, tenantId, userId }: EndedSessions): Promise<void> {
  const filters: Filter[] = [{ op: "in", column: "model", values: grantModels }];
  if (userId !== undefined) filters.push(equalsFilter("userId", userId));
  if (applicationIds !== undefined) filters.push({ op: "in", column: "applicationId", values: applicationIds });
  await call.tx.remove(tenantScope(tenantId), openIdRecordsTable, { op: "and", filters });
  if (applicationIds !== undefined) await endLoginsAt(call, { tenantId, userId, applicationIds });
  call.tx.afterCommit(call.service.forgetSessions);
}

interface FoundSession {
  readonly stored: StoredRecord;
  readonly content: OpenIdContent;
}

async function findSessions(
  { service, tx }: WriteCall,
  tenantId: string,
  userIds: readonly User["id"][],
): Promise<readonly FoundSession[]> {
  const ofUsers: Filter = { op: "in", column: "userId", values: userIds };
  const filters = [ofUsers, equalsFilter("model", sessionModel)];
  const found = await tx.find(tenantScope(tenantId), openIdRecordsTable, { op: "and", filters });
  return found.map((stored) => ({ stored, content: openEnding(() => openPayload(service.sealer, stored)) }));
}

// Each login at an application has a grant of its user.
async function findUsersOf({ tx }: WriteCall, tenantId: string, values: readonly string[]): Promise<readonly string[]> {
  const filters: Filter[] = [equalsFilter("model", grantModel), { op: "in", column: "applicationId", values }];
  return [...new Set(await tx.findIds(tenantScope(tenantId), openIdRecordsTable, "userId", { op: "and", filters }))];
}

// The next login at the application in this browser gets a new `sid`.
async function takeOut(
  { service, tx }: WriteCall,
  { content, stored }: FoundSession,
  applicationIds: ReadonlySet<string>,
): Promise<void> {
  const kept = Object.entries({ ...(content.authorizations as object) }).filter(([id]) => !applicationIds.has(id));
  const payload = { ...content, authorizations: Object.fromEntries(kept) };
  const record = { model: sessionModel, name: String(content.jti), payload, expirationInstant: Number(content.exp) * 1_000 };
  const next = { now: service.runtime.clock(), tenantId: stored.tenantId ?? "", version: stored.version + 1 };
  await tx.update(tenantScope(next.tenantId), openIdRecordsTable, toStoredRecord(service.sealer, record, next));
}
