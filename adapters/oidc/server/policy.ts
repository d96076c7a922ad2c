import { type Account, errors, type interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";
import { currentExchange } from "./exchange.js";
import { settingsOf } from "./grants/grants.js";

type InteractionPolicy = typeof interactionPolicy;

/** What a user is asked for: the library's checks, and those of the service. `policies` are the library's. */
export function createPolicy({ base, Check, Prompt }: InteractionPolicy): interactionPolicy.DefaultPolicy {
  const policy = base();
  policy.add(new Prompt({ name: "select_account", requestable: true }), 0);
  const consent = policy.get("consent");
  // Where the client asks for consent the application's own settings say whether there is any; native ones are like others.
  consent?.checks.remove("consent_prompt");
  consent?.checks.remove("native_client_prompt");
  const check = new Check(
    "not_registered",
    "the user is not registered to the application",
    "access_denied",
    async (ctx: KoaContextWithOIDC) => {
      await assertRegistered(ctx);
      return Check.NO_NEED_TO_PROMPT;
    },
  );
  policy.get("login")?.checks.add(check, 0);
  return policy;
}

async function assertRegistered(ctx: KoaContextWithOIDC): Promise<void> {
  const { client, session } = ctx.oidc;
  const userId = session?.accountId;
  const { requireRegistration } = await settingsOf(ctx);
  if (!requireRegistration || userId === undefined || client === undefined) return;
  const { core, request, tenant, unit } = currentExchange();
  const user = await core.findUser(request, { tenantId: tenant.id, unit, userId, applicationId: client.clientId });
  if (user?.isRegistered !== true) throw new errors.AccessDenied("the user is not registered to the application");
}

/** The user of a session whose login still counts; undefined where he may no longer log in. */
export async function findAccount(ctx: KoaContextWithOIDC, userId: string): Promise<Account | undefined> {
  const { core, request, tenant, unit } = currentExchange();
  const applicationId = ctx.oidc.client?.clientId;
  const user = await core.findUser(request, { tenantId: tenant.id, unit, userId, applicationId });
  if (user === undefined) return undefined;
  return {
    accountId: userId,
    claims: async (_use: string, scope: string, asked: object = {}) => ({
      ...(await user.claims(scope, Object.keys(asked))),
      sub: userId,
    }),
  };
}

/** Returns the session with an id; undefined for none, and where its user may no longer log in or has another password since. */
export async function findLiveSession(sessionId: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { core, request, tenant, unit } = currentExchange();
  const session = await unit.find("Session", sessionId);
  const userId = session?.accountId;
  if (typeof userId !== "string") return undefined;
  const user = await core.findUser(request, { tenantId: tenant.id, unit, userId, applicationId: undefined });
  return user !== undefined && Number(session?.loginTs ?? 0) >= user.loginsCountFrom ? session : undefined;
}

/** Ends the login of a session whose user may no longer log in, or has another password since. */
export async function endStaleLogin(sessionId: string): Promise<void> {
  const { unit } = currentExchange();
  const session = await unit.find("Session", sessionId);
  if (typeof session?.accountId !== "string") return;
  if ((await findLiveSession(sessionId)) === undefined) await unit.destroy("Session", sessionId);
}
