import type { EndedLogin } from "../delivery/queues/message-kinds.js";
import { parseRecord } from "../operations/family/family.js";
import { publishEvent } from "../operations/outbox/publish-event.js";
import type { ServiceContext } from "../operations/service-context.js";
import { toWriteCall } from "../operations/session.js";
import { type Filter, StaleVersion, type StoredRecord, type Transaction, tenantScope } from "../ports/storage.js";
import type { ApiRequest } from "../ports/transport.js";
import {
  aliasOf,
  idOfRecord,
  type OpenIdContent,
  type OpenIdRecord,
  openIdRecordsTable,
  openPayload,
  refreshAnswerModel,
  toStoredRecord,
  toUsedRecord,
} from "../records/openid-records.js";
import { refreshTokensTable } from "../records/refresh-tokens/family.js";
import type { RefreshToken } from "../records/refresh-tokens/schema.js";
import { equalsFilter } from "../search/parse-criteria.js";
import { loginsOf, sessionModel } from "../sessions/ending/end-browser-sessions.js";
import { queueLogoutTokens } from "../sessions/ending/logout-tokens.js";
import type { findLoginScope, TokenSubject } from "../sessions/subjects/token-subject.js";
import { limitStarts, resetStart } from "../sessions/throttle/rate-limits.js";
import { findRefreshRecord, openRefreshPayload, toRefreshRecord } from "../sessions/validity/refresh-records.js";
import { isObject } from "../shared/objects.js";
import { toOpenIdCall } from "./openid-call.js";
import { revokeSessions } from "./revoke-sessions.js";
import { findSubject } from "./user.js";

interface KnownRecord extends OpenIdRecord {
  /** The record as read; undefined for a new one. */
  readonly stored: StoredRecord | undefined;
  readonly change?: "save" | "use" | "remove" | undefined;
}

type FindScope = typeof findLoginScope;

const refreshModel = "RefreshToken";

/** The records that an anonymous caller makes the provider store. */
const startModels: ReadonlySet<string> = new Set(["DeviceCode", "Interaction", "PushedAuthorizationRequest"]);

function isStart({ change, model, payload, stored }: KnownRecord): boolean {
  const isAnonymous = startModels.has(model) || (model === "Session" && payload.accountId === undefined);
  return change === "save" && stored === undefined && isAnonymous;
}

/** Whether a user logged in or gave consent. */
function isFinished({ change, model, payload, stored }: KnownRecord): boolean {
  if (change !== "save" || stored === undefined) return false;
  const { accountId, result } = payload;
  if (model === "DeviceCode") return accountId !== undefined;
  return model === "Interaction" && isObject(result) && (result.login !== undefined || result.consent !== undefined);
}

/**
 * The unit of work of one request to the OpenID provider. Writes wait for {@link commit}, which stores all of them in one
 * transaction. It rejects with `StaleVersion` when another request has changed one of the records since it was read.
 */
export class OpenIdUnit {
  readonly #service: ServiceContext;
  readonly #findScope: FindScope;
  readonly #tenantId: string;
  readonly #request: ApiRequest;
  readonly #known = new Map<string, KnownRecord>();
  readonly #revokedGrants = new Set<string>();
  readonly #usedAgain = new Set<string>();
  readonly #endedLogins: EndedLogin[] = [];
  readonly #subjects = new Map<string, Promise<TokenSubject | undefined>>();
  /** The access token that this request issues. */
  accessToken: string | undefined;
  /** The id of the session for tokens of this request. */
  sessionId: string;

  constructor(
    service: ServiceContext,
    { findScope, request, tenantId }: { readonly findScope: FindScope; readonly request: ApiRequest; readonly tenantId: string },
  ) {
    this.#service = service;
    this.#findScope = findScope;
    this.#tenantId = tenantId;
    this.#request = request;
    this.sessionId = service.runtime.newId();
  }

  /** Returns the subject of tokens, read once a request; undefined for a removed user. */
  findSubject(
    request: ApiRequest,
    asked: { readonly userId: string; readonly applicationId: string | undefined },
  ): Promise<TokenSubject | undefined> {
    const { applicationId = "", userId } = asked;
    const name = `${userId} ${applicationId}`;
    const call = toOpenIdCall(this.#service, this.#tenantId, request);
    const found =
      this.#subjects.get(name) ?? findSubject(call, userId, () => this.#findScope(call, this.#tenantId, asked.applicationId));
    this.#subjects.set(name, found);
    return found;
  }

  /** Returns the content of a record; undefined for none. */
  async find(model: string, name: string): Promise<OpenIdContent | undefined> {
    const id = idOfRecord(model, name);
    const known = this.#known.get(id) ?? (await this.#read(model, name, id));
    return known === undefined || known.change === "remove" ? undefined : known.payload;
  }

  /** Returns the content of a record by its alias; undefined for none. */
  async findByAlias(model: string, alias: string): Promise<OpenIdContent | undefined> {
    const { storage, sealer } = this.#service;
    const [stored] = await storage.find(this.#scope, openIdRecordsTable, equalsFilter("alias", aliasOf(model, alias)), {
      limit: 1,
    });
    const name = stored && openPayload(sealer, stored).jti;
    return typeof name === "string" ? this.find(model, name) : undefined;
  }

  /** Stores a record that expires after this many seconds. */
  upsert(model: string, name: string, payload: OpenIdContent, expiresInSeconds: number): void {
    const expirationInstant = this.#service.runtime.clock() + expiresInSeconds * 1_000;
    const id = idOfRecord(model, name);
    this.#known.set(id, { model, name, payload, expirationInstant, stored: this.#known.get(id)?.stored, change: "save" });
  }

  /** Marks a record as used, so that no other request can use it. */
  async consume(model: string, name: string): Promise<void> {
    const payload = await this.find(model, name);
    const known = this.#known.get(idOfRecord(model, name));
    if (payload === undefined || known === undefined) return;
    const consumed = Math.floor(this.#service.runtime.clock() / 1_000);
    // A used refresh token moves from its own table to a record of the provider.
    const change = model === refreshModel ? "save" : "use";
    this.#known.set(idOfRecord(model, name), { ...known, payload: { ...payload, consumed }, change });
  }

  /** Ends a browser session, and sends logout tokens to its applications. */
  async endSession(name: string): Promise<void> {
    const content = await this.find(sessionModel, name);
    if (content === undefined) return;
    for (const login of loginsOf(content)) this.endLogin(login);
    await this.destroy(sessionModel, name);
  }

  /** Records the end of an application's login, which sends a logout token. */
  endLogin(login: EndedLogin): void {
    this.#endedLogins.push(login);
  }

  /** Records the use of a refresh token that does not rotate. */
  noteUse(name: string): void {
    this.#usedAgain.add(idOfRecord(refreshModel, name));
  }

  /** Stores the response to a refresh token that `successor` replaces, for so many seconds. */
  async keepAnswer(name: string, answer: { readonly body: string; readonly successor: string }, seconds: number): Promise<void> {
    const { accountId, clientId, grantId } = (await this.find(refreshModel, name)) ?? {};
    if (seconds === 0 || clientId === undefined) return;
    const exp = this.#service.runtime.clock() / 1_000 + seconds;
    this.upsert(refreshAnswerModel, name, { ...answer, accountId, clientId, grantId, exp }, seconds);
  }

  /** Returns the response to a refresh token that was replaced. Undefined after its time, or when the session has ended since. */
  async findAnswer(name: string): Promise<string | undefined> {
    const { body, exp, successor } = (await this.find(refreshAnswerModel, name)) ?? {};
    const isOver = Number(exp) <= this.#service.runtime.clock() / 1_000;
    if (typeof body !== "string" || isOver || (await this.find(refreshModel, String(successor))) === undefined) return undefined;
    return body;
  }

  /** Whether a grant is to be revoked. */
  get isRevoking(): boolean {
    return this.#revokedGrants.size > 0;
  }

  /** Discards all pending changes. */
  discard(): void {
    this.#known.clear();
    this.#revokedGrants.clear();
    this.#usedAgain.clear();
    this.#endedLogins.length = 0;
  }

  /** Removes a record, if it exists. */
  async destroy(model: string, name: string): Promise<void> {
    await this.find(model, name);
    const id = idOfRecord(model, name);
    const known = this.#known.get(id);
    if (known !== undefined) this.#known.set(id, { ...known, change: "remove" });
  }

  /** Revokes all codes and tokens of a grant. */
  revokeGrant(grantId: string): void {
    this.#revokedGrants.add(grantId);
    for (const [id, known] of this.#known)
      if (known.payload.grantId === grantId) this.#known.set(id, { ...known, change: "remove" });
  }

  /**
   * Stores the pending changes. @throws IdentityError 429 when the source of the request has started too many unfinished logins.
   */
  async commit(): Promise<void> {
    const changes = [...this.#known.values()].filter(({ change }) => change !== undefined);
    const others = this.#revokedGrants.size + this.#usedAgain.size + this.#endedLogins.length;
    if (changes.length + others === 0) return;
    const call = toOpenIdCall(this.#service, this.#tenantId, this.#request);
    if (changes.some(isStart)) await limitStarts(call);
    await this.#store(changes);
    if (changes.some(isFinished)) await resetStart(call);
  }

  async #store(changes: readonly KnownRecord[]): Promise<void> {
    await this.#service.storage.transaction(async (tx) => {
      for (const grantId of this.#revokedGrants) await this.#revoke(tx, grantId);
      // First the update that detects a concurrent request: an insert would violate a unique key instead.
      await this.#writeRefreshTokens(tx, changes);
      for (const change of changes) await this.#write(tx, change);
      for (const id of this.#usedAgain) await this.#publishUse(tx, id);
      const call = toWriteCall(toOpenIdCall(this.#service, this.#tenantId, this.#request), tx);
      await queueLogoutTokens(call, this.#tenantId, this.#endedLogins);
    });
  }

  get #scope() {
    return tenantScope(this.#tenantId);
  }

  async #read(model: string, name: string, id: string): Promise<KnownRecord | undefined> {
    const { storage, sealer } = this.#service;
    const refresh = model === refreshModel ? await findRefreshRecord(storage, this.#tenantId, name) : undefined;
    if (refresh !== undefined) {
      this.sessionId = refresh.id;
      return this.#remember(id, { model, name, payload: openRefreshPayload(sealer, refresh), stored: refresh });
    }
    const stored = await storage.retrieve(this.#scope, openIdRecordsTable, id);
    return stored && this.#remember(id, { model, name, payload: openPayload(sealer, stored), stored });
  }

  #remember(id: string, read: Omit<KnownRecord, "expirationInstant">): KnownRecord {
    const known = { ...read, expirationInstant: Number(read.payload.exp ?? 0) * 1_000 };
    this.#known.set(id, known);
    return known;
  }

  async #revoke(tx: Transaction, grantId: string): Promise<void> {
    const ofGrant: Filter = equalsFilter("grantId", grantId);
    await tx.remove(this.#scope, openIdRecordsTable, ofGrant);
    await revokeSessions(this.#service, tx, { tenantId: this.#tenantId, filter: ofGrant });
    // Verified tokens of the grant are cached for a moment.
    tx.afterCommit(this.#service.forgetKeys);
  }

  async #write(tx: Transaction, known: KnownRecord): Promise<void> {
    const { change, model, payload, stored } = known;
    // `#writeRefreshTokens` writes the rows of the other table.
    if (model === refreshModel && payload.consumed === undefined) return;
    const id = idOfRecord(model, known.name);
    const isRevoked = typeof payload.grantId === "string" && this.#revokedGrants.has(payload.grantId);
    if (change === "remove") {
      if (!isRevoked) await tx.remove(this.#scope, openIdRecordsTable, equalsFilter("id", id));
      return;
    }
    const before = model === refreshModel ? undefined : stored;
    const next = { now: this.#service.runtime.clock(), tenantId: this.#tenantId, version: (before?.version ?? 0) + 1 };
    if (before !== undefined && change === "use")
      return tx.rewrite(this.#scope, openIdRecordsTable, [toUsedRecord(before, known, next)]);
    const record = toStoredRecord(this.#service.sealer, known, next);
    if (before === undefined) await tx.insert(this.#scope, openIdRecordsTable, [record]);
    else await tx.update(this.#scope, openIdRecordsTable, record);
  }

  // The successor of a used token is stored in the same record, so that the session keeps its id.
  async #writeRefreshTokens(tx: Transaction, changes: readonly KnownRecord[]): Promise<void> {
    const own = changes.filter(({ model }) => model === refreshModel);
    const used = own.find(({ change, payload }) => change === "save" && payload.consumed !== undefined);
    const next = own.find(({ change, payload }) => change === "save" && payload.consumed === undefined);
    const { sealer, runtime } = this.#service;
    if (next !== undefined) {
      const stored = used?.stored ?? next.stored;
      const place = { now: runtime.clock(), stored, tenantId: this.#tenantId };
      const record = toRefreshRecord(sealer, { ...next, id: stored?.id ?? this.sessionId }, place);
      if (stored === undefined) await tx.insert(this.#scope, refreshTokensTable, [record]);
      else await tx.update(this.#scope, refreshTokensTable, record);
      if (stored !== undefined) await this.#publishRefresh(tx, parseRecord<RefreshToken>(stored));
    }
    const gone = own.filter(({ change, stored }) => change === "remove" && stored !== undefined);
    for (const { stored } of gone)
      await revokeSessions(this.#service, tx, { tenantId: this.#tenantId, filter: equalsFilter("id", stored?.id ?? "") });
  }

  // Another request may have revoked the token since it was read.
  async #publishUse(tx: Transaction, id: string): Promise<void> {
    const stored = this.#known.get(id)?.stored;
    const current = stored && (await tx.retrieve(this.#scope, refreshTokensTable, stored.id));
    if (current === undefined) throw new StaleVersion(refreshTokensTable.name, stored?.id ?? "");
    await this.#publishRefresh(tx, parseRecord<RefreshToken>(current));
  }

  // The event contains the token without its signature, so that receivers cannot use it.
  async #publishRefresh(tx: Transaction, { applicationId, id, userId }: RefreshToken): Promise<void> {
    const token = this.accessToken?.replace(/\.[^.]*$/, "");
    const fields = { applicationId, refreshToken: id, token, userId };
    const call = toWriteCall(toOpenIdCall(this.#service, this.#tenantId), tx);
    await publishEvent(call, { type: "jwt.refresh", tenantId: this.#tenantId, linkedObjectId: userId, fields });
  }
}
