import { createLocalJWKSet, jwtVerify } from "jose";
import { describe, expect } from "vitest";
import { routes } from "../../src/families/index.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { generate } from "../support/keys.js";
import { anybody, arrangeLogin, claimsOf, ids, logIn, loginBody, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

/** The claims of a token and its header, verified by another implementation with nothing but the JWKS. */
async function verified(world: World, token: string): Promise<{ readonly payload: object; readonly protectedHeader: object }> {
  const answer = expectOk(await anybody(world).get("/.well-known/jwks.json"));
  const jwks = createLocalJWKSet(answer.body as Parameters<typeof createLocalJWKSet>[0]);
  return jwtVerify(token, jwks, { currentDate: new Date(world.clock.instant), typ: "JWT" });
}

forEachStorage((start) => {
  describe("the access token of a login", () => {
    requirement("token.claims", "verifies by the JWKS and says who the user is", async () => {
      const world = await start();
      await arrangeLogin(world, { user: { phoneNumber: "+15555550100", verified: true } });
      const { token, refreshTokenId } = await logIn(world);
      const { payload, protectedHeader } = await verified(world, token);
      const now = world.clock.instant / 1_000;
      expect(protectedHeader).toEqual({ alg: "ES256", kid: expect.any(String), typ: "JWT" });
      expect(payload).toEqual({
        applicationId: ids.application,
        aud: ids.application,
        auth_time: now,
        authenticationType: "PASSWORD",
        email: "ann@example.com",
        email_verified: true,
        exp: now + 3_600,
        iat: now,
        iss: expect.any(String),
        jti: expect.any(String),
        phone_number: "+15555550100",
        preferred_username: "Ann",
        roles: ["buyer"],
        scope: "openid offline_access",
        sid: refreshTokenId,
        sub: ids.user,
        tid: world.defaultTenantId,
        tty: "at",
      });
    });

    requirement("token.roles", "has the roles of the registration and of the user's groups", async () => {
      const world = await start();
      await arrangeLogin(world);
      const role = expectOk(await world.caller.post(`/api/application/${ids.application}/role`, { role: { name: "auditor" } }));
      const body = { group: { name: "Auditors" }, roleIds: [role.textAt("role.id")] };
      const groupId = expectOk(await world.caller.post("/api/group", body)).textAt("group.id");
      expectOk(await world.caller.post("/api/group/member", { members: { [groupId]: [{ userId: ids.user }] } }));
      expect(claimsOf((await logIn(world)).token).roles).toEqual(["auditor", "buyer"]);
      const nowhere = expectOk(await world.caller.post("/api/login", loginBody({ applicationId: undefined })));
      for (const claim of ["applicationId", "aud", "roles"]) expect(claimsOf(nowhere.textAt("token"))).not.toHaveProperty(claim);
    });

    requirement(
      "token.settings",
      "is signed by the application's key, the tenant's or the service's, in this order",
      async () => {
        const world = await start();
        await arrangeLogin(world);
        const kidOf = (key: { readonly at: (path: string) => unknown }): unknown => key.at("key.kid");
        const ofTenant = await generate(world.caller, { algorithm: "Ed25519" }, uuid(811));
        const ofApplication = await generate(world.caller, { algorithm: "RS256", length: 2_048 }, uuid(812));
        const header = async (): Promise<object> => (await verified(world, (await logIn(world)).token)).protectedHeader;
        expect(await header()).toMatchObject({ alg: "ES256" });
        const jwtConfiguration = { accessTokenKeyId: uuid(811), timeToLiveInSeconds: 60, refreshTokenTimeToLiveInMinutes: 10 };
        const tenant = { name: "Default", issuer: "https://id.example.com", jwtConfiguration };
        expectOk(await world.caller.put(`/api/tenant/${world.defaultTenantId}`, { tenant }));
        expect(await header()).toMatchObject({ alg: "EdDSA", kid: kidOf(ofTenant) });
        const { payload } = await verified(world, (await logIn(world)).token);
        expect(payload).toMatchObject({ iss: "https://id.example.com", exp: world.clock.instant / 1_000 + 60 });
        const own = { enabled: true, accessTokenKeyId: uuid(812), timeToLiveInSeconds: 30 };
        const path = `/api/application/${ids.application}`;
        expectOk(await world.caller.patch(path, { application: { jwtConfiguration: own } }));
        expect(await header()).toMatchObject({ alg: "RS256", kid: kidOf(ofApplication) });
        expectOk(await world.caller.patch(path, { application: { jwtConfiguration: { enabled: false } } }));
        expect(await header()).toMatchObject({ alg: "EdDSA" });
      },
    );

    requirement("token.validate", "is shown by the service that issued it, and by that one alone", async () => {
      const [world, other] = [await start(), await start()];
      await arrangeLogin(world);
      const { token } = await logIn(world);
      const ways: readonly Readonly<Record<string, string>>[] = [
        { Authorization: `Bearer ${token}` },
        { Authorization: `JWT ${token}` },
        { Cookie: `access_token=${token}` },
      ];
      for (const headers of ways) {
        const answer = expectOk(await anybody(world, headers).get("/api/jwt/validate"));
        expect(answer.body).toEqual({ jwt: claimsOf(token) });
        expectEmpty(await anybody(other, headers).get("/api/jwt/validate"), 401);
      }
      expectEmpty(await world.caller.get("/api/jwt/validate"), 401);
      world.clock.advance(3_600_000);
      expectEmpty(await anybody(world, { Authorization: `Bearer ${token}` }).get("/api/jwt/validate"), 401);
    });
  });

  describe("a user with a token", () => {
    requirement("token.own-user", "is shown to himself, and nobody else is shown to him", async () => {
      const world = await start();
      await arrangeLogin(world);
      expectOk(await world.caller.post(`/api/user/${uuid(1)}`, { user: { email: "bob@example.com", username: "bob" } }));
      const { token } = await logIn(world);
      const user = anybody(world, { Authorization: `Bearer ${token}` });
      const own = (await world.caller.get(`/api/user/${ids.user}`)).text;
      for (const query of ["", `?userId=${ids.user}`, "?email=ANN@example.com", "?username=ann", "?loginId=ann"])
        expect(expectOk(await user.get(`/api/user${query}`)).text).toBe(own);
      const others = [
        `userId=${uuid(1)}`,
        `userId=${uuid(9)}`,
        "email=bob@example.com",
        "username=bob",
        "loginId=bob",
        "loginId=nobody",
      ];
      for (const query of others) expectEmpty(await user.get(`/api/user?${query}`), 404);
      expectRefusal(await user.get("/api/user?userId=x"), 400, "[couldNotConvert]userId");
    });

    requirement("token.own-user", "is refused once locked out or gone", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { token } = await logIn(world);
      const user = anybody(world, { Authorization: `Bearer ${token}` });
      expectEmpty(await world.caller.delete(`/api/user/${ids.user}`), 200);
      expectEmpty(await user.get("/api/user"), 401);
      expectEmpty(await world.caller.delete(`/api/user/${ids.user}?hardDelete=true`), 200);
      expectEmpty(await user.get("/api/user"), 401);
    });

    requirement("token.own-user", "sees nobody of another tenant", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { token } = await logIn(world);
      const user = anybody(world, { Authorization: `Bearer ${token}` });
      expectOk(await user.inTenant(world.defaultTenantId).get("/api/user"));
      expectEmpty(await user.inTenant(uuid(9)).get("/api/user"), 401);
    });

    requirement("token.elsewhere", "opens no endpoint that is not for users", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { token } = await logIn(world);
      const user = anybody(world, { Authorization: `Bearer ${token}` });
      const closed = routes.filter(
        ({ access }) => !["optionalOrUser", "public", "token", "tenantOrUser", "user"].includes(access),
      );
      expect(closed.length).toBeGreaterThan(100);
      for (const { access, method, path } of closed) {
        const answer = await user.send(method, path.replaceAll(/:\w+/g, ids.user), method === "GET" ? undefined : {});
        // Clients get a refusal as OAuth puts it.
        const text = access === "client" ? expect.stringContaining("invalid_client") : "";
        expect([method, path, answer.status, answer.text]).toEqual([method, path, 401, text]);
      }
    });

    requirement("token.own-user", "learns nothing of others where a host's directory knows the people", async () => {
      const first = await start();
      await arrangeLogin(first);
      const { token } = await logIn(first);
      const claims = claimsOf(token) as { readonly exp: number; readonly sub: string };
      const people = [ids.user, uuid(1)].map((id) => ({ id, tenantId: first.defaultTenantId }));
      const directory = {
        findUsers: async (_context: unknown, wanted: readonly string[]) => people.filter(({ id }) => wanted.includes(id)),
        findApplications: async () => [],
        findRoles: async () => [],
        findRegistrations: async () => [],
      };
      const world = await start({ directory });
      const own = world.identity.as({ kind: "user", userId: ids.user, tenantId: first.defaultTenantId, claims });
      expect((await own.users.find()).user.id).toBe(ids.user);
      await expect(own.users.find({ userId: uuid(1) })).rejects.toMatchObject({ status: 404 });
      expect((await own.jwt.validate()).jwt).toEqual(claims);
    });
  });

  requirement("login.ok", "a password may hold anything", async () => {
    const world = await start();
    const odd = ` ${password}\u{1f511}é `;
    await arrangeLogin(world, { user: { password: odd } });
    expectOk(await world.caller.post("/api/login", loginBody({ password: odd })));
    expectEmpty(await world.caller.post("/api/login", loginBody({ password: odd.trim() })), 404);
  });
});
