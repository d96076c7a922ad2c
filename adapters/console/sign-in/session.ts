import type { AdministratorPrincipal, IdentityService } from "latchkey";
import type { ApiRequest } from "latchkey/ports";
import { consoleApplicationId, sessionMinutes, tokenSeconds } from "./administrators.js";
import { toJsonRequest } from "./requests.js";
import { type ConsoleRole, consoleRoles, grantsOf } from "./roles.js";
import { signInVisitor } from "./visitor.js";

const cookieName = "latchkey_console";

/** A sign-in counts as confirmation for this time. */
const confirmedSeconds = 300;

/** Tokens older than this are renewed: an active session costs one write in this time. */
const renewedSeconds = 300;

/** The tokens of a session. */
export interface SessionTokens {
  readonly token: string;
  readonly refreshToken: string;
}

/** A person who may use the console. */
export interface ConsolePerson {
  readonly principal: AdministratorPrincipal;
  readonly role: ConsoleRole;
  /** The name of a host's administrator; absent for users. */
  readonly name?: string | undefined;
  /** Whether the person must sign in again before secrets and administrators. */
  readonly needsConfirmation: boolean;
  /** Epoch milliseconds. */
  readonly expirationInstant: number;
  /** The id of the session; absent for administrators of the host. */
  readonly sessionId?: string;
  /** New tokens for the cookie, when the session was renewed. */
  readonly renewed?: SessionTokens | undefined;
}

/** The principal of a person with a role. */
export function toPrincipal(userId: string, role: ConsoleRole, endpoints: IdentityService["endpoints"]): AdministratorPrincipal {
  return { kind: "administrator", userId, isKeyManager: role === "full", grants: grantsOf(role, endpoints) };
}

/**
 * Finds the person by the request's cookie. Each call verifies session, user and registration with the service: a revoked session
 * ends with its next request, and so do sessions from before a password change.
 */
export async function findPerson(
  identity: IdentityService,
  request: ApiRequest,
  now: number,
): Promise<ConsolePerson | undefined> {
  const tokens = readCookie(request);
  if (tokens === undefined) return undefined;
  const user = await identity.verifyToken(tokens.token, { applicationId: consoleApplicationId, fresh: true });
  if (user?.kind !== "user") return undefined;
  const { auth_time: authTime, iat, scope, sid } = user.claims;
  const signedIn = Number(authTime) * 1_000;
  const end = signedIn + sessionMinutes * 60_000;
  const isSession = String(scope).split(" ").includes("offline_access") && typeof sid === "string";
  if (!isSession || !(now < end)) return undefined;
  // The current roles in the console's application.
  const role = toRole(user.roles);
  if (role === undefined) return undefined;
  const isOld = now - Number(iat) * 1_000 > renewedSeconds * 1_000;
  return {
    principal: toPrincipal(user.userId, role, identity.endpoints),
    role,
    needsConfirmation: now - signedIn > confirmedSeconds * 1_000,
    expirationInstant: Math.min(end, isOld ? now + tokenSeconds * 1_000 : user.claims.exp * 1_000),
    sessionId: sid,
    renewed: isOld ? await renew(identity, request, tokens) : undefined,
  };
}

/** The role of a user in the console with the most permissions. */
export async function findRole(identity: IdentityService, userId: string): Promise<ConsoleRole | undefined> {
  return toRole(await identity.effectiveRoles({ userId, applicationId: consoleApplicationId }));
}

function toRole(roles: readonly string[]): ConsoleRole | undefined {
  return consoleRoles.find((role) => roles.includes(role));
}

async function renew(
  identity: IdentityService,
  request: ApiRequest,
  { refreshToken }: SessionTokens,
): Promise<SessionTokens | undefined> {
  const response = await identity.handle(toJsonRequest(request, "/api/jwt/refresh", { refreshToken }), signInVisitor);
  if (response?.status !== 200) return undefined;
  const { refreshToken: next, token } = JSON.parse(response.body) as SessionTokens;
  return { token, refreshToken: next };
}

/** The tokens in a request's cookie. None for two cookies with the name: another host of the site planted one. */
export function readCookie({ headers }: ApiRequest): SessionTokens | undefined {
  const pairs = String(headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim());
  const found = pairs.filter((pair) => pair.startsWith(`${cookieName}=`));
  const [refreshToken, token] = found.length === 1 ? (found[0]?.slice(cookieName.length + 1).split("~") ?? []) : [];
  return refreshToken && token ? { refreshToken, token } : undefined;
}

/** The header that sets a session's cookie, or removes it without tokens. */
export function toCookie(request: ApiRequest, mount: string, tokens: SessionTokens | undefined): string {
  const isEncrypted = request.isEncrypted === true || /\bhttps$/i.test(String(request.headers["x-forwarded-proto"] ?? ""));
  return [
    `${cookieName}=${tokens === undefined ? "" : `${tokens.refreshToken}~${tokens.token}`}`,
    `Path=${mount === "" ? "/" : mount}`,
    `Max-Age=${tokens === undefined ? 0 : tokenSeconds}`,
    "HttpOnly",
    ...(isEncrypted ? ["Secure"] : []),
    "SameSite=Strict",
  ].join("; ");
}
