import { describe, expect } from "vitest";
import { expectEmpty, expectOk } from "../support/answer.js";
import { makeClientKey, makeProof, origin } from "../support/dpop.js";
import { failings, giveApplication, startWithRunner } from "../support/lambda-places.js";
import { anybody, arrangeLogin, claimsOf, ids, logIn, loginBody, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret, stepMs } from "../support/two-factor.js";
import { forEachStorage, makeTenant, readEvents, type Start, uuid, type World } from "../support/world.js";

type Options = Parameters<typeof startWithRunner>[1];

/** A service whose application has a lambda of these statements. */
async function startPopulating(start: Start, statements: string, options?: Options): Promise<World> {
  const world = await startWithRunner(start, options);
  await arrangeLogin(world, { user: { firstName: "Ann", data: { plan: "gold" } } });
  await giveApplication(world, "accessTokenPopulateId", "JWTPopulate", statements);
  return world;
}

async function refresh(world: World, refreshToken: string): Promise<Readonly<Record<string, unknown>>> {
  return claimsOf(expectOk(await world.caller.post("/api/jwt/refresh", { refreshToken })).textAt("token"));
}

forEachStorage((start) => {
  describe("the lambda of an application's access tokens", () => {
    requirement("lambda-place.jwt", "populates those of logins and refreshes, which are good", async () => {
      const world = await startPopulating(start, "jwt.plan = user.data.plan; jwt.roles.push('extra'); delete jwt.email;");
      const { token, refreshToken } = await logIn(world);
      for (const claims of [claimsOf(token), await refresh(world, refreshToken)]) {
        expect(claims).toMatchObject({ plan: "gold", roles: ["buyer", "extra"], sub: ids.user });
        expect(claims).not.toHaveProperty("email");
      }
      const shown = expectOk(await anybody(world, { Authorization: `Bearer ${token}` }).get("/api/jwt/validate"));
      expect(shown.at("jwt.plan")).toBe("gold");
      const [event] = await readEvents(world.storage, "jwt.refresh");
      expect(claimsOf(String(event?.token)).plan).toBe("gold");
    });

    requirement("lambda-place.jwt", "populates those after a second factor", async () => {
      const world = await startPopulating(start, "jwt.how = context.authenticationType;");
      const method = { code: codeAt(secret, world.clock.instant), method: "authenticator", secret };
      expectOk(await world.caller.post(`/api/user/two-factor/${ids.user}`, method));
      const waiting = await world.caller.post("/api/login", loginBody());
      expect(waiting.status).toBe(242);
      const code = codeAt(secret, world.clock.advance(stepMs));
      const body = { code, twoFactorId: waiting.textAt("twoFactorId") };
      const answer = expectOk(await world.caller.post("/api/two-factor/login", body));
      expect(claimsOf(answer.textAt("token")).how).toBe("TWO_FACTOR");
    });

    requirement("lambda-place.jwt", "does not run without the application, nor where no token is made", async () => {
      const world = await startPopulating(start, "jwt.plan = 'gold';");
      const body = loginBody({ applicationId: undefined });
      const token = expectOk(await world.caller.post("/api/login", body)).textAt("token");
      expect(claimsOf(token)).not.toHaveProperty("plan");
      const silent = expectOk(await world.caller.post("/api/login", loginBody({ noJWT: true })));
      expect(Object.keys(silent.body as object)).toEqual(["user"]);
    });

    requirement("lambda-place.jwt", "sees all claims, the user and the registration as the wire shows them", async () => {
      const statements = "jwt.seen = JSON.parse(JSON.stringify({ jwt, user, registration: registration ?? null }));";
      const world = await startPopulating(start, statements);
      const { seen, ...claims } = claimsOf((await logIn(world, { metaData: {} })).token);
      expect(seen).toMatchObject({ jwt: claims, registration: { applicationId: ids.application, roles: ["buyer"] } });
      expect(Object.keys(claims).sort()).toEqual(
        ["applicationId", "aud", "auth_time", "authenticationType", "email", "email_verified", "exp", "iat", "iss", "jti"].concat(
          ["preferred_username", "roles", "scope", "sid", "sub", "tid", "tty"],
        ),
      );
      const { user } = seen as { readonly user: object };
      expect(user).toMatchObject({ id: ids.user, data: { plan: "gold" }, registrations: [{ roles: ["buyer"] }] });
      expect(JSON.stringify(seen)).not.toMatch(/argon2|passwordHash|digest/);
      expectEmpty(await world.caller.delete(`/api/user/registration/${ids.user}/${ids.application}`), 200);
      const stranger = await world.caller.post("/api/login", loginBody());
      expect(stranger.status).toBe(202);
      expect(claimsOf(stranger.textAt("token")).seen).toMatchObject({ registration: null });
    });

    requirement("lambda-place.context", "receives tenant, application and request", async () => {
      const world = await startPopulating(start, "jwt.seen = context;");
      const tenant = { data: { region: "north" }, issuer: "https://id.example.com" };
      expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant }));
      expectOk(await world.caller.patch(`/api/application/${ids.application}`, { application: { data: { shop: 7 } } }));
      const body = loginBody({ ipAddress: "192.0.2.7" });
      const answer = expectOk(await world.caller.post("/api/login", body, { "User-Agent": "tests/1" }));
      expect(claimsOf(answer.textAt("token")).seen).toEqual({
        application: { data: { shop: 7 }, id: ids.application, name: "Shop" },
        authenticationType: "PASSWORD",
        eventInfo: { ipAddress: "192.0.2.7", userAgent: "tests/1" },
        scopes: ["openid", "offline_access"],
        tenant: { data: { region: "north" }, id: world.defaultTenantId, issuer: "https://id.example.com", name: "Default" },
      });
    });
  });

  describe("what that lambda may not", () => {
    requirement("lambda-place.jwt-reserved", "change are the claims that this service goes by", async () => {
      const world = await startPopulating(
        start,
        `for (const name of ["amr", "auth_time", "cnf", "exp", "gty", "iat", "sub", "tid", "tty"]) jwt[name] = "other";
         delete jwt.sub; jwt.cnf = { jkt: "other" }; jwt.exp = 9999999999;`,
      );
      const { token } = await logIn(world);
      const seconds = world.clock.instant / 1_000;
      expect(claimsOf(token)).toMatchObject({
        auth_time: seconds,
        exp: seconds + 3_600,
        iat: seconds,
        sub: ids.user,
        tid: world.defaultTenantId,
        tty: "at",
      });
      for (const name of ["amr", "cnf", "gty"]) expect(claimsOf(token)).not.toHaveProperty(name);
      expectOk(await anybody(world, { Authorization: `Bearer ${token}` }).get("/api/user"));
    });

    requirement(
      "lambda-place.jwt-reserved",
      "do is give a token rights: the token has the same access with any added claim",
      async () => {
        const world = await startPopulating(
          start,
          `jwt.roles = ["admin"]; jwt.applicationId = "${uuid(9)}"; jwt.gty = ["client_credentials"]; jwt.keyManager = true;
         jwt.permissions = { "${uuid(9)}": ["GET:/api/group"] }; jwt.tid = "${uuid(8)}"; jwt.sub = "${uuid(7)}"; jwt.email = "eve@example.com";`,
        );
        const other = await makeTenant(world, "Other");
        const { token } = await logIn(world);
        const user = anybody(world, { Authorization: `Bearer ${token}` });
        expect(expectOk(await user.get("/api/user")).at("user.id")).toBe(ids.user);
        for (const path of ["/api/group", "/api/tenant", `/api/user/${uuid(7)}`, `/api/application/${ids.application}`])
          expect([path, (await user.get(path)).status >= 400]).toEqual([path, true]);
        expectEmpty(await user.inTenant(other).get("/api/user"), 401);
        const header = JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()) as object;
        expect(Object.keys(header).sort()).toEqual(["alg", "kid", "typ"]);
      },
    );

    requirement("lambda-place.jwt-reserved", "take is the key that a token is bound to", async () => {
      const world = await startPopulating(start, "delete jwt.cnf; jwt.other = 1;");
      const key = await makeClientKey();
      const proof = await makeProof(key, { method: "POST", url: `${origin}/api/login`, now: world.clock.instant });
      const answer = expectOk(await world.caller.post("/api/login", loginBody(), { DPoP: proof }));
      expect(claimsOf(answer.textAt("token"))).toMatchObject({ cnf: { jkt: key.thumbprint }, other: 1 });
      expectEmpty(await anybody(world, { Authorization: `Bearer ${answer.textAt("token")}` }).get("/api/user"), 401);
    });

    requirement("lambda-place.jwt-shortened", "let a token live longer, but make it end earlier from 1.59.0 on", async () => {
      for (const [version, seconds] of [
        ["1.65.0", 60],
        ["1.58.0", 3_600],
      ] as const) {
        const world = await startPopulating(start, "jwt.exp = jwt.iat + 60;", { version });
        const answer = expectOk(await world.caller.post("/api/login", loginBody()));
        const exp = world.clock.instant / 1_000 + seconds;
        expect(claimsOf(answer.textAt("token")).exp).toBe(exp);
        expect(answer.at("tokenExpirationInstant")).toBe(exp * 1_000);
        expect(await refresh(world, answer.textAt("refreshToken"))).toMatchObject({ exp });
        world.clock.advance(60_000);
        const user = anybody(world, { Cookie: `access_token=${answer.textAt("token")}` });
        expect((await user.get("/api/user")).status).toBe(version === "1.58.0" ? 200 : 401);
      }
    });
  });

  describe("a failure of that lambda", () => {
    for (const { name, statements, options, spoil } of failings)
      requirement("lambda-place.jwt-failure", `that ${name} leaves the token as it was`, async () => {
        const world = await start(options);
        await arrangeLogin(world);
        const change = `jwt.plan = "gold"; ${statements}`;
        const lambdaId = await giveApplication(world, "accessTokenPopulateId", "JWTPopulate", change);
        await spoil?.(world, lambdaId);
        const { token, refreshToken } = await logIn(world);
        for (const claims of [claimsOf(token), await refresh(world, refreshToken)]) {
          expect(claims).toMatchObject({ email: "ann@example.com", roles: ["buyer"] });
          expect(claims).not.toHaveProperty("plan");
        }
      });

    requirement("lambda-place.jwt-failure", "that makes the token too long leaves it as it was", async () => {
      const world = await startPopulating(start, "jwt.plan = 'gold'.repeat(user.data.times);");
      const plan = (times: number) => world.caller.patch(`/api/user/${ids.user}`, { user: { data: { times } } });
      expectOk(await plan(1_000));
      expect(String(claimsOf((await logIn(world)).token).plan)).toHaveLength(4_000);
      expectOk(await plan(10_000));
      const { token } = await logIn(world);
      expect(claimsOf(token)).not.toHaveProperty("plan");
      expectOk(await anybody(world, { Authorization: `Bearer ${token}` }).get("/api/user"));
      const { eventLogs } = await world.identity.eventLogs.search({ search: { type: "Error" } });
      expect(eventLogs.map(({ message }) => message)).toEqual([expect.stringContaining("16384 are the most.")]);
    });

    requirement("lambda-place.jwt-failure", "is not issued to a user who may not log in", async () => {
      const world = await startPopulating(start, "throw new Error('out of order');");
      expectEmpty(await world.caller.post("/api/login", loginBody({ password: `${password}!` })), 404);
    });
  });
});
