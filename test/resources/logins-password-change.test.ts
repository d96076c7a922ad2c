import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { anybody, arrangeLogin, ids, logIn, loginBody, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, type World } from "../support/world.js";

const newPassword = "another password of hers";
const mustChange = { user: { passwordChangeRequired: true } };

/** Logs a user in who must change the password, and answers the id that allows it. */
async function askForChange(world: World): Promise<string> {
  const answer = await world.caller.post("/api/login", loginBody());
  expect(answer.status).toBe(203);
  return answer.textAt("changePasswordId");
}

forEachStorage((start) => {
  describe("a password that must be changed", () => {
    requirement("login.password-change", "is no login: neither tokens nor events, only the right to change it", async () => {
      const world = await start();
      await arrangeLogin(world, mustChange);
      const answer = await world.caller.post("/api/login", loginBody());
      expect([answer.status, answer.body, answer.cookies]).toEqual([
        203,
        { changePasswordId: expect.stringMatching(/^[\w-]{43}$/), changePasswordReason: "Administrative" },
        [],
      ]);
      expect(await readEvents(world.storage, "user.login.success")).toEqual([]);
      expectEmpty(await world.caller.post("/api/login", loginBody({ password: "wrong password" })), 404);
    });

    requirement("login.password-change", "is changed once with the id", async () => {
      const world = await start();
      await arrangeLogin(world, mustChange);
      const [first, id] = [await askForChange(world), await askForChange(world)];
      const path = `/api/user/change-password/${id}`;
      expectOk(await anybody(world).post(path, { password: newPassword }));
      for (const used of [id, first])
        expectEmpty(await anybody(world).post(`/api/user/change-password/${used}`, { password: "third password" }), 404);
      expectEmpty(await world.caller.post("/api/login", loginBody()), 404);
      const answer = expectOk(await world.caller.post("/api/login", loginBody({ password: newPassword })));
      expect(answer.at("user.passwordChangeRequired")).toBe(false);
      const events = JSON.stringify(await readEvents(world.storage));
      expect(await readEvents(world.storage, "user.password.update")).toHaveLength(1);
      for (const secret of [id, newPassword, password]) expect(events).not.toContain(secret);
    });

    requirement("login.password-change", "is refused by a wrong id, too late, or for a bad password", async () => {
      const world = await start();
      await arrangeLogin(world, mustChange);
      const id = await askForChange(world);
      const path = `/api/user/change-password/${id}`;
      expectEmpty(await anybody(world).post(`${path}x`, { password: newPassword }), 404);
      expectRefusal(await anybody(world).post(path, { password: "short" }), 400, "[tooShort]password");
      expectRefusal(await anybody(world).post(path, {}), 400, "[blank]password");
      world.clock.advance(600_000);
      expectEmpty(await anybody(world).post(path, { password: newPassword }), 404);
    });

    requirement("login.password-change", "stays for a user who was locked out", async () => {
      const world = await start();
      await arrangeLogin(world, mustChange);
      const id = await askForChange(world);
      expectEmpty(await world.caller.delete(`/api/user/${ids.user}`), 200);
      expectEmpty(await anybody(world).post(`/api/user/change-password/${id}`, { password: newPassword }), 404);
    });

    requirement("refresh.locked-out", "ends the refresh of tokens at once", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { refreshToken } = await logIn(world);
      expectOk(await world.caller.patch(`/api/user/${ids.user}`, mustChange));
      expectRefusal(await anybody(world).post("/api/jwt/refresh", { refreshToken }), 400, "[invalid]refreshToken");
    });

    requirement("account.continue-session", "continues the session of the refresh token that was presented", async () => {
      const world = await start();
      await arrangeLogin(world);
      const metaData = { device: { name: "Ann's phone" } };
      const eve = "eve@example.com";
      expectOk(await world.caller.post("/api/user", { user: { email: eve, password } }));
      const foreign = (await world.caller.post("/api/login", loginBody({ loginId: eve }))).textAt("refreshToken");
      let current = password;
      for (const [presented, isContinued] of [
        ["own", true],
        ["none", false],
        [foreign, false],
      ] as const) {
        const { refreshToken, token } = await logIn(world, { metaData, password: current });
        const given = presented === "own" ? { refreshToken } : presented === "none" ? {} : { refreshToken: foreign };
        const body = { currentPassword: current, password: `${newPassword} ${presented}`, ...given };
        const caller = anybody(world, { Authorization: `Bearer ${token}` });
        const { oneTimePassword } = expectOk(await caller.post("/api/user/change-password", body)).body as {
          readonly oneTimePassword: string;
        };
        current = body.password;
        expect((await anybody(world).post("/api/jwt/refresh", { refreshToken })).status).toBe(400);
        const next = expectOk(await world.caller.post("/api/login", { oneTimePassword }));
        expect(next.at("refreshToken") !== undefined).toBe(isContinued);
        const tokens = expectOk(await world.caller.get(`/api/jwt/refresh?userId=${ids.user}`));
        expect(tokens.at("refreshTokens")).toMatchObject(isContinued ? [{ applicationId: ids.application, metaData }] : []);
        await world.caller.delete(`/api/jwt/refresh?userId=${ids.user}`);
      }
    });
  });
});
