import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { anybody, arrangeLogin, claimsOf, ids, logIn, loginBody, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, uuid } from "../support/world.js";

const ownUser = `/api/user/${ids.user}`;

forEachStorage((start) => {
  describe("what a login leaves behind", () => {
    requirement("login.no-jwt", "is no token and no cookie where none is wanted", async () => {
      const world = await start();
      await arrangeLogin(world);
      const answer = expectOk(await world.caller.post("/api/login", loginBody({ noJWT: true })));
      expect(Object.keys(answer.body as object)).toEqual(["user"]);
      expect(answer.cookies).toEqual([]);
      const { refreshTokens } = await world.identity.jwt.list({ userId: ids.user });
      expect(refreshTokens).toEqual([]);
      expect(await readEvents(world.storage, "user.login.success")).toHaveLength(1);
    });

    requirement("login.instants", "are the instants of user and registration, which changes of them keep", async () => {
      const world = await start();
      await arrangeLogin(world);
      const before = await world.caller.get(ownUser);
      expect(before.at("user")).not.toHaveProperty("lastLoginInstant");
      const instant = world.clock.advance(60_000);
      await logIn(world);
      world.clock.advance(60_000);
      expectOk(await world.caller.put(ownUser, { user: { email: "ann@example.com", username: "Ann" } }));
      const registration = { applicationId: ids.application, roles: [] };
      expectOk(await world.caller.put(`/api/user/registration/${ids.user}`, { registration }));
      const after = await world.caller.get(ownUser);
      expect([after.at("user.lastLoginInstant"), after.at("user.registrations.0.lastLoginInstant")]).toEqual([instant, instant]);
    });

    requirement("login.instants", "are other entity tags, since answers show them, and no other lastUpdateInstant", async () => {
      const world = await start();
      await arrangeLogin(world);
      const before = await world.caller.get(ownUser);
      world.clock.advance(60_000);
      await logIn(world);
      const after = await world.caller.get(ownUser);
      expect(after.etag).not.toBe(before.etag);
      expect(after.at("user.lastUpdateInstant")).toBe(before.at("user.lastUpdateInstant"));
      const patch = { user: { firstName: "Ann" } };
      expectRefusal(await world.caller.patch(ownUser, patch, { "if-match": before.etag }), 412, "[preconditionFailed]");
      expectOk(await world.caller.patch(ownUser, patch, { "if-match": after.etag }));
    });

    requirement("login.versions-of-user", "survives changes of the user that are made at the same time", async () => {
      const world = await start();
      await arrangeLogin(world);
      const instant = world.clock.advance(1_000);
      const patches = ["firstName", "lastName", "fullName"].map((name) =>
        world.caller.patch(ownUser, { user: { [name]: name } }),
      );
      const logins = [1, 2, 3].map(() => world.caller.post("/api/login", loginBody()));
      for (const answer of await Promise.all([...patches, ...logins])) expectOk(answer);
      const names = { firstName: "firstName", lastName: "lastName", fullName: "fullName" };
      expect((await world.caller.get(ownUser)).at("user")).toMatchObject({ ...names, lastLoginInstant: instant });
      expect((await world.identity.jwt.list({ userId: ids.user })).refreshTokens).toHaveLength(3);
    });

    requirement("login.events", "is an event with the user, and one with the reason for a failure", async () => {
      const world = await start();
      await arrangeLogin(world);
      await logIn(world);
      const [success] = await readEvents(world.storage, "user.login.success");
      const user = (await world.caller.get(ownUser)).at("user");
      const { connectorId } = user as { readonly connectorId: string };
      const shared = { applicationId: ids.application, authenticationType: "PASSWORD", ipAddress: "127.0.0.1" };
      const caller = { actor: { type: "apiKey", id: expect.any(String) }, info: { ipAddress: "127.0.0.1" } };
      const envelope = { tenantId: world.defaultTenantId, createInstant: world.clock.instant, id: expect.any(String), ...caller };
      const ofAnn = { linkedObjectId: ids.user, user };
      expect(success).toEqual({ ...envelope, ...shared, ...ofAnn, connectorId, type: "user.login.success" });
      await world.caller.post("/api/login", loginBody({ password: "wrong password" }));
      await world.caller.post("/api/login", loginBody({ loginId: "nobody" }));
      const failed = await readEvents(world.storage, "user.login.failed");
      const reason = { code: "credentials" };
      expect(failed).toHaveLength(2);
      expect(failed).toContainEqual({ ...envelope, ...shared, ...ofAnn, reason, type: "user.login.failed" });
      expect(failed).toContainEqual({ ...envelope, ...shared, reason, type: "user.login.failed" });
    });

    requirement("login.events", "holds neither passwords nor tokens", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { token, refreshToken } = await logIn(world);
      await world.caller.post("/api/login", loginBody({ password: "wrong password" }));
      const texts = JSON.stringify([await readEvents(world.storage), world.log]);
      for (const secret of [password, "wrong password", token, refreshToken]) expect(texts).not.toContain(secret);
    });

    requirement("login.address", "is the address that a caller with a key names, and else the source", async () => {
      const world = await start();
      const loginConfiguration = { requireAuthentication: false };
      await arrangeLogin(world, { application: { loginConfiguration } });
      const body = loginBody({ ipAddress: "2001:DB8:0::1" });
      for (const caller of [world.caller, anybody(world)]) expectOk(await caller.post("/api/login", body));
      const seen = (await readEvents(world.storage, "user.login.success")).map((event) => event.ipAddress);
      expect(seen.sort()).toEqual(["127.0.0.1", "2001:db8::1"]);
    });

    requirement("login.wrong", "is nothing when the user was locked out while the password was checked", async () => {
      const world = await start();
      await arrangeLogin(world);
      const pending = world.caller.post("/api/login", loginBody());
      const deactivated = world.caller.delete(ownUser);
      expectEmpty(await deactivated, 200);
      const { status } = await pending;
      const { refreshTokens } = await world.identity.jwt.list({ userId: ids.user });
      // Whichever came first: nobody who is locked out keeps a session.
      expect([200, 404]).toContain(status);
      expect(refreshTokens).toEqual([]);
    });
  });

  requirement("login.locked", "too many wrong passwords lock a known and an unknown user alike", async () => {
    const world = await start({ throttle: { login: { maxFailures: 2, maxDelayMs: 0, lockSeconds: 60 } } });
    await arrangeLogin(world);
    for (const loginId of ["ann@example.com", "nobody@example.com"]) {
      const wrong = loginBody({ loginId, password: "wrong password" });
      for (let failure = 0; failure < 2; failure++) expectEmpty(await world.caller.post("/api/login", wrong), 404);
      const locked = await world.caller.post("/api/login", loginBody({ loginId: loginId.replace("ann@example.com", "ANN") }));
      expectEmpty(locked, 423);
      expect(locked.headers["retry-after"]).toBe("60");
    }
    world.clock.advance(60_000);
    expectOk(await world.caller.post("/api/login", loginBody()));
  });

  requirement("login.no-dry-run", "refuses a dry run of each call that issues tokens", async () => {
    const world = await start();
    await arrangeLogin(world);
    const { refreshToken } = await logIn(world);
    const calls: readonly (readonly [path: string, body: object])[] = [
      ["/api/login", loginBody()],
      ["/api/login", loginBody({ password: "wrong password" })],
      ["/api/jwt/refresh", { refreshToken }],
      ["/api/user/change-password/x", { password }],
    ];
    for (const [path, body] of calls) expectRefusal(await world.caller.post(`${path}?dryRun=true`, body), 400, "[invalid]dryRun");
    expectEmpty(await anybody(world).post("/api/login?dryRun=true", loginBody()), 401);
  });

  describe("a ping", () => {
    requirement("login.ping", "counts a login and issues no tokens", async () => {
      const world = await start();
      await arrangeLogin(world);
      const instant = world.clock.advance(5_000);
      const answer = expectOk(await world.caller.put(`/api/login/${ids.user}/${ids.application}?ipAddress=192.0.2.7`));
      expect(Object.keys(answer.body as object)).toEqual(["user"]);
      expect(answer.cookies).toEqual([]);
      expect(answer.at("user.registrations.0.lastLoginInstant")).toBe(instant);
      const [event] = await readEvents(world.storage, "user.login.success");
      expect(event).toMatchObject({ authenticationType: "PING", ipAddress: "192.0.2.7", applicationId: ids.application });
      expectOk(await world.caller.put(`/api/login/${ids.user}`));
    });

    requirement(
      "login.ping",
      "is 404 for nobody and who is inactive, 400 for no application, 202 without a registration",
      async () => {
        const world = await start();
        await arrangeLogin(world);
        const path = `/api/login/${ids.user}`;
        expectEmpty(await world.caller.put(`/api/login/${uuid(9)}/${ids.application}`), 404);
        expectRefusal(await world.caller.put(`${path}/${uuid(9)}`), 400, "[invalid]applicationId");
        expectRefusal(await world.caller.put(`${path}/x`), 400, "[couldNotConvert]applicationId");
        expectEmpty(await world.caller.delete(`/api/user/registration/${ids.user}/${ids.application}`), 200);
        expect((await world.caller.put(`${path}/${ids.application}`)).status).toBe(202);
        expectEmpty(await world.caller.delete(ownUser), 200);
        expectEmpty(await world.caller.put(`${path}/${ids.application}`), 404);
      },
    );
  });

  requirement(["login.ok", "token.claims"], "a login in process answers the same", async () => {
    const world = await start();
    await arrangeLogin(world);
    const answer = await world.identity.logins.login({ loginId: "ann", password, applicationId: ids.application });
    const token = "token" in answer ? answer.token : undefined;
    expect(claimsOf(String(token))).toMatchObject({ sub: ids.user, applicationId: ids.application, roles: ["buyer"] });
    await expect(world.identity.logins.login({ loginId: "ann", password: "wrong password" })).rejects.toMatchObject({
      status: 401,
      code: "[invalidCredentials]",
    });
    await expect(world.identity.jwt.validate()).rejects.toMatchObject({ status: 401 });
  });

  requirement("login.directory", "logins are 405 where a host's directory knows the people", async () => {
    const none = async (): Promise<readonly never[]> => [];
    const directory = { findUsers: none, findApplications: none, findRoles: none, findRegistrations: none };
    const world = await start({ directory });
    expectEmpty(await world.caller.post("/api/login", loginBody()), 405);
    expectEmpty(await world.caller.put(`/api/login/${ids.user}/${ids.application}`), 405);
    expectEmpty(await world.caller.post("/api/jwt/refresh", { refreshToken: "x" }), 405);
    expectOk(await world.caller.get(`/api/jwt/refresh?userId=${ids.user}`));
  });
});
