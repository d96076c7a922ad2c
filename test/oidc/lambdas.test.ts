// The lambdas of tokens, of userinfo and of the login page, as a relying party and a user meet them (docs/lambdas-places.md).
import { memoryStorage } from "latchkey/memory";
import { oidc } from "latchkey/oidc";
import * as client from "openid-client";
import { expect } from "vitest";
import { claimsOf } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret } from "../support/two-factor.js";
import { Browser } from "./support/browser.js";
import { readPage, type ShownPage, submitPage } from "./support/forms.js";
import { ada, beginLogin, completeLogin, discover, type ProviderWorld, startProvider } from "./support/provider.js";

type LambdaType = "JWTPopulate" | "LoginValidation" | "MFARequirement" | "UserInfoPopulate";

async function addLambda({ identity }: ProviderWorld, type: LambdaType, body: string): Promise<string> {
  const { lambda } = await identity.lambdas.create({ lambda: { name: `${type} ${body.length}`, type, body, enabled: true } });
  return lambda.id;
}

async function nameLambdas({ applicationId, identity }: ProviderWorld, lambdaConfiguration: object): Promise<void> {
  await identity.applications.patch({ applicationId, patch: { application: { lambdaConfiguration } } });
}

const populate = (statements: string): string => `function populate(jwt, user, registration, context) { ${statements} }`;

requirement("openid.lambdas", "JWTPopulate changes access tokens, at the code and at each refresh", async () => {
  const world = await startProvider(memoryStorage());
  const body = populate("jwt.team = user.firstName; jwt.seen = context; jwt.sub = 'else'; delete jwt.email;");
  await nameLambdas(world, { accessTokenPopulateId: await addLambda(world, "JWTPopulate", body) });
  const config = await discover(world);
  const tokens = await completeLogin(config, { scope: "openid email offline_access" });
  const scopes = ["openid", "email", "offline_access"];
  const claims = claimsOf(tokens.access_token);
  expect(claims).toMatchObject({ team: "Ada", sub: world.userId, seen: { authenticationType: "PASSWORD", scopes } });
  expect(claims).not.toHaveProperty("email");
  expect(tokens.claims()).not.toHaveProperty("team");
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
  expect(claimsOf(refreshed.access_token)).toMatchObject({ team: "Ada", seen: { authenticationType: "REFRESH_TOKEN" } });
  expect((await client.fetchUserInfo(config, refreshed.access_token, world.userId)).sub).toBe(world.userId);
});

requirement(
  "openid.lambdas",
  "what JWTPopulate writes into scopes leaves the session as it is; without its id a token is refused",
  async () => {
    const world = await startProvider(memoryStorage());
    const config = await discover(world);
    for (const [body, isTaken] of [
      ["jwt.scope = 'openid';", true],
      ["delete jwt.scope;", true],
      ["jwt.sid = 'none';", false],
      ["delete jwt.sid;", false],
    ] as const)
      for (const scope of ["openid offline_access", "openid"]) {
        await nameLambdas(world, {
          accessTokenPopulateId: await addLambda(world, "JWTPopulate", populate(`/* ${scope} */ ${body}`)),
        });
        const { access_token } = await completeLogin(config, { scope });
        expect([body, scope, (await world.identity.verifyToken(access_token)) !== undefined]).toEqual([body, scope, isTaken]);
      }
  },
);

requirement("openid.lambdas", "idTokenPopulateId changes ID tokens, which the relying party still verifies", async () => {
  const world = await startProvider(memoryStorage());
  const body = populate("jwt.team = user.firstName; jwt.scopes = context.scopes; jwt.sub = 'else'; jwt.amr = ['hwk'];");
  await nameLambdas(world, { idTokenPopulateId: await addLambda(world, "JWTPopulate", body) });
  const config = await discover(world);
  const tokens = await completeLogin(config, { scope: "openid email" });
  expect(tokens.claims()).toMatchObject({ team: "Ada", scopes: ["openid", "email"], sub: world.userId, amr: ["pwd"] });
  expect(claimsOf(tokens.access_token)).not.toHaveProperty("team");
});

requirement("openid.lambdas", "UserInfoPopulate changes the answer of userinfo", async () => {
  const world = await startProvider(memoryStorage());
  const body =
    "function populate(userInfo, user, registration, jwt) { userInfo.team = user.lastName; userInfo.scope = jwt.scope; userInfo.sub = 'else'; }";
  await nameLambdas(world, { userinfoPopulateId: await addLambda(world, "UserInfoPopulate", body) });
  const config = await discover(world);
  const tokens = await completeLogin(config, { scope: "openid" });
  const userInfo = await client.fetchUserInfo(config, tokens.access_token, world.userId);
  expect(userInfo).toMatchObject({ sub: world.userId, team: "Lovelace", scope: "openid" });
});

requirement("openid.lambdas", "a lambda that throws leaves tokens as they were", async () => {
  const world = await startProvider(memoryStorage());
  const lambdaId = await addLambda(world, "JWTPopulate", populate("throw new Error('no');"));
  await nameLambdas(world, { accessTokenPopulateId: lambdaId, idTokenPopulateId: lambdaId });
  const tokens = await completeLogin(await discover(world));
  expect(tokens.claims()?.sub).toBe(world.userId);
  expect(claimsOf(tokens.access_token).email).toBe(ada.email);
});

/** Opens the built-in page of a login, and sends the right password. */
async function enterPassword(world: ProviderWorld, browser: Browser): Promise<ShownPage> {
  const { url } = await beginLogin(await discover(world));
  return submitPage(browser, await browser.follow(url), { loginId: ada.email, password: ada.password });
}

requirement("openid.lambdas", "LoginValidation refuses on the login page, in its own words", async () => {
  const world = await startProvider(memoryStorage(), {}, { protocols: [oidc()] });
  const body =
    "function validate(result, user) { if (user.data.blocked) result.errors.generalErrors.push({ code: '[blocked]', message: 'Ask the desk.' }); }";
  const loginValidationId = await addLambda(world, "LoginValidation", body);
  const { identity, tenantId, userId } = world;
  await identity.tenants.patch({ tenantId, patch: { tenant: { lambdaConfiguration: { loginValidationId } } } });
  await identity.users.patch({ userId, patch: { user: { data: { blocked: true } } } });
  const browser = new Browser();
  const refused = await enterPassword(world, browser);
  expect(refused.response.status).toBe(400);
  expect((await readPage(refused)).text).toContain("Ask the desk.");
  await identity.users.patch({ userId, patch: { user: { data: { blocked: false } } } });
  expect((await enterPassword(world, browser)).url.searchParams.has("code")).toBe(true);
});

requirement("openid.lambdas", "MFARequirement decides on the login page whether a second factor is asked for", async () => {
  const world = await startProvider(memoryStorage(), {}, { protocols: [oidc()] });
  const body = "function checkRequired(result, user) { result.required = user.data.careful === true; }";
  const multiFactorRequirementId = await addLambda(world, "MFARequirement", body);
  const { identity, tenantId, userId } = world;
  await identity.tenants.patch({ tenantId, patch: { tenant: { lambdaConfiguration: { multiFactorRequirementId } } } });
  await identity.twoFactor.enable({ userId, code: codeAt(secret, Date.now()), method: "authenticator", secret });
  expect((await enterPassword(world, new Browser())).url.searchParams.has("code")).toBe(true);
  await identity.users.patch({ userId, patch: { user: { data: { careful: true } } } });
  const asked = await enterPassword(world, new Browser());
  expect(asked.url.pathname).toMatch(/\/two-factor$/);
  expect((await readPage(asked)).text).toContain("Second step");
});
