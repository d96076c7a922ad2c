import { describe, expect } from "vitest";
import { toRecordToStore } from "../../src/operations/family/record-steps.js";
import { toUserDraft } from "../../src/people/users/user-draft.js";
import { tenantScope } from "../../src/ports/storage.js";
import { usersTable } from "../../src/records/users/family.js";
import { createPasswords } from "../../src/security/password-hashes/password.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { anybody, arrangeLogin, claimsOf, ids, loginBody, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, readEvents, uuid, type World } from "../support/world.js";

const open = { loginConfiguration: { requireAuthentication: false } };

/** Another tenant with a user who has the same email and password. */
async function arrangeTwin(world: World): Promise<string> {
  const tenantId = await makeTenant(world, "Other");
  const user = { email: "ann@example.com", password };
  expectOk(await world.caller.inTenant(tenantId).post(`/api/user/${uuid(601)}`, { user }));
  return tenantId;
}

forEachStorage((start) => {
  describe("a login", () => {
    requirement("login.ok", "answers the tokens and the user for the right password", async () => {
      const world = await start();
      await arrangeLogin(world);
      const answer = expectOk(await world.caller.post("/api/login", loginBody()));
      const { user, ...tokens } = answer.body as Record<string, unknown>;
      expect(tokens).toEqual({
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        tokenExpirationInstant: world.clock.instant + 3_600_000,
        refreshToken: expect.stringMatching(/^[\w-]{43}$/),
        refreshTokenId: expect.any(String),
      });
      expect(user).toEqual((await world.caller.get(`/api/user/${ids.user}`)).at("user"));
      expect(Object.keys(answer.body as object)).toEqual([...Object.keys(answer.body as object)].sort());
    });

    requirement("login.ok", "issues no refresh token unless the application does, and none without an application", async () => {
      const world = await start();
      await arrangeLogin(world, { application: { loginConfiguration: { allowTokenRefresh: true } } });
      for (const applicationId of [ids.application, undefined]) {
        const answer = expectOk(await world.caller.post("/api/login", loginBody({ applicationId })));
        expect(Object.keys(answer.body as object)).toEqual(["token", "tokenExpirationInstant", "user"]);
        expect(answer.cookies).toHaveLength(1);
        expect(claimsOf(answer.textAt("token")).scope).toBe("openid");
      }
    });

    requirement("login.not-registered", "is 202 to an application that the user is not registered to", async () => {
      const world = await start();
      await arrangeLogin(world);
      expectEmpty(await world.caller.delete(`/api/user/registration/${ids.user}/${ids.application}`), 200);
      const answer = await world.caller.post("/api/login", loginBody());
      expect(answer.status).toBe(202);
      const claims = claimsOf(answer.textAt("token"));
      expect(claims.aud).toBe(ids.application);
      for (const claim of ["applicationId", "roles"]) expect(claims).not.toHaveProperty(claim);
    });

    requirement("login.wrong", "is 404 without a body for an unknown user, a wrong password and an inactive user", async () => {
      const world = await start();
      await arrangeLogin(world);
      expectOk(await world.caller.post(`/api/user/${uuid(602)}`, { user: { email: "none@example.com" } }));
      const wrong = [
        { password: "wrong password" },
        { password: password.toUpperCase() },
        { loginId: "nobody@example.com" },
        { loginId: "none@example.com" },
        { password: undefined, oneTimePassword: password },
      ];
      const answers = await Promise.all(wrong.map((fields) => world.caller.post("/api/login", loginBody(fields))));
      expectEmpty(await world.caller.delete(`/api/user/${ids.user}`), 200);
      for (const answer of [...answers, await world.caller.post("/api/login", loginBody())]) {
        expectEmpty(answer, 404);
        expect(answer.headers).toEqual({ "cache-control": "no-cache" });
      }
    });

    requirement("login.same-work", "answers and notes alike for a user who does not exist", async () => {
      const world = await start({ throttle: false });
      await arrangeLogin(world);
      for (const loginId of ["ann@example.com", "nobody@example.com"])
        expectEmpty(await world.caller.post("/api/login", loginBody({ loginId, password: "wrong password" })), 404);
      // A password is checked in either case, against a hash that nobody's password has where there is no user.
      expect(await createPasswords().verify("wrong password", undefined)).toBe(false);
      expect((await readEvents(world.storage, "user.login.failed")).length).toBe(2);
    });

    requirement("login.expired", "is 410 past the user's expiry, and 404 with a wrong password", async () => {
      const world = await start();
      await arrangeLogin(world, { user: { expiry: world.clock.instant + 1_000 } });
      expectOk(await world.caller.post("/api/login", loginBody()));
      world.clock.advance(1_000);
      expectEmpty(await world.caller.post("/api/login", loginBody()), 410);
      expectEmpty(await world.caller.post("/api/login", loginBody({ password: "wrong password" })), 404);
      expectEmpty(await world.caller.put(`/api/login/${ids.user}`), 410);
    });

    requirement("login.key", "needs a key unless the application asks for none", async () => {
      const world = await start();
      await arrangeLogin(world);
      const stranger = anybody(world);
      for (const body of [loginBody(), loginBody({ applicationId: undefined }), loginBody({ applicationId: uuid(9) }), {}])
        expectEmpty(await stranger.post("/api/login", body), 401);
      expectOk(await world.caller.patch(`/api/application/${ids.application}`, { application: open }));
      expectOk(await stranger.post("/api/login", loginBody()));
      expectEmpty(await stranger.post("/api/login", loginBody({ applicationId: undefined })), 401);
      expectEmpty(await anybody(world, { Authorization: "wrong" }).post("/api/login", loginBody()), 401);
      expectEmpty(await world.caller.delete(`/api/application/${ids.application}`), 200);
      expectEmpty(await stranger.post("/api/login", loginBody()), 401);
      expectRefusal(await world.caller.post("/api/login", loginBody()), 400, "[invalid]applicationId");
    });

    requirement("login.key", "needs a key that may call it", async () => {
      const world = await start();
      await arrangeLogin(world);
      const permissions = { endpoints: { "/api/login": ["POST"] } };
      expectOk(await world.caller.post("/api/api-key", { apiKey: { key: "key-that-may-log-in", name: "a", permissions } }));
      expectOk(await world.as("key-that-may-log-in").post("/api/login", loginBody()));
      expectEmpty(await world.as("key-that-may-log-in").put(`/api/login/${ids.user}`), 401);
      const others = { endpoints: { "/api/user": ["GET"] } };
      expectOk(await world.caller.post("/api/api-key", { apiKey: { key: "key-that-may-not", name: "b", permissions: others } }));
      expectEmpty(await world.as("key-that-may-not").post("/api/login", loginBody()), 401);
    });

    requirement("login.body", "reports all faults of a body at once", async () => {
      const world = await start();
      await arrangeLogin(world);
      expectRefusal(await world.caller.post("/api/login", {}), 400, "[blank]loginId", "[blank]password");
      const cases: readonly (readonly [fields: object, code: string])[] = [
        [{ loginId: "" }, "[blank]loginId"],
        [{ loginId: 1 }, "[invalidJSON]loginId"],
        [{ loginId: "x".repeat(192) }, "[tooLong]loginId"],
        [{ password: "" }, "[blank]password"],
        [{ password: "x".repeat(4_097) }, "[tooLong]password"],
        [{ applicationId: "x" }, "[couldNotConvert]applicationId"],
        [{ applicationId: uuid(9) }, "[invalid]applicationId"],
        [{ loginIdTypes: [] }, "[empty]loginIdTypes"],
        [{ loginIdTypes: ["nickname"] }, "[invalidOption]loginIdTypes[0]"],
        [{ ipAddress: "nowhere" }, "[invalid]ipAddress"],
        [{ metaData: "device" }, "[invalidJSON]metaData"],
        [{ noJWT: "yes" }, "[invalidJSON]noJWT"],
      ];
      for (const [fields, code] of cases) expectRefusal(await world.caller.post("/api/login", loginBody(fields)), 400, code);
    });

    requirement("login.id-types", "takes an email or a username in any case, blanks around it aside", async () => {
      const world = await start();
      await arrangeLogin(world);
      const log = async (loginId: string, loginIdTypes?: readonly string[]): Promise<number> =>
        (await world.caller.post("/api/login", loginBody({ loginId, loginIdTypes }))).status;
      for (const loginId of ["ann@example.com", " ANN@Example.com ", "ann", "ANN"]) expect(await log(loginId)).toBe(200);
      expect(await log("ann", ["username"])).toBe(200);
      expect(await log("ann@example.com", ["email"])).toBe(200);
      expect(await log("ann", ["email"])).toBe(404);
      expect(await log("ann@example.com", ["username"])).toBe(404);
      expect(await log("ann", ["phoneNumber"])).toBe(404);
      expect(await log("an*")).toBe(404);
    });

    requirement("login.id-types", "means the address where one user's name is another's address", async () => {
      const world = await start();
      await arrangeLogin(world);
      const impostor = { username: "eve", email: "eve@example.com", password: "eve's own password" };
      expectOk(await world.caller.post(`/api/user/${uuid(1)}`, { user: impostor }));
      // Earlier versions stored such a user; this one refuses the name.
      const scope = tenantScope(world.defaultTenantId);
      await world.storage.transaction(async (tx) => {
        const stored = await tx.retrieve(scope, usersTable, uuid(1));
        if (stored === undefined) throw new Error("There is no user.");
        const draft = toUserDraft({ ...JSON.parse(stored.json), username: "ann@example.com" }, JSON.parse(stored.hidden ?? "{}"));
        await tx.update(scope, usersTable, toRecordToStore(draft, world.defaultTenantId, stored.version + 1));
      });
      const answer = expectOk(await world.caller.post("/api/login", loginBody()));
      expect(answer.at("user.id")).toBe(ids.user);
      expectEmpty(await world.caller.post("/api/login", loginBody({ password: impostor.password })), 404);
    });
  });

  describe("the tenant of a login", () => {
    requirement("login.tenant", "must be named when there are several", async () => {
      const world = await start();
      await arrangeLogin(world);
      const anywhere = loginBody({ applicationId: undefined });
      expect(expectOk(await world.caller.post("/api/login", anywhere)).at("user.id")).toBe(ids.user);
      const other = await arrangeTwin(world);
      expectRefusal(await world.caller.post("/api/login", anywhere), 400, "[TenantIdRequired]");
      expect(expectOk(await world.caller.inTenant(other).post("/api/login", anywhere)).at("user.id")).toBe(uuid(601));
      expectRefusal(await world.caller.inTenant(uuid(9)).post("/api/login", anywhere), 400, "[invalid]tenantId");
    });

    requirement(
      "login.tenant-application",
      "is that of the application, which a key of another tenant does not see",
      async () => {
        const world = await start();
        await arrangeLogin(world, { application: open });
        const other = await arrangeTwin(world);
        expect(expectOk(await world.caller.post("/api/login", loginBody())).at("user.id")).toBe(ids.user);
        expect(expectOk(await anybody(world).post("/api/login", loginBody())).at("user.id")).toBe(ids.user);
        expectRefusal(await world.caller.inTenant(other).post("/api/login", loginBody()), 400, "[invalid]applicationId");
        expectEmpty(await anybody(world).inTenant(other).post("/api/login", loginBody()), 401);
      },
    );
  });
});
