import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { refreshTokensTable } from "../../src/records/refresh-tokens/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { anybody, arrangeLogin, claimsOf, ids, logIn } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, readEvents, type World } from "../support/world.js";

const path = "/api/jwt/refresh";
const minuteMs = 60_000;

async function expectRefused(world: World, refreshToken: string): Promise<void> {
  expectRefusal(await anybody(world).post(path, { refreshToken }), 400, "[invalid]refreshToken");
}

forEachStorage((start) => {
  describe("the refresh of a token", () => {
    requirement("refresh.ok", "makes a fresh one of the same session", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { token, refreshToken, refreshTokenId } = await logIn(world);
      world.clock.advance(2 * 60 * minuteMs);
      const answer = expectOk(await anybody(world).post(path, { refreshToken, token }));
      expect(answer.body).toEqual({ refreshToken, refreshTokenId, token: expect.any(String) });
      const [before, after] = [claimsOf(token), claimsOf(answer.textAt("token"))];
      const now = world.clock.instant / 1_000;
      expect(after).toEqual({
        ...before,
        authenticationType: "REFRESH_TOKEN",
        exp: now + 3_600,
        iat: now,
        jti: expect.any(String),
      });
      expect(after.jti).not.toBe(before.jti);
      expect(answer.cookies).toEqual([`access_token=${answer.textAt("token")}; Path=/; HttpOnly; Secure; SameSite=Lax`]);
      expectOk(await anybody(world, { Authorization: `Bearer ${answer.textAt("token")}` }).get("/api/jwt/validate"));
    });

    requirement("refresh.ok", "has the roles that the user has now", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { refreshToken } = await logIn(world);
      expectOk(await world.caller.post(`/api/application/${ids.application}/role`, { role: { name: "seller" } }));
      const registration = { applicationId: ids.application, roles: ["seller"] };
      expectOk(await world.caller.put(`/api/user/registration/${ids.user}`, { registration }));
      const answer = expectOk(await anybody(world).post(path, { refreshToken }));
      expect(claimsOf(answer.textAt("token")).roles).toEqual(["seller"]);
      expectEmpty(await world.caller.delete(`/api/user/registration/${ids.user}/${ids.application}`), 200);
      const later = expectOk(await anybody(world).post(path, { refreshToken }));
      expect(claimsOf(later.textAt("token"))).not.toHaveProperty("roles");
    });

    requirement(["refresh.ok", "cookie.cross-site"], "works by cookie, and not for another site", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { token, refreshToken } = await logIn(world);
      const browser = anybody(world, { Cookie: `access_token=${token}; refresh_token=${refreshToken}`, Host: "id.example.com" });
      const ours = browser.with({ Origin: "https://id.example.com" });
      expect(expectOk(await ours.post(path)).at("refreshToken")).toBe(refreshToken);
      const [event] = await readEvents(world.storage, "jwt.refresh");
      expect(event?.original).toBe(token.slice(0, token.lastIndexOf(".")));
      expectEmpty(await browser.with({ Origin: "https://evil.example" }).post(path), 401);
      expectEmpty(await browser.with({ "Sec-Fetch-Site": "cross-site" }).post(path), 401);
    });

    requirement("refresh.refused", "is 400 for what is no refresh token, or none any more", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { token, refreshToken, refreshTokenId } = await logIn(world);
      for (const wrong of ["x", `${refreshToken}x`, refreshToken.toLowerCase(), refreshTokenId, token, "é"])
        await expectRefused(world, wrong);
      for (const body of [{}, { refreshToken: "" }, { token }]) {
        expectRefusal(await anybody(world).post(path, body), 400, "[blank]refreshToken");
      }
      expectRefusal(await anybody(world).post(path, { refreshToken: 1 }), 400, "[invalidJSON]refreshToken");
      const other = await makeTenant(world, "Other");
      expectRefusal(await anybody(world).inTenant(other).post(path, { refreshToken }), 400, "[invalid]refreshToken");
      world.clock.advance(43_200 * minuteMs - 1);
      expectOk(await anybody(world).post(path, { refreshToken }));
      world.clock.advance(1);
      await expectRefused(world, refreshToken);
    });

    requirement("token.settings", "is possible as long as the application says, when its own configuration is on", async () => {
      const world = await start();
      const own = { timeToLiveInSeconds: 60, refreshTokenTimeToLiveInMinutes: 5 };
      await arrangeLogin(world, { application: { jwtConfiguration: { enabled: true, ...own } } });
      const { token, refreshToken } = await logIn(world);
      expect(Number(claimsOf(token).exp) - Number(claimsOf(token).iat)).toBe(60);
      world.clock.advance(5 * minuteMs - 1);
      expectOk(await anybody(world).post(path, { refreshToken }));
      world.clock.advance(1);
      await expectRefused(world, refreshToken);
      expectOk(
        await world.caller.patch(`/api/application/${ids.application}`, {
          application: { jwtConfiguration: { enabled: false } },
        }),
      );
      const byTenant = await logIn(world);
      expect(Number(claimsOf(byTenant.token).exp) - Number(claimsOf(byTenant.token).iat)).toBe(3_600);
    });

    requirement("refresh.locked-out", "ends with the user's activity and time, and with the application's", async () => {
      const world = await start();
      await arrangeLogin(world, { user: { expiry: world.clock.instant + minuteMs } });
      const { refreshToken } = await logIn(world);
      expectEmpty(await world.caller.delete(`/api/application/${ids.application}`), 200);
      await expectRefused(world, refreshToken);
      expectOk(await world.caller.put(`/api/application/${ids.application}?reactivate=true`));
      expectOk(await anybody(world).post(path, { refreshToken }));
      world.clock.advance(minuteMs);
      await expectRefused(world, refreshToken);
      const user = { email: "ann@example.com", username: "Ann" };
      expectOk(await world.caller.put(`/api/user/${ids.user}`, { user }));
      // What the end of a user ended stays so.
      await expectRefused(world, refreshToken);
      world.clock.advance(1);
      const again = (await logIn(world)).refreshToken;
      expectOk(await anybody(world).post(path, { refreshToken: again }));
      expectEmpty(await world.caller.delete(`/api/user/${ids.user}`), 200);
      await expectRefused(world, again);
    });

    requirement("refresh.allowed", "is the application's to allow", async () => {
      const world = await start();
      await arrangeLogin(world, { application: { loginConfiguration: { generateRefreshTokens: true } } });
      const { refreshToken } = await logIn(world);
      const answer = await anybody(world).post(path, { refreshToken });
      expectRefusal(answer, 400, "[invalid]refreshToken");
      expect(answer.text).toContain("does not allow");
    });

    requirement("refresh.event", "is an event that names both tokens and gives none away", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { token, refreshToken, refreshTokenId } = await logIn(world);
      const answer = expectOk(await anybody(world).post(path, { refreshToken, token }));
      const unsigned = (text: string): string => text.slice(0, text.lastIndexOf("."));
      const events = await readEvents(world.storage, "jwt.refresh");
      expect(events).toEqual([
        {
          applicationId: ids.application,
          createInstant: world.clock.instant,
          id: expect.any(String),
          info: { ipAddress: "127.0.0.1" },
          linkedObjectId: ids.user,
          original: unsigned(token),
          refreshToken: refreshTokenId,
          tenantId: world.defaultTenantId,
          token: unsigned(answer.textAt("token")),
          type: "jwt.refresh",
          userId: ids.user,
        },
      ]);
      expectOk(await anybody(world).post(path, { refreshToken, token: "no token" }));
      const shown = (await readEvents(world.storage, "jwt.refresh")).map((event) => event.original);
      expect(shown).toContain(undefined);
      expect(JSON.stringify(await readEvents(world.storage))).not.toContain(refreshToken);
    });
  });

  requirement("refresh.at-rest", "a refresh token stands in no record, only its digest does", async () => {
    const world = await start();
    await arrangeLogin(world);
    const { refreshToken, refreshTokenId } = await logIn(world);
    const stored = await world.storage.retrieve(globalScope, refreshTokensTable, refreshTokenId);
    expect(JSON.stringify(stored)).not.toContain(refreshToken);
    const again = await world.caller.get(`${path}/${refreshTokenId}`);
    expect(again.at("refreshToken")).toEqual({
      applicationId: ids.application,
      id: refreshTokenId,
      insertInstant: world.clock.instant,
      startInstant: world.clock.instant,
      tenantId: world.defaultTenantId,
      userId: ids.user,
    });
  });
});
