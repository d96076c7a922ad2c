import type { IdentityService, InProcessApi } from "latchkey";
import type { ApiRequest, ApiResponse } from "latchkey/ports";
import { consoleApplicationId, type SetUpLinks } from "./administrators.js";
import { createError, readTexts, toJsonRequest, toResponse, writeError } from "./requests.js";
import { showGrants } from "./roles.js";
import { type ConsolePerson, findPerson, findRole, readCookie, type SessionTokens, toCookie } from "./session.js";
import { signInVisitor } from "./visitor.js";

/** The context of the session endpoints. */
export interface SessionContext {
  readonly identity: IdentityService;
  /** The console's own read access. */
  readonly reader: InProcessApi;
  /** The path of the console as browsers see it. */
  readonly mount: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly links: SetUpLinks;
  /** Finds the person of a request: by its cookie, or by the host's `authorize`. */
  readonly findPerson: (request: ApiRequest) => Promise<ConsolePerson | undefined>;
}

type Endpoint = (context: SessionContext, request: ApiRequest) => Promise<ApiResponse>;

/** The endpoints of the session, by method and path below the mount point. */
export const sessionEndpoints: Readonly<Record<string, Endpoint>> = {
  "GET /session": retrieveSession,
  "DELETE /session": signOut,
  "POST /session": signIn,
  "POST /session/two-factor": finishTwoFactor,
  "POST /session/set-up": setUp,
  "POST /session/confirm": confirm,
};

async function retrieveSession(context: SessionContext, request: ApiRequest): Promise<ApiResponse> {
  const person = await context.findPerson(request);
  if (person !== undefined) return showPerson(context, request, person);
  const isNew = await context.links.isNeeded(context.now());
  return writeError(createError(401, "[unauthorized]", "Sign in."), isNew ? { setUp: true } : {});
}

async function showPerson(context: SessionContext, request: ApiRequest, person: ConsolePerson): Promise<ApiResponse> {
  const { expirationInstant, needsConfirmation, principal, renewed, role } = person;
  const user = person.sessionId === undefined ? { fullName: person.name } : await readUser(context, principal.userId);
  const permissions = showGrants(principal.grants);
  const session = { user: { id: principal.userId, ...user }, role, permissions, needsConfirmation, expirationInstant };
  const cookie = renewed && { "set-cookie": toCookie(request, context.mount, renewed) };
  return toResponse(200, session, cookie);
}

async function readUser({ reader }: SessionContext, userId: string): Promise<object> {
  const { email, fullName, username } = (await reader.users.retrieve({ userId })).user;
  return { email, fullName, username };
}

async function signOut(context: SessionContext, request: ApiRequest): Promise<ApiResponse> {
  await endSessionOf(context, request);
  return toResponse(204, undefined, { "set-cookie": toCookie(request, context.mount, undefined) });
}

// The tokens of an idle session still identify it.
async function endSessionOf(context: SessionContext, request: ApiRequest): Promise<void> {
  const person = await context.findPerson(request);
  const tokens = readCookie(request);
  if (person?.sessionId !== undefined) await endSession(context, { tokenId: person.sessionId });
  else if (tokens !== undefined) await endSession(context, { token: tokens.refreshToken });
}

// A session that already ended is no error.
async function endSession(
  { reader }: SessionContext,
  session: { readonly tokenId: string } | { readonly token: string },
): Promise<void> {
  await reader.jwt.revoke(session).catch(() => undefined);
}

async function signIn(context: SessionContext, request: ApiRequest): Promise<ApiResponse> {
  const { loginId, password } = await readTexts(context.identity, request);
  return logIn(context, request, { loginId, password });
}

// Logs in like any application: the service applies throttling, locks, actions and second factors.
async function logIn(context: SessionContext, request: ApiRequest, credential: object): Promise<ApiResponse> {
  const metaData = { device: { type: "BROWSER", name: "Console", description: request.headers["user-agent"] } };
  const login = { ...credential, applicationId: consoleApplicationId, metaData };
  return finish(context, request, await context.identity.handle(toJsonRequest(request, "/api/login", login), signInVisitor));
}

async function finishTwoFactor(context: SessionContext, request: ApiRequest): Promise<ApiResponse> {
  const { code, methodId, twoFactorId = "" } = await readTexts(context.identity, request);
  if (code !== undefined) {
    const login = { code, twoFactorId, applicationId: consoleApplicationId };
    return finish(
      context,
      request,
      await context.identity.handle(toJsonRequest(request, "/api/two-factor/login", login), signInVisitor),
    );
  }
  // For email and SMS, the service sends a code first.
  const path = `/api/two-factor/send/${encodeURIComponent(twoFactorId)}`;
  const sent = await context.identity.handle(toJsonRequest(request, path, { methodId }), signInVisitor);
  return sent?.status === 200 ? toResponse(204, undefined) : toFailure(sent);
}

interface LoginAnswer {
  readonly methods?: unknown;
  readonly refreshToken?: string;
  readonly refreshTokenId?: string;
  readonly token?: string;
  readonly twoFactorId?: string;
  readonly user?: { readonly id: string };
}

async function finish(context: SessionContext, request: ApiRequest, response: ApiResponse | undefined): Promise<ApiResponse> {
  if (response?.status === 242) {
    const { methods, twoFactorId } = JSON.parse(response.body) as LoginAnswer;
    return toResponse(242, { methods, twoFactorId });
  }
  if (response?.status !== 200 && response?.status !== 202) return toFailure(response);
  const { refreshToken, refreshTokenId, token, user } = JSON.parse(response.body) as LoginAnswer;
  const role = user && (await findRole(context.identity, user.id));
  if (role === undefined || token === undefined || refreshToken === undefined) {
    if (refreshTokenId !== undefined) await endSession(context, { tokenId: refreshTokenId });
    return writeError(createError(403, "[no_role]", "You have no role in the console."));
  }
  return begin(context, request, { refreshToken, token });
}

// Each sign-in begins a new session and ends the browser's previous one.
async function begin(context: SessionContext, request: ApiRequest, tokens: SessionTokens): Promise<ApiResponse> {
  const { identity, mount, now } = context;
  await endSessionOf(context, request);
  const cookie = toCookie(request, mount, tokens);
  const headers = { ...request.headers, cookie: cookie.slice(0, cookie.indexOf(";")) };
  const person = await findPerson(identity, { ...request, headers }, now());
  if (person === undefined) return writeError(createError(401, "[unauthorized]", "The session has ended."));
  return showPerson(context, request, { ...person, renewed: tokens });
}

async function setUp(context: SessionContext, request: ApiRequest): Promise<ApiResponse> {
  const { email = "", fullName, password = "", token = "" } = await readTexts(context.identity, request);
  await context.links.use({ token, email, password, fullName, now: context.now() });
  return logIn(context, request, { loginId: email, password });
}

// A confirmation is a sign-in, with the second factor if the person has one.
async function confirm(context: SessionContext, request: ApiRequest): Promise<ApiResponse> {
  const person = await context.findPerson(request);
  if (person === undefined) throw createError(401, "[unauthorized]", "Sign in.");
  if (person.sessionId === undefined) throw createError(404, "[notFound]", "The host of the console confirms its persons.");
  const { password } = await readTexts(context.identity, request);
  const { user } = await context.reader.users.retrieve({ userId: person.principal.userId });
  return logIn(context, request, { loginId: user.email ?? user.username, password });
}

const messages: Readonly<Record<number, readonly [code: string, message: string]>> = {
  203: ["[password_change_required]", "You must change your password first."],
  212: ["[verification_required]", "Your email must be verified first."],
  213: ["[verification_required]", "Your registration must be verified first."],
  404: ["[invalid_credentials]", "The login or the password is wrong."],
  409: ["[prevented]", "An action prevents this login."],
  410: ["[expired]", "This user has expired."],
  421: ["[invalid_code]", "The code is wrong."],
  423: ["[locked]", "Too many attempts failed. Try again later."],
};

// The service's status, with a default message where its body is empty.
function toFailure(response: ApiResponse | undefined): ApiResponse {
  const { body = "", headers = {}, status: given = 404 } = response ?? {};
  const status = given < 300 ? 403 : given;
  const known = messages[given];
  const wait = headers["retry-after"];
  const passed = wait === undefined ? undefined : { "retry-after": wait };
  if (known === undefined && body !== "") return { ...toResponse(status, {}, passed), body };
  const [code, message] = known ?? ["[refused]", "The service refused the login."];
  return toResponse(status, { fieldErrors: {}, generalErrors: [{ code, message }] }, passed);
}
