import type { ApiRequest, ApiResponse } from "latchkey/ports";
import type { InteractionResults } from "oidc-provider";
import { isObject } from "../../../internal/objects.js";
import type { CookieRules } from "../../http/cookies.js";
import type { BrowserAccount } from "../../http/interactions.js";
import { type CookieJar, openCookies } from "../../pages/request/cookies.js";
import { openValues, type Sealer, sealValues } from "../../pages/request/sealed-values.js";
import { currentExchange, type Exchange } from "./exchange.js";
import type { InteractionContext, LibraryInteraction } from "./interaction-context.js";
import { findLiveSession } from "./policy.js";

/** An account that logged in in a browser; `sessionId` is set unless its session is the current one. */
interface RememberedAccount {
  readonly userId: string;
  readonly sessionId?: string | undefined;
}

type BrowserSession = Awaited<ReturnType<InteractionContext["provider"]["Session"]["findByUid"]>>;

/** The most remembered accounts of a browser and tenant. */
const maxAccounts = 5;

/** How long an account is remembered after the last login in the browser, in seconds. */
const lifetimeSeconds = 90 * 86_400;

/**
 * The accounts of a tenant that logged in in a browser, in a sealed cookie. The browser has one current session; the cookie has
 * the ids of the others, so that users can switch without a password. Session-only logins are not remembered.
 */
export class BrowserAccounts {
  readonly #publicUrl: URL;
  readonly #sealer: Sealer;
  readonly #cookies: CookieRules;

  constructor(parts: { readonly publicUrl: URL; readonly sealer: Sealer; readonly cookies: CookieRules }) {
    this.#publicUrl = parts.publicUrl;
    this.#sealer = parts.sealer;
    this.#cookies = parts.cookies;
  }

  /** Lists the accounts of users who may still log in, the current one first. */
  async list(known: InteractionContext): Promise<readonly BrowserAccount[]> {
    const { core, request, tenant, unit } = currentExchange();
    const current = await findCurrentSession(known);
    const own = current?.accountId === undefined ? [] : [{ userId: current.accountId }];
    const others = this.#read(request, tenant.id).filter(({ userId }) => userId !== current?.accountId);
    const listed = [...own, ...others].map(async (account) => {
      const { userId } = account;
      const user = await core.findUser(request, { tenantId: tenant.id, unit, userId, applicationId: undefined });
      const isLoggedIn = userId === current?.accountId || (await findParked(account, current)) !== undefined;
      return user === undefined ? [] : [{ userId, isLoggedIn }];
    });
    return (await Promise.all(listed)).flat();
  }

  /** Whether the browser has sessions beside the current one. */
  async hasOthers({ request, tenant }: Exchange): Promise<boolean> {
    const parked = this.#read(request, tenant.id).map((account) => findParked(account, undefined));
    return (await Promise.all(parked)).some((sessionId) => sessionId !== undefined);
  }

  /**
   * Prepares the browser for a pending login: parks the session of another user, or ends it if it is session-only, and remembers
   * the account. Returns whether to hide the current session from the library, and the cookies to set.
   */
  async makeWay(
    known: InteractionContext,
  ): Promise<{ readonly isOther: boolean; readonly cookies: readonly string[] } | undefined> {
    const login = await findHeldLogin(known);
    if (login === undefined) return undefined;
    const { accountId: userId, remember = true } = login;
    const current = await findCurrentSession(known);
    const isOther = current !== undefined && current.accountId !== userId;
    if (isOther && current.transient === true) await endWithGrants(current.jti);
    await this.#write(known, remember ? userId : undefined, { current: isOther ? current : undefined, forgotten: userId });
    return { isOther, cookies: [known.outgoing.getHeader("set-cookie") ?? []].flat().map(String) };
  }

  /** Switches to an account with a session. Returns false for any other account. */
  async select(known: InteractionContext, found: LibraryInteraction, userId: string): Promise<boolean> {
    const { request, tenant } = currentExchange();
    const current = await findCurrentSession(known);
    const isCurrent = current?.accountId === userId;
    const account = this.#read(request, tenant.id).find((one) => one.userId === userId);
    const sessionId = isCurrent ? current.jti : account && (await findParked(account, current));
    const session = sessionId === undefined ? undefined : await known.provider.Session.find(sessionId);
    if (session === undefined) return false;
    found.session = { accountId: userId, uid: session.uid, cookie: session.jti, acr: session.acr, amr: session.amr };
    if (isCurrent) return true;
    this.#setSession(known, session);
    await this.#write(known, userId, { current });
    return true;
  }

  /**
   * Forgets the browser's accounts at a logout and ends their sessions. Returns the response with the cookie, and the
   * applications of those sessions.
   */
  async endOthers(
    { request, tenant }: Exchange,
    response: ApiResponse,
  ): Promise<{ readonly response: ApiResponse; readonly applicationIds: readonly string[] }> {
    const remembered = this.#read(request, tenant.id);
    if (remembered.length === 0) return { response, applicationIds: [] };
    const ended: (readonly string[])[] = [];
    for (const { sessionId } of remembered) if (sessionId !== undefined) ended.push(await endWithGrants(sessionId));
    const cookies = [response.headers["set-cookie"] ?? [], this.#toCookie(request, tenant.id, [])].flat();
    return { response: { ...response, headers: { ...response.headers, "set-cookie": cookies } }, applicationIds: ended.flat() };
  }

  // Newest first. The current session has no id here, because it changes with each login.
  async #write(
    { outgoing }: InteractionContext,
    userId: string | undefined,
    { current, forgotten }: { readonly current: BrowserSession; readonly forgotten?: string },
  ): Promise<void> {
    const { request, tenant, unit } = currentExchange();
    const before = this.#read(request, tenant.id);
    const isKept = current?.accountId !== undefined && current.transient !== true;
    const parked = isKept ? [{ userId: current.accountId ?? "", sessionId: current.jti }] : [];
    const replaced = new Set([userId, forgotten, current?.accountId]);
    const others = before.filter((account) => !replaced.has(account.userId));
    const all: readonly RememberedAccount[] = [...(userId === undefined ? [] : [{ userId }]), ...parked, ...others];
    const kept = all.slice(0, maxAccounts);
    for (const { sessionId } of all.slice(maxAccounts)) if (sessionId !== undefined) await unit.endSession(sessionId);
    // A new session of the same user replaces it, so applications need no notice.
    for (const { sessionId } of before.filter((account) => account.userId === forgotten))
      if (sessionId !== undefined) await unit.destroy("Session", sessionId);
    outgoing.appendHeader("set-cookie", this.#toCookie(request, tenant.id, kept));
  }

  #read(request: ApiRequest, tenantId: string): readonly RememberedAccount[] {
    const sealed = this.#jarOf(request).read(nameOf(tenantId)) ?? "";
    const accounts = openValues(this.#sealer, nameOf(tenantId), sealed)?.accounts;
    return Array.isArray(accounts) ? accounts.flatMap(toAccount) : [];
  }

  #toCookie(request: ApiRequest, tenantId: string, accounts: readonly RememberedAccount[]): string {
    const values = sealValues(this.#sealer, nameOf(tenantId), { accounts }, lifetimeSeconds * 1_000);
    const path = this.#publicUrl.pathname;
    return this.#jarOf(request).write(nameOf(tenantId), accounts.length === 0 ? "" : values, { path, maxAge: lifetimeSeconds });
  }

  #jarOf(request: ApiRequest): CookieJar {
    return openCookies(request, this.#publicUrl.protocol === "https:");
  }

  // Signed like the library's own cookies.
  #setSession({ incoming, outgoing, provider }: InteractionContext, session: BrowserSession): void {
    const { cookies } = provider.createContext(incoming, outgoing);
    const expires = session && { expires: new Date(session.exp * 1_000) };
    cookies.set(provider.cookieName("session"), session?.jti ?? null, { ...this.#cookies.longOptions, ...expires });
  }
}

const nameOf = (tenantId: string): string => `latchkey_accounts_${tenantId}`;

function toAccount(value: unknown): readonly RememberedAccount[] {
  if (!isObject(value) || typeof value.userId !== "string") return [];
  return [{ userId: value.userId, sessionId: typeof value.sessionId === "string" ? value.sessionId : undefined }];
}

/** Returns the session of a browser, with or without a user; undefined without a session. */
export async function findSession({ incoming, outgoing, provider }: InteractionContext): Promise<BrowserSession> {
  const { cookies } = provider.createContext(incoming, outgoing);
  const id = cookies.get(provider.cookieName("session"), { signed: true });
  return id === undefined ? undefined : provider.Session.find(id);
}

/** Returns the session of a browser with a logged-in user; undefined for any other. */
export async function findCurrentSession(known: InteractionContext): Promise<BrowserSession> {
  const session = await findSession(known);
  return session?.accountId === undefined ? undefined : session;
}

// The cookie proves that the login belongs to the browser.
async function findHeldLogin({ incoming, outgoing, provider, uid }: InteractionContext): Promise<InteractionResults["login"]> {
  const { cookies } = provider.createContext(incoming, outgoing);
  if (cookies.get(provider.cookieName("resume"), { signed: true }) !== uid) return undefined;
  return (await provider.Interaction.find(uid))?.result?.login;
}

// Ends a session and its grants; returns its applications.
async function endWithGrants(sessionId: string): Promise<readonly string[]> {
  const { unit } = currentExchange();
  const session = await unit.find("Session", sessionId);
  const authorizations = isObject(session?.authorizations) ? Object.entries(session.authorizations) : [];
  for (const [, authorization] of authorizations)
    if (isObject(authorization) && typeof authorization.grantId === "string") unit.revokeGrant(authorization.grantId);
  await unit.endSession(sessionId);
  return authorizations.map(([applicationId]) => applicationId);
}

// A session-only login cannot be parked, so switching must wait for a login that ends it.
async function findParked({ sessionId, userId }: RememberedAccount, current: BrowserSession): Promise<string | undefined> {
  if (sessionId === undefined || current?.transient === true) return undefined;
  const session = await findLiveSession(sessionId);
  return session?.accountId === userId ? sessionId : undefined;
}
