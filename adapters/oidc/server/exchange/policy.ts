import { type Account, errors, type interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";
import { isObject } from "../../../internal/objects.js";
import { isRegistered } from "../../http/urls.js";
import { currentExchange } from "./exchange.js";
import { toServiceSeconds } from "./library-time.js";

type InteractionPolicy = typeof interactionPolicy;

/** The prompts of a login: the library's checks and those of the service. `policies` are the library's. */
export function createPolicy({ base, Check, Prompt }: InteractionPolicy): interactionPolicy.DefaultPolicy {
  const policy = base();
  policy.add(new Prompt({ name: "select_account", requestable: true }), 0);
  const consent = policy.get("consent");
  // The application's settings decide about consent, not the client; native clients are like others.
  consent?.checks.remove("consent_prompt");
  consent?.checks.remove("native_client_prompt");
  const check = new Check(
    "not_registered",
    "the user is not registered to the application",
    "access_denied",
    async (ctx: KoaContextWithOIDC) => {
      await assertLeadsBack(ctx);
      await assertIsHinted(ctx);
      await assertMayLogIn(ctx);
      return Check.NO_NEED_TO_PROMPT;
    },
  );
  policy.get("login")?.checks.add(check, 0);
  return policy;
}

// The application may have changed while a page was open; the library checks the URL only before.
async function assertLeadsBack({ oidc: { client, params } }: KoaContextWithOIDC): Promise<void> {
  const url = params?.redirect_uri;
  if (typeof url !== "string" || client === undefined) return;
  const { authorizedRedirectURLs: known = [], authorizedURLValidationPolicy: policy = "ExactMatch" } =
    (await currentExchange().core.findClient(client.clientId))?.settings ?? {};
  if (!isRegistered(known, policy, url)) throw new errors.InvalidRedirectUri();
}

// The request asked for the user of the hint, and another user logged in: the client gets an error (OpenID Connect Core,
// 3.1.2.1).
async function assertIsHinted({ oidc: { params, result, session } }: KoaContextWithOIDC): Promise<void> {
  const hint = params?.id_token_hint;
  if (typeof hint !== "string" || result === undefined || session?.accountId === undefined) return;
  const { core, tenant } = currentExchange();
  const isHinted = (await core.tokens.readId(hint, tenant))?.sub === session.accountId;
  if (!isHinted) throw new errors.LoginRequired("the user is another one than that of id_token_hint");
}

async function assertMayLogIn({ oidc: { client, session } }: KoaContextWithOIDC): Promise<void> {
  const userId = session?.accountId;
  if (userId === undefined || client === undefined) return;
  const { core, proof, request, tenant, unit } = currentExchange();
  const artifact = { kind: "browserSession", content: { loginTs: loginOf(session), proof } } as const;
  const asked = { tenantId: tenant.id, unit, userId, applicationId: client.clientId, artifact };
  const ending = await core.findEnding(request, asked);
  if (ending === "registration") throw new errors.AccessDenied("the user is not registered to the application");
  if (ending !== undefined) throw new errors.AccessDenied("the user may not log in to the application");
}

function loginOf(session: { readonly loginTs?: number | undefined } | undefined): number | undefined {
  return toService(session?.loginTs);
}

function toService(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : toServiceSeconds(seconds);
}

/** The part of a used code or token that is read. */
interface UsedToken {
  readonly kind?: string | undefined;
  readonly authTime?: number | undefined;
  readonly gty?: string | undefined;
  readonly scope?: string | undefined;
}

const kinds = {
  AuthorizationCode: "authorizationCode",
  DeviceCode: "deviceCode",
  RefreshToken: "openIdRefreshToken",
} as const;

function isKind(name: string | undefined): name is keyof typeof kinds {
  return name !== undefined && Object.hasOwn(kinds, name);
}

/** Returns the user of a session, code or token; undefined if it has ended, or the user may no longer log in. */
export async function findAccount(ctx: KoaContextWithOIDC, userId: string, used?: UsedToken): Promise<Account | undefined> {
  const { core, proof, request, tenant, unit } = currentExchange();
  const applicationId = ctx.oidc.client?.clientId;
  const kind = isKind(used?.kind) ? kinds[used.kind] : ("browserSession" as const);
  const login =
    used === undefined ? { loginTs: loginOf(ctx.oidc.session) } : { authTime: toService(used.authTime), gty: used.gty };
  const artifact = { kind, content: { ...login, proof, scope: used?.scope } } as const;
  const user = await core.findUser(request, { tenantId: tenant.id, unit, userId, applicationId, artifact });
  if (user === undefined) return undefined;
  return {
    accountId: userId,
    claims: async (_use: string, scope: string, asked: object = {}) => ({
      ...(await user.claims(scope, Object.keys(asked))),
      sub: userId,
    }),
  };
}

/** Returns the session with an id; undefined for an unknown or ended one. */
export async function findLiveSession(sessionId: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { core, request, tenant, unit } = currentExchange();
  const session = await unit.find("Session", sessionId);
  const userId = session?.accountId;
  if (session === undefined || typeof userId !== "string") return undefined;
  const artifact = { kind: "browserSession", content: session } as const;
  const asked = { tenantId: tenant.id, unit, userId, applicationId: undefined, artifact };
  return (await core.findEnding(request, asked)) === undefined ? session : undefined;
}

/** Ends a session if its login is no longer valid. */
export async function endStaleLogin(sessionId: string): Promise<void> {
  const { unit } = currentExchange();
  const session = await unit.find("Session", sessionId);
  if (typeof session?.accountId !== "string") return;
  if ((await findLiveSession(sessionId)) === undefined) await unit.endSession(sessionId);
}

/** Removes a pending login from an interaction if it has ended: the user must log in again. */
export async function endStaleHeldLogin(uid: string): Promise<void> {
  const { core, request, tenant, unit } = currentExchange();
  const content = await unit.find("Interaction", uid);
  const { result } = content ?? {};
  if (content === undefined || !isObject(result) || !isObject(result.login)) return;
  const { login, ...others } = result;
  const userId = String(login.accountId);
  const artifact = { kind: "heldLogin", content: login } as const;
  const { client_id: clientId } = isObject(content.params) ? content.params : {};
  const asked = { tenantId: tenant.id, unit, userId, applicationId: String(clientId), artifact };
  const ending = await core.findEnding(request, asked);
  // The client gets these as errors.
  if (ending === undefined || ending === "action" || ending === "registration") return;
  unit.upsert("Interaction", uid, { ...content, result: others }, Number(content.exp) - Number(content.iat));
}
