import { tokenCookies } from "../../http/authenticate/cookies.js";
import { noStoreHeaders, type OperationResult } from "../../http/transport/write-response.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import type { OperationCall, WriteCall } from "../../operations/operation.js";
import { tenantScope } from "../../ports/storage.js";
import { refreshTokensTable } from "../../records/refresh-tokens/family.js";
import type { HiddenRefreshToken, RefreshToken } from "../../records/refresh-tokens/schema.js";
import { digestSecret } from "../../security/seal.js";
import { tokenSettingsOf } from "../../sessions/ending/lifetimes.js";
import { canRefreshSessions } from "../../sessions/subjects/presented-token.js";
import type { TokenSubject } from "../../sessions/subjects/token-subject.js";
import { signAccessToken } from "./access-token.js";

type Proof = NonNullable<HiddenRefreshToken["proof"]>;

/** A refresh token to issue. */
export interface NewRefreshToken {
  readonly id: string;
  readonly value: string;
  readonly lifetimeSeconds: number;
  /** The thumbprint of the key that binds it. */
  readonly jkt: string | undefined;
  /** The factors of the login. */
  readonly proof: Proof;
}

/** The tokens of a session. */
export interface SessionTokens {
  readonly access: Awaited<ReturnType<typeof signAccessToken>>;
  /** Absent unless the application generates refresh tokens. */
  readonly refresh: NewRefreshToken | undefined;
  readonly isBound: boolean;
}

/** The login of a session, and the thumbprint of the key that binds its tokens. */
export interface SessionOrigin {
  readonly authenticationType: string;
  readonly proof: Proof;
  readonly jkt: string | undefined;
}

/** Signs the tokens of a session, before the session is stored: a failure leaves none. Runs the lambda of the application. */
export async function signSession(
  call: OperationCall,
  subject: TokenSubject,
  { authenticationType, jkt, proof }: SessionOrigin,
): Promise<SessionTokens> {
  const { clock, newId } = call.service.runtime;
  const { application, tenant } = subject;
  const isRefreshable = application?.loginConfiguration.generateRefreshTokens === true;
  const sessionId = newId();
  const authTime = Math.floor(clock() / 1_000);
  const claims = { authenticationType, authTime, provenAt: proof.at, sessionId, isRefreshable, jkt };
  const lifetimeSeconds = tokenSettingsOf(tenant, application).refreshSeconds;
  const refresh = { id: sessionId, value: newRefreshValue(call), lifetimeSeconds, jkt, proof };
  const access = await signAccessToken(call, subject, claims);
  return { access, refresh: isRefreshable ? refresh : undefined, isBound: jkt !== undefined };
}

/** Creates the value of a refresh token. */
export function newRefreshValue({ service }: OperationCall): string {
  return Buffer.from(service.runtime.random(32)).toString("base64url");
}

/** Stores a refresh token by its digest. */
export async function saveRefreshToken(
  call: WriteCall,
  { user, application, registration }: TokenSubject,
  { id, value, lifetimeSeconds, jkt, metaData, proof }: NewRefreshToken & { readonly metaData: unknown },
): Promise<void> {
  const now = call.service.runtime.clock();
  const { id: userId, tenantId } = user;
  const record: RefreshToken = {
    applicationId: application?.id,
    id,
    insertInstant: now,
    metaData: typeof metaData === "object" && metaData !== null ? { ...metaData } : undefined,
    startInstant: now,
    tenantId,
    userId,
  };
  const until = now + lifetimeSeconds * 1_000;
  const columns = {
    applicationId: application?.id ?? null,
    digest: digestSecret(value),
    expirationInstant: until,
    userId,
  };
  const isRegistered = registration !== undefined || undefined;
  const isOfDoor = canRefreshSessions(call) || undefined;
  const hidden = toCanonicalJson({ isOfDoor, isRegistered, jkt, proof, until });
  const instants = { insertInstant: now, lastUpdateInstant: now };
  const stored = { id, tenantId, version: 1, json: toCanonicalJson(record), hidden, columns, ...instants };
  await call.tx.insert(tenantScope(tenantId), refreshTokensTable, [stored]);
}

/** Members and cookies of each response that issues tokens. */
export function toTokenResponse(
  call: OperationCall,
  { access, refresh, isBound }: SessionTokens,
): { readonly members: Readonly<Record<string, string>>; readonly headers: OperationResult["headers"] } {
  const { token } = access;
  const members = { ...(refresh && { refreshToken: refresh.value, refreshTokenId: refresh.id }), token };
  // A browser cannot prove possession of a key, so a bound token is useless in a cookie.
  if (isBound) return { members, headers: noStoreHeaders };
  const inCookie = refresh && { token: refresh.value, lifetimeSeconds: refresh.lifetimeSeconds };
  return {
    members,
    headers: { ...noStoreHeaders, "set-cookie": tokenCookies(call.service.cookies, { token, refresh: inCookie }) },
  };
}
