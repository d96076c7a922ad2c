import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { askToken, startOffice } from "../support/clients.js";
import { makeClientKey, makeProof, origin, presented } from "../support/dpop.js";
import { failings, giveApplication, startWithRunner } from "../support/lambda-places.js";
import { anybody, arrangeLogin, claimsOf, ids, logIn, loginBody } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { bootstrapKey, forEachStorage, type Start, startWorld, uuid, type World } from "../support/world.js";

const path = "/oauth2/userinfo";
const lambdaName = "userinfoPopulateId";

const profile = {
  birthDate: "1990-02-03",
  firstName: "Ann",
  imageUrl: "https://example.com/ann.png",
  lastName: "Lee",
  middleName: "B",
  phoneNumber: "+15550100",
};

async function ask(world: World, token: string, method: "GET" | "POST" = "GET"): Promise<Answer> {
  return anybody(world, { Authorization: `Bearer ${token}` }).send(method, path);
}

/** The status of a refusal without a body, and its challenge. */
function challengeOf(answer: Answer): readonly unknown[] {
  expectEmpty(answer, 401);
  return [answer.headers["www-authenticate"], answer.headers["cache-control"]];
}

async function startPopulating(start: Start, statements: string): Promise<World> {
  const world = await startWithRunner(start);
  await arrangeLogin(world, { user: profile });
  await giveApplication(world, lambdaName, "UserInfoPopulate", statements);
  return world;
}

const invalid = ['Bearer realm="oauth2", error="invalid_token"', "no-cache"];

forEachStorage((start) => {
  describe("userinfo", () => {
    requirement("userinfo.claims", "returns the user of a token, and forbids caching", async () => {
      const world = await start();
      await arrangeLogin(world, { user: { ...profile, verified: true } });
      const { token } = await logIn(world);
      for (const method of ["GET", "POST"] as const) {
        const answer = expectOk(await ask(world, token, method));
        expect(answer.headers).toMatchObject({ "cache-control": "no-store", "content-type": "application/json; charset=UTF-8" });
        expect(answer.body).toEqual({
          applicationId: ids.application,
          birthdate: "1990-02-03",
          email: "ann@example.com",
          email_verified: true,
          family_name: "Lee",
          given_name: "Ann",
          middle_name: "B",
          name: "Ann Lee",
          phone_number: "+15550100",
          picture: "https://example.com/ann.png",
          preferred_username: "Ann",
          roles: ["buyer"],
          scope: "openid offline_access",
          sub: ids.user,
          tid: world.defaultTenantId,
        });
      }
      const body = new URLSearchParams({ any: "thing" }).toString();
      const form = { Authorization: `Bearer ${token}`, "content-type": "application/x-www-form-urlencoded" };
      expectOk(await anybody(world).post(path, body, form));
      expectRefusal(await anybody(world, { Authorization: `Bearer ${token}` }).post(path, {}), 400, "[UnsupportedContentType]");
    });

    requirement("userinfo.claims", "returns the current state, not the token's claims", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { token } = await logIn(world);
      expectOk(await world.caller.patch(`/api/user/${ids.user}`, { user: { email: "lee@example.com", fullName: "A. Lee" } }));
      expect(claimsOf(token).email).toBe("ann@example.com");
      expect(expectOk(await ask(world, token)).body).toMatchObject({ email: "lee@example.com", name: "A. Lee" });
      expectEmpty(await world.caller.delete(`/api/user/registration/${ids.user}/${ids.application}`), 200);
      const answer = expectOk(await ask(world, token));
      for (const claim of ["applicationId", "roles"]) expect(answer.body).not.toHaveProperty(claim);
    });

    requirement("userinfo.claims", "returns nothing of an application for a token without one", async () => {
      const world = await start();
      await arrangeLogin(world);
      const token = expectOk(await world.caller.post("/api/login", loginBody({ applicationId: undefined }))).textAt("token");
      expect(expectOk(await ask(world, token)).body).toEqual({
        email: "ann@example.com",
        email_verified: false,
        preferred_username: "Ann",
        scope: "openid",
        sub: ids.user,
        tid: world.defaultTenantId,
      });
    });

    requirement("userinfo.credential", "wants a token in a header, and says so as RFC 6750 does", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { token } = await logIn(world);
      const nothing = ['Bearer realm="oauth2"', "no-cache"];
      expect(challengeOf(await anybody(world).get(path))).toEqual(nothing);
      expect(challengeOf(await anybody(world, { Cookie: `access_token=${token}` }).get(path))).toEqual(nothing);
      expect(challengeOf(await anybody(world, { Cookie: `access_token=${token}` }).post(path))).toEqual(nothing);
      for (const wrong of [bootstrapKey, "Bearer x", `Bearer ${token}x`, `Basic ${btoa(`apikey:${bootstrapKey}`)}`])
        expect(challengeOf(await anybody(world, { Authorization: wrong }).get(path))).toEqual(invalid);
      const unbound = await anybody(world, { Authorization: `DPoP ${token}` }).get(path);
      expect(challengeOf(unbound)).toEqual(['DPoP realm="oauth2", error="invalid_token"', "no-cache"]);
      expectOk(await anybody(world, { Authorization: `JWT ${token}` }).get(path));
      await expect(world.identity.oauth2.userInfo()).rejects.toMatchObject({ status: 401 });
    });

    requirement("userinfo.credential", "takes a token that is bound to a key with a proof alone", async () => {
      const world = await start();
      await arrangeLogin(world);
      const key = await makeClientKey();
      const { instant: now } = world.clock;
      const login = { method: "POST", url: `${origin}/api/login`, now };
      const headers = { Authorization: bootstrapKey, DPoP: await makeProof(key, login) };
      const token = expectOk(await anybody(world, headers).post("/api/login", loginBody())).textAt("token");
      expect(challengeOf(await ask(world, token))).toEqual(invalid);
      const proof = await makeProof(key, { url: origin + path, token, now });
      expect(expectOk(await anybody(world, presented(token, proof)).get(path)).at("sub")).toBe(ids.user);
    });

    requirement("userinfo.credential", "knows no clients", async () => {
      const { world, client } = await startOffice(start);
      const token = expectOk(await askToken(world, client)).textAt("access_token");
      expect(challengeOf(await ask(world, token))).toEqual(invalid);
    });

    requirement("userinfo.credential", "knows no users who may not log in any more", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { token } = await logIn(world);
      expectOk(await ask(world, token));
      expect(
        challengeOf(
          await anybody(world, { Authorization: `Bearer ${token}` })
            .inTenant(uuid(9))
            .get(path),
        ),
      ).toEqual(invalid);
      const setExpiry = (expiry: number) => world.caller.patch(`/api/user/${ids.user}`, { user: { expiry } });
      expectOk(await setExpiry(world.clock.instant));
      expect(challengeOf(await ask(world, token))).toEqual(invalid);
      // A later end brings nothing back.
      expectOk(await setExpiry(world.clock.instant + 60_000));
      expect(challengeOf(await ask(world, token))).toEqual(invalid);
      world.clock.advance(1);
      const again = (await logIn(world)).token;
      expectOk(await ask(world, again));
      expectEmpty(await world.caller.delete(`/api/user/${ids.user}`), 200);
      expect(challengeOf(await ask(world, again))).toEqual(invalid);
      expectEmpty(await world.caller.delete(`/api/user/${ids.user}?hardDelete=true`), 200);
      expect(challengeOf(await ask(world, again))).toEqual(invalid);
    });
  });

  describe("userinfo in process", () => {
    requirement("userinfo.claims", "answers a user's principal, where the people are the service's own", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { token } = await logIn(world);
      const principal = await world.identity.verifyToken(token);
      if (principal === undefined) throw new Error("The token is not valid.");
      expect(await world.identity.as(principal).oauth2.userInfo()).toMatchObject({ sub: ids.user, roles: ["buyer"] });
      const findNone = async () => [];
      const directory = { findUsers: findNone, findApplications: findNone, findRoles: findNone, findRegistrations: findNone };
      const ofHost = await startWorld(world.storage, { directory, clock: world.clock.now });
      expectEmpty(await ask(ofHost, token), 405);
    });
  });

  describe("the lambda of an application's userinfo", () => {
    requirement("lambda-place.userinfo", "changes the answer, all but sub", async () => {
      const world = await startPopulating(
        start,
        "userInfo.nick = user.firstName + registration.roles[0]; userInfo.how = jwt.authenticationType; delete userInfo.email; userInfo.sub = 'eve';",
      );
      const answer = expectOk(await ask(world, (await logIn(world)).token));
      expect(answer.body).toMatchObject({ nick: "Annbuyer", how: "PASSWORD", sub: ids.user, name: "Ann Lee" });
      expect(answer.body).not.toHaveProperty("email");
      expect(answer.headers["cache-control"]).toBe("no-store");
    });

    requirement("lambda-place.userinfo", "is that of the token's application, and none for a token for none", async () => {
      const world = await startPopulating(start, "userInfo.nick = 'A';");
      const body = loginBody({ applicationId: undefined });
      const token = expectOk(await world.caller.post("/api/login", body)).textAt("token");
      expect(expectOk(await ask(world, token)).body).not.toHaveProperty("nick");
    });

    requirement(["lambda-place.userinfo", "lambda-place.context"], "sees user, registration, claims and context", async () => {
      const world = await startPopulating(start, "userInfo.seen = { user, registration, jwt, context };");
      const { token } = await logIn(world);
      const answer = expectOk(await ask(world, token));
      expect(answer.at("seen")).toEqual({
        user: (await world.caller.get(`/api/user/${ids.user}`)).at("user"),
        registration: expect.objectContaining({ applicationId: ids.application }),
        jwt: claimsOf(token),
        context: {
          application: { data: {}, id: ids.application, name: "Shop" },
          eventInfo: { ipAddress: "127.0.0.1" },
          tenant: { data: {}, id: world.defaultTenantId, issuer: "latchkey", name: "Default" },
        },
      });
    });

    for (const { name, statements, options, spoil } of failings)
      requirement("lambda-place.userinfo-failure", `that ${name} leaves the answer as it was`, async () => {
        const world = await start(options);
        await arrangeLogin(world);
        const lambdaId = await giveApplication(world, lambdaName, "UserInfoPopulate", `userInfo.nick = "A"; ${statements}`);
        await spoil?.(world, lambdaId);
        const answer = expectOk(await ask(world, (await logIn(world)).token));
        expect(answer.body).toMatchObject({ sub: ids.user, email: "ann@example.com" });
        expect(answer.body).not.toHaveProperty("nick");
      });
  });
});
