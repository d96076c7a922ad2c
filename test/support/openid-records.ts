import type { IdentityService } from "latchkey";
import type { Protocol } from "latchkey/ports";

const path = "/openid-records";

/**
 * A protocol that stores a session, a refresh token and a logout token as the OpenID provider does, for the user and application
 * of the query.
 */
export const openIdRecords: Protocol = {
  name: "openid-records",
  path,
  start: async (host) => async (request) => {
    const { accountId = "", clientId = "", tenantId = "" } = Object.fromEntries(new URLSearchParams(request.query));
    const unit = (await host.openId()).begin(tenantId, request);
    const exp = Math.floor(host.clock() / 1_000) + 3_600;
    unit.upsert("Session", "a session", { accountId, exp, jti: "a session", uid: "u" }, 3_600);
    unit.upsert("RefreshToken", "a refresh token", { accountId, clientId, exp, grantId: "g", jti: "a refresh token" }, 3_600);
    unit.endLogin({ applicationId: clientId, sid: "s", userId: accountId });
    await unit.commit();
    return { status: 204, headers: {}, body: "" };
  },
};

/** Stores these records for a user, in a service with {@link openIdRecords}. */
export async function plantOpenIdRecords(identity: IdentityService, userId: string, tenantId: string): Promise<void> {
  const { application } = await identity.applications.create(
    { application: { name: "Client", oauthConfiguration: { backchannelLogoutURL: "https://app.example.com/logout" } } },
    { tenantId },
  );
  const query = new URLSearchParams({ accountId: userId, clientId: application.id, tenantId });
  await identity.inject({ method: "POST", url: `${path}?${query}` });
}
