// When the session of a browser ends, each of its applications with a backchannelLogoutURL gets one logout token.
import { memoryStorage } from "latchkey/memory";
import * as client from "openid-client";
import { expect, test } from "vitest";
import { claimsOf } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { Browser } from "./support/browser.js";
import { receiveLogouts } from "./support/logouts.js";
import { ada, addClient, beginLogin, completeLogin, discover, type ProviderWorld, startProvider } from "./support/provider.js";

interface Stage extends ProviderWorld {
  now: number;
}

async function ban({ identity, now, userId }: Stage, applicationIds: readonly string[]): Promise<void> {
  const { userAction } = await identity.userActions.create({ userAction: { name: "Ban", temporal: true, preventLogin: true } });
  const action = { actioneeUserId: userId, actionerUserId: userId, applicationIds, expiry: now + 3_600_000 };
  await identity.userActionLogs.create({ action: { ...action, userActionId: userAction.id }, broadcast: false });
}

async function logOutEverywhere({ applicationId, identity }: Stage): Promise<void> {
  const loginConfiguration = { generateRefreshTokens: true };
  await identity.applications.patch({ applicationId, patch: { application: { loginConfiguration } } });
  const login = await identity.logins.login({ applicationId, loginId: ada.email, password: ada.password });
  await identity.logins.logout({ refreshToken: String("refreshToken" in login && login.refreshToken), global: true });
}

/** What ends all that a user has at the application. */
const endings: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  "an action": (stage) => ban(stage, []),
  "an action for the application": (stage) => ban(stage, [stage.applicationId]),
  "another password": ({ identity, userId }) =>
    identity.users.patch({ userId, patch: { user: { password: "another good password" } } }),
  deregistration: ({ applicationId, identity, userId }) => identity.registrations.remove({ applicationId, userId }),
  deactivation: ({ identity, userId }) => identity.users.remove({ userId }),
  expiry: ({ identity, now, userId }) => identity.users.patch({ userId, patch: { user: { expiry: now - 1 } } }),
  "a global logout": logOutEverywhere,
  removal: ({ identity, userId }) => identity.users.remove({ userId, hardDelete: true }),
  "removal of the application": ({ applicationId, identity }) =>
    identity.applications.remove({ applicationId, hardDelete: true }),
  "revocation by application": ({ applicationId, identity }) => identity.jwt.revoke({ applicationId }),
  "revocation by user": ({ identity, userId }) => identity.jwt.revoke({ userId }),
  "revocation by user and application": ({ applicationId, identity, userId }) => identity.jwt.revoke({ applicationId, userId }),
};

async function startStage(): Promise<{ readonly stage: Stage; readonly bodies: readonly string[] }> {
  const { bodies, url } = await receiveLogouts();
  const clock = { now: Date.UTC(2030, 0, 1) };
  const options = { allowPrivateNetwork: true, clock: () => clock.now };
  const settings = { backchannelLogoutURL: url, requireRegistration: true };
  const world = await startProvider(memoryStorage(), settings, options);
  return { stage: { ...world, now: clock.now }, bodies };
}

const readTokens = (bodies: readonly string[]): readonly Readonly<Record<string, unknown>>[] =>
  bodies.map((body) => claimsOf(new URLSearchParams(body).get("logout_token") ?? ""));

for (const scope of ["openid", "openid offline_access"])
  for (const [name, end] of Object.entries(endings))
    requirement("openid.logout-tokens", `${name} sends one logout token for a login with ${scope}`, async () => {
      const { bodies, stage } = await startStage();
      const config = await discover(stage);
      const browser = new Browser();
      const tokens = await completeLogin(config, { scope }, browser);
      await end(stage);
      await stage.identity.settle();
      const sid = tokens.claims()?.sid;
      const expected = { aud: stage.applicationId, iss: stage.issuer, sid, sub: stage.userId };
      expect(readTokens(bodies)).toEqual([expect.objectContaining(expected)]);
      // Neither the browser nor another ending sends a second one.
      await removeUser(stage);
      await browser.follow((await beginLogin(config, { prompt: "none" })).url);
      await stage.identity.settle();
      expect(bodies).toHaveLength(1);
    });

async function removeUser({ identity, userId }: Stage): Promise<void> {
  await identity.users.remove({ userId, hardDelete: true }).catch(() => undefined);
}

test("a change that ends no session sends no logout token", async () => {
  const { bodies, stage } = await startStage();
  const config = await discover(stage);
  const browser = new Browser();
  const tokens = await completeLogin(config, { scope: "openid offline_access" }, browser);
  const { identity, userId } = stage;
  for (const user of [{ firstName: "Augusta" }, { email: "countess@example.com" }])
    await identity.users.patch({ userId, patch: { user } });
  await client.tokenRevocation(config, tokens.refresh_token ?? "");
  await identity.settle();
  expect(bodies).toEqual([]);
  expect((await browser.follow((await beginLogin(config, { prompt: "none" })).url)).url.searchParams.has("code")).toBe(true);
});

test("of two applications in one browser, the one whose login ended learns of it", async () => {
  const { bodies, stage } = await startStage();
  const other = await receiveLogouts();
  const place = { name: "Other", email: "bob@example.com", tenantId: stage.tenantId };
  const second = await addClient(stage, { backchannelLogoutURL: other.url }, place);
  await stage.identity.registrations.create({ userId: stage.userId, registration: { applicationId: second.applicationId } });
  const browser = new Browser();
  const first = await completeLogin(await discover(stage), {}, browser);
  const config = await discover(second);
  const login = await beginLogin(config);
  const tokens = await client.authorizationCodeGrant(config, (await browser.follow(login.url)).url, login.checks);
  await stage.identity.jwt.revoke({ applicationId: second.applicationId });
  await stage.identity.settle();
  expect([bodies.length, readTokens(other.bodies)]).toEqual([0, [expect.objectContaining({ sid: tokens.claims()?.sid })]]);
  await stage.identity.users.remove({ userId: stage.userId });
  await stage.identity.settle();
  expect(readTokens(bodies)).toEqual([expect.objectContaining({ sid: first.claims()?.sid })]);
  expect(other.bodies).toHaveLength(1);
});

test("the session that a user keeps gets no logout token", async () => {
  const { bodies, stage } = await startStage();
  const config = await discover(stage);
  const tokens = await completeLogin(config, { scope: "openid offline_access" });
  const elsewhere = await completeLogin(config, { scope: "openid offline_access" });
  const { identity, userId } = stage;
  const kept = claimsOf(tokens.access_token).sid;
  await identity.jwt.revoke({ userId, exceptTokenId: String(kept) });
  await identity.settle();
  expect(readTokens(bodies)).toEqual([expect.objectContaining({ sid: elsewhere.claims()?.sid })]);
  expect(await client.refreshTokenGrant(config, tokens.refresh_token ?? "")).toHaveProperty("access_token");
});
