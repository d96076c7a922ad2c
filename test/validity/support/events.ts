import { ada } from "../../oidc/support/provider.js";
import { addFactor, type Stage } from "./stage.js";

/** What happens to the user, the application, the key or the tenant between the making of an artifact and its use. */
export const endingEvents: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  nothing: async () => undefined,
  "another password": ({ identity, userId }) =>
    identity.users.patch({ userId, patch: { user: { password: "another good password" } } }),
  "wrong passwords": async ({ host, applicationId }) => {
    for (let i = 0; i < 3; i++) await host.post("/api/login", { loginId: ada.email, password: `wrong ${i}`, applicationId });
  },
  "an action": (stage) => ban(stage),
  "an action that is over": async (stage) => {
    const actionId = await ban(stage);
    await stage.admin.delete(`/api/user/action/${actionId}`, { action: { actionerUserId: stage.userId } });
  },
  deactivation: ({ identity, userId }) => identity.users.remove({ userId }),
  "deactivation and return": async ({ admin, identity, userId }) => {
    await identity.users.remove({ userId });
    await admin.put(`/api/user/${userId}?reactivate=true`, {});
  },
  "the user's expiry": ({ identity, now, userId }) => identity.users.patch({ userId, patch: { user: { expiry: now() - 1 } } }),
  "an expiry that ends": async ({ identity, now, userId }) => {
    for (const expiry of [now() - 1, now() + 1_000_000]) await identity.users.patch({ userId, patch: { user: { expiry } } });
  },
  "an expiry that was reached and ends": async ({ identity, now, pass, userId }) => {
    await identity.users.patch({ userId, patch: { user: { expiry: now() + 1_000 } } });
    pass(2_000);
    await identity.users.patch({ userId, patch: { user: { expiry: null } } });
  },
  removal: ({ identity, userId }) => identity.users.remove({ userId, hardDelete: true }),
  "removal and another user": async ({ applicationId, identity, tenantId, userId }) => {
    await identity.users.remove({ userId, hardDelete: true });
    await identity.users.create({ userId, user: { ...ada } }, { tenantId });
    await identity.registrations.create({ userId, registration: { applicationId } });
  },
  deregistration: ({ applicationId, identity, userId }) => identity.registrations.remove({ applicationId, userId }),
  "another address": ({ identity, userId }) => identity.users.patch({ userId, patch: { user: { email: "other@example.com" } } }),
  "another address and back": async ({ identity, userId }) => {
    for (const email of ["other@example.com", ada.email]) await identity.users.patch({ userId, patch: { user: { email } } });
  },
  "a removed factor": async (stage) => {
    const { admin, codeNow, identity, pass, userId } = stage;
    const { methods = [] } = (await identity.users.retrieve({ userId })).user.twoFactor ?? {};
    if (methods.length === 0) await addFactor(stage);
    const found = (await identity.users.retrieve({ userId })).user.twoFactor?.methods[0]?.id ?? "";
    pass(60_000);
    const answer = await admin.delete(`/api/user/two-factor/${userId}?methodId=${found}&code=${codeNow()}`);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  },
  "settings without refresh tokens": ({ applicationId, identity }) =>
    identity.applications.patch({
      applicationId,
      patch: {
        application: {
          loginConfiguration: { generateRefreshTokens: false },
          oauthConfiguration: { generateRefreshTokens: false },
        },
      },
    }),
  "a disabled scope": ({ applicationId, identity }) =>
    identity.applications.patch({
      applicationId,
      patch: { application: { oauthConfiguration: { providedScopePolicy: { profile: { enabled: false } } } } },
    }),
  "passwordless switched off": ({ applicationId, identity }) =>
    identity.applications.patch({
      applicationId,
      patch: { application: { passwordlessConfiguration: { enabled: false } } },
    }),
  "an inactive application": ({ applicationId, identity }) => identity.applications.remove({ applicationId }),
  "a removed key": ({ identity, keyId }) => identity.apiKeys.remove({ keyId }),
  "all tokens revoked": ({ identity, userId }) => identity.jwt.revoke({ userId }),
  "a tenant that goes": ({ identity, tenantId }) => identity.tenants.remove({ tenantId, async: true }),
};

async function ban({ admin, identity, now, userId }: Stage): Promise<string> {
  const action = { name: "Ban", temporal: true, preventLogin: true };
  const { userAction } = await identity.userActions.create({ userAction: action });
  const taken = { actioneeUserId: userId, actionerUserId: userId, expiry: now() + 3_600_000, userActionId: userAction.id };
  const answer = await admin.post("/api/user/action", { action: taken, broadcast: false });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.textAt("action.id");
}
