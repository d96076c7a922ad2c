import { globalScope } from "latchkey/ports";
import { describe, expect, onTestFinished, vi } from "vitest";
import { refreshTokensTable } from "../../src/records/refresh-tokens/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { eventually } from "../support/eventually.js";
import { anybody, arrangeLogin, claimsOf, ids, logIn, password } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, readEvents, uuid, type World } from "../support/world.js";

const path = "/api/jwt/refresh";
const hourMs = 3_600_000;
const otherUser = uuid(701);

/** The ids of the refresh tokens of a user. */
async function idsOf(world: World, userId: string = ids.user): Promise<unknown[]> {
  return expectOk(await world.caller.get(`${path}?userId=${userId}`)).each("refreshTokens", "id");
}

/** Another user of the same application, logged in. */
async function logInOther(world: World): Promise<{ readonly token: string; readonly refreshTokenId: string }> {
  const user = { email: "bob@example.com", password };
  const registration = { applicationId: ids.application };
  expectOk(await world.caller.post(`/api/user/registration/${otherUser}`, { user, registration }));
  return logIn(world, { loginId: "bob@example.com" });
}

forEachStorage((start) => {
  describe("refresh tokens", () => {
    requirement("refresh.list", "are listed by user, oldest first, with what the login said of the device", async () => {
      const world = await start();
      await arrangeLogin(world);
      const metaData = { device: { name: "Telephone", type: "MOBILE" } };
      const first = await logIn(world, { metaData });
      world.clock.advance(1_000);
      const second = await logIn(world);
      const answer = expectOk(await world.caller.get(`${path}?userId=${ids.user}`));
      expect(answer.each("refreshTokens", "id")).toEqual([first.refreshTokenId, second.refreshTokenId]);
      expect(answer.each("refreshTokens", "metaData")).toEqual([metaData, undefined]);
      for (const { refreshToken } of [first, second]) expect(answer.text).not.toContain(refreshToken);
      expectRefusal(await world.caller.get(path), 400, "[missing]userId");
      expectRefusal(await world.caller.get(`${path}/x`), 400, "[couldNotConvert]tokenId");
      expectEmpty(await world.caller.get(`${path}/${uuid(9)}`), 404);
    });

    requirement("refresh.list", "are not seen from another tenant", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { refreshToken, refreshTokenId } = await logIn(world);
      const stranger = await callerOfTenant(world, await makeTenant(world, "Other"));
      expect((await stranger.get(`${path}?userId=${ids.user}`)).body).toEqual({ refreshTokens: [] });
      expectEmpty(await stranger.get(`${path}/${refreshTokenId}`), 404);
      expectEmpty(await stranger.delete(`${path}/${refreshTokenId}`), 404);
      for (const query of [`userId=${ids.user}`, `applicationId=${ids.application}`, `token=${refreshToken}`])
        expectEmpty(await stranger.delete(`${path}?${query}`), 200);
      expect(await idsOf(world)).toEqual([refreshTokenId]);
    });

    requirement("refresh.revoke-others", "of a user are revoked but for one, by a key and by the user", async () => {
      const world = await start();
      await arrangeLogin(world);
      const kept = await logIn(world);
      for (const headers of [undefined, { Authorization: `Bearer ${kept.token}` }]) {
        await logIn(world);
        await logIn(world);
        const caller = headers === undefined ? world.caller : anybody(world, headers);
        const { sid } = claimsOf(kept.token);
        expect(sid).toBe(kept.refreshTokenId);
        expectEmpty(await caller.delete(`${path}?userId=${ids.user}&exceptTokenId=${kept.refreshTokenId}`), 200);
        expect(await idsOf(world)).toEqual([kept.refreshTokenId]);
      }
      expectRefusal(await world.caller.delete(`${path}?exceptTokenId=${kept.refreshTokenId}`), 400, "[missing]tokenId");
    });

    requirement("refresh.revoke", "are revoked by id, value, user, application or both", async () => {
      const world = await start();
      await arrangeLogin(world);
      const bob = await logInOther(world);
      for (const query of ["", "id", "token", "userId", "both"]) {
        const { refreshToken, refreshTokenId } = await logIn(world);
        const queries: Readonly<Record<string, string>> = {
          "": `?applicationId=${ids.application}&userId=${ids.user}`,
          id: `/${refreshTokenId}`,
          token: `?token=${refreshToken}`,
          userId: `?userId=${ids.user}`,
          both: `?userId=${ids.user}&applicationId=${ids.application}`,
        };
        expectEmpty(await world.caller.delete(path + queries[query]), 200);
        expectRefusal(await anybody(world).post(path, { refreshToken }), 400, "[invalid]refreshToken");
        expect([await idsOf(world), await idsOf(world, otherUser)]).toEqual([[], [bob.refreshTokenId]]);
      }
      await logIn(world);
      expectEmpty(await world.caller.delete(`${path}?userId=${ids.user}&applicationId=${uuid(9)}`), 200);
      expect(await idsOf(world)).toHaveLength(1);
      expectEmpty(await world.caller.delete(`${path}?applicationId=${ids.application}`), 200);
      expect([await idsOf(world), await idsOf(world, otherUser)]).toEqual([[], []]);
    });

    requirement("refresh.revoke", "that are named by nothing, or by an unknown id, are refused differently", async () => {
      const world = await start();
      await arrangeLogin(world);
      expectRefusal(await world.caller.delete(path), 400, "[missing]tokenId");
      expectRefusal(await world.caller.delete(`${path}?userId=x`), 400, "[couldNotConvert]userId");
      expectEmpty(await world.caller.delete(`${path}/${uuid(9)}`), 404);
      for (const query of ["token=x", `userId=${uuid(9)}`, `applicationId=${uuid(9)}`])
        expectEmpty(await world.caller.delete(`${path}?${query}`), 200);
      expectEmpty(await anybody(world).delete(`${path}?userId=${ids.user}`), 401);
    });

    requirement("refresh.revoke-event", "are revoked with an event that says how long tokens may still be around", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { refreshToken, refreshTokenId } = await logIn(world);
      const token = (await world.caller.get(`${path}/${refreshTokenId}`)).at("refreshToken");
      const user = (await world.caller.get(`/api/user/${ids.user}`)).at("user");
      expectEmpty(await world.caller.delete(`${path}/${refreshTokenId}`), 200);
      await logIn(world);
      expectEmpty(await world.caller.delete(`${path}?applicationId=${ids.application}`), 200);
      const events = await readEvents(world.storage, "jwt.refresh-token.revoke");
      const applicationId = ids.application;
      const lifetimes = { applicationTimeToLiveInSeconds: { [applicationId]: 3_600 } };
      expect(events).toHaveLength(2);
      const ofOne = { applicationId, refreshToken: token, user, userId: ids.user, linkedObjectId: refreshTokenId };
      expect(events).toContainEqual(expect.objectContaining({ ...lifetimes, ...ofOne }));
      const ofAll = events.find((event) => event.linkedObjectId === applicationId);
      expect(ofAll).toMatchObject({ ...lifetimes, applicationId });
      for (const member of ["user", "userId", "refreshToken"]) expect(ofAll).not.toHaveProperty(member);
      expect(JSON.stringify(events)).not.toContain(refreshToken);
    });

    requirement("refresh.revoked-along", "go with the user's activity, password and record", async () => {
      const world = await start();
      await arrangeLogin(world);
      const own = `/api/user/${ids.user}`;
      const ends: (() => Promise<unknown>)[] = [
        async () => expectOk(await world.caller.patch(own, { user: { password } })),
        async () => expectEmpty(await world.caller.delete(own), 200),
        async () => expectOk(await world.caller.put(`${own}?reactivate=true`)),
        async () => expectEmpty(await world.caller.delete(`${own}?hardDelete=true`), 200),
      ];
      const counts: number[] = [];
      for (const end of ends) {
        if (counts.length !== 2) await logIn(world);
        await end();
        expect(await idsOf(world)).toEqual([]);
        counts.push((await readEvents(world.storage, "jwt.refresh-token.revoke")).length);
      }
      // Reactivating revokes nothing: whoever comes back logs in again.
      expect(counts).toEqual([1, 2, 2, 3]);
    });

    requirement("refresh.own", "of their own are what users see and revoke", async () => {
      const world = await start();
      await arrangeLogin(world);
      const [ann, bob] = [await logIn(world), await logInOther(world)];
      const user = anybody(world, { Authorization: `Bearer ${ann.token}` });
      for (const query of ["", `?userId=${ids.user}`])
        expect(expectOk(await user.get(path + query)).each("refreshTokens", "id")).toEqual([ann.refreshTokenId]);
      expectOk(await user.get(`${path}/${ann.refreshTokenId}`));
      expectEmpty(await user.get(`${path}?userId=${otherUser}`), 404);
      expectEmpty(await user.get(`${path}/${bob.refreshTokenId}`), 404);
      expectEmpty(await user.delete(`${path}?userId=${otherUser}`), 404);
      expectEmpty(await user.delete(`${path}/${bob.refreshTokenId}`), 404);
      expectEmpty(await user.delete(`${path}?token=${(await logIn(world, { loginId: "bob@example.com" })).refreshToken}`), 200);
      expectEmpty(await user.delete(`${path}?applicationId=${ids.application}`), 200);
      expect([await idsOf(world), (await idsOf(world, otherUser)).length]).toEqual([[], 2]);
    });

    requirement("refresh.pruned", "that are too old are neither shown nor kept", async () => {
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
      onTestFinished(() => void vi.useRealTimers());
      const world = await start();
      await arrangeLogin(world);
      const { refreshTokenId } = await logIn(world);
      const count = async (): Promise<number> => (await world.storage.find(globalScope, refreshTokensTable, undefined)).length;
      await vi.advanceTimersByTimeAsync(hourMs);
      expect(await idsOf(world)).toEqual([refreshTokenId]);
      world.clock.advance(43_200 * 60_000 + 1);
      expect(await idsOf(world)).toEqual([]);
      expectEmpty(await world.caller.get(`${path}/${refreshTokenId}`), 404);
      expect(await count()).toBe(1);
      await vi.advanceTimersByTimeAsync(hourMs);
      await eventually(async () => expect(await count()).toBe(0));
    });
  });

  describe("a logout", () => {
    requirement("logout.ok", "revokes the token in the body or the cookie, and clears the cookies", async () => {
      const world = await start();
      await arrangeLogin(world);
      const [one, two, three] = [await logIn(world), await logIn(world), await logIn(world)];
      const cleared = ["access_token", "refresh_token"].map(
        (name) => `${name}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax`,
      );
      const answer = await anybody(world).post("/api/logout", { refreshToken: one.refreshToken });
      expectEmpty(answer, 200);
      expect(answer.cookies).toEqual(cleared);
      const byCookie = await anybody(world, { Cookie: `refresh_token=${two.refreshToken}` }).post("/api/logout");
      expectEmpty(byCookie, 200);
      expect(await idsOf(world)).toEqual([three.refreshTokenId]);
      expect(await readEvents(world.storage, "jwt.refresh-token.revoke")).toHaveLength(2);
      for (const body of [undefined, {}, { refreshToken: "unknown" }]) {
        const without = await anybody(world).post("/api/logout", body);
        expectEmpty(without, 200);
        expect(without.cookies).toEqual(cleared);
      }
      expect(await idsOf(world)).toHaveLength(1);
    });

    requirement("logout.ok", "that is global ends all sessions of the user and nobody else's", async () => {
      const world = await start();
      await arrangeLogin(world);
      const [one, bob] = [await logIn(world), await logInOther(world)];
      await logIn(world);
      expectEmpty(await anybody(world).post("/api/logout", { global: true, refreshToken: one.refreshToken }), 200);
      expect([await idsOf(world), await idsOf(world, otherUser)]).toEqual([[], [bob.refreshTokenId]]);
    });

    requirement(["logout.ok", "cookie.cross-site"], "is not for another site to cause", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { refreshToken } = await logIn(world);
      const browser = anybody(world, {
        Cookie: `refresh_token=${refreshToken}`,
        Origin: "https://evil.example",
        Host: "id.example",
      });
      expectEmpty(await browser.post("/api/logout"), 401);
      expect(await idsOf(world)).toHaveLength(1);
    });
  });
});
