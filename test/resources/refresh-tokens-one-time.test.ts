import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { refreshTokensTable } from "../../src/records/refresh-tokens/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { anybody, arrangeLogin, ids, logIn } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, readEvents, type World } from "../support/world.js";

const path = "/api/jwt/refresh";
const seconds = 1_000;

/** A user with a refresh token for one use. */
async function arrange(world: World, settings: object = {}): Promise<string> {
  const jwtConfiguration = { enabled: true, refreshTokenUsagePolicy: "OneTimeUse", ...settings };
  await arrangeLogin(world, { application: { jwtConfiguration } });
  return (await logIn(world)).refreshToken;
}

async function refresh(world: World, refreshToken: string): Promise<Readonly<Record<"refreshToken" | "token" | "id", string>>> {
  const answer = expectOk(await anybody(world).post(path, { refreshToken }));
  return { refreshToken: answer.textAt("refreshToken"), token: answer.textAt("token"), id: answer.textAt("refreshTokenId") };
}

async function expectRefused(world: World, refreshToken: string): Promise<void> {
  expectRefusal(await anybody(world).post(path, { refreshToken }), 400, "[invalid]refreshToken");
}

forEachStorage((start) => {
  describe("a refresh token for one use", () => {
    requirement("refresh.one-time", "is replaced with each use, in the same session and to the same end", async () => {
      const world = await start();
      const first = await arrange(world);
      const answer = expectOk(await anybody(world, { Cookie: `refresh_token=${first}` }).post(path));
      const second = { refreshToken: answer.textAt("refreshToken"), id: answer.textAt("refreshTokenId") };
      expect(second.refreshToken).not.toBe(first);
      expect(answer.cookies[1]).toMatch(new RegExp(`^refresh_token=${second.refreshToken}; Path=/; Max-Age=2592000;`));
      const third = await refresh(world, second.refreshToken);
      expect([third.refreshToken === second.refreshToken, third.id]).toEqual([false, second.id]);
      expect((await world.identity.jwt.list({ userId: ids.user })).refreshTokens).toHaveLength(1);
      world.clock.advance(43_200 * 60 * seconds - 1);
      const last = await refresh(world, third.refreshToken);
      world.clock.advance(1);
      await expectRefused(world, last.refreshToken);
    });

    requirement("refresh.grace", "ends the session also by a value that was replaced", async () => {
      for (const end of [
        (world: World, refreshToken: string) => anybody(world).post("/api/logout", { refreshToken }),
        (world: World, refreshToken: string) => anybody(world).post("/api/logout", { refreshToken, global: true }),
        (world: World, refreshToken: string) => anybody(world, { Cookie: `refresh_token=${refreshToken}` }).post("/api/logout"),
        (world: World, refreshToken: string) => world.caller.delete(`${path}?token=${refreshToken}`),
      ]) {
        const world = await start();
        const first = await arrange(world);
        const second = await refresh(world, first);
        expectEmpty(await end(world, first), 200);
        expect((await world.identity.jwt.list({ userId: ids.user })).refreshTokens).toEqual([]);
        for (const value of [first, second.refreshToken]) await expectRefused(world, value);
      }
    });

    requirement("refresh.one-time", "reaches the cookie of a session that an earlier release began", async () => {
      const world = await start();
      const first = await arrange(world);
      await world.storage.transaction(async (tx) => {
        const [stored] = await tx.find(globalScope, refreshTokensTable, undefined);
        if (stored === undefined) throw new Error("There is no session.");
        const { until: _unknown, ...hidden } = JSON.parse(stored.hidden ?? "{}");
        const { id, version } = stored;
        await tx.replaceHidden(globalScope, refreshTokensTable, [{ id, version, hidden: JSON.stringify(hidden) }]);
      });
      const answer = expectOk(await anybody(world, { Cookie: `refresh_token=${first}` }).post(path));
      const second = answer.textAt("refreshToken");
      expect(answer.cookies[1]).toMatch(new RegExp(`^refresh_token=${second}; Path=/; Max-Age=2592000;`));
      world.clock.advance(61 * seconds);
      expect((await refresh(world, second)).refreshToken).not.toBe(second);
    });

    requirement("refresh.grace", "gets the same answer again for a minute, and two calls at once get one answer", async () => {
      const world = await start();
      const first = await arrange(world);
      const [one, ...others] = await Promise.all([1, 2, 3].map(() => refresh(world, first)));
      for (const other of others) expect(other).toEqual(one);
      world.clock.advance(59 * seconds);
      expect(await refresh(world, first)).toEqual(one);
      expect(await readEvents(world.storage, "jwt.refresh")).toHaveLength(1);
    });

    requirement("refresh.grace", "gets nothing again while the user's account is over, and is not listed then", async () => {
      const world = await start();
      const first = await arrange(world);
      const { id } = await refresh(world, first);
      const expire = async (expiry: number | null): Promise<void> =>
        void expectOk(await world.caller.patch(`/api/user/${ids.user}`, { user: { expiry } }));
      for (const expiry of [world.clock.instant, null]) {
        await expire(expiry);
        await expectRefused(world, first);
        expect((await world.identity.jwt.list({ userId: ids.user })).refreshTokens).toEqual([]);
        expectEmpty(await world.caller.get(`${path}/${id}`), 404);
      }
      expectEmpty(await world.caller.delete(`${path}/${id}`), 200);
    });

    requirement("refresh.reuse", "ends its session when it comes again later, with an event", async () => {
      const world = await start();
      const first = await arrange(world);
      const second = await refresh(world, first);
      world.clock.advance(60 * seconds);
      await expectRefused(world, first);
      await expectRefused(world, second.refreshToken);
      expect(await readEvents(world.storage, "jwt.refresh-token.revoke")).toMatchObject([{ userId: ids.user }]);
      expectEmpty(await anybody(world, { Authorization: `Bearer ${second.token}` }).get("/api/jwt/validate"), 401);
    });

    requirement("refresh.grace", "gets nothing again after a logout, and without a grace", async () => {
      const world = await start();
      const first = await arrange(world, { refreshGraceSeconds: 0 });
      const second = await refresh(world, first);
      await expectRefused(world, first);
      await expectRefused(world, second.refreshToken);
      const jwtConfiguration = { refreshGraceSeconds: 300 };
      expectOk(await world.caller.patch(`/api/application/${ids.application}`, { application: { jwtConfiguration } }));
      const third = (await logIn(world)).refreshToken;
      const fourth = await refresh(world, third);
      expectOk(await anybody(world).post("/api/logout", { refreshToken: fourth.refreshToken }));
      await expectRefused(world, third);
    });

    requirement("refresh.one-time", "is 400 for a policy and a grace that do not exist", async () => {
      const world = await start();
      const jwtConfiguration = { refreshTokenUsagePolicy: "Twice", refreshGraceSeconds: 301 };
      const answer = await world.caller.post("/api/application", { application: { name: "Shop", jwtConfiguration } });
      const base = "application.jwtConfiguration";
      expectRefusal(answer, 400, `[invalidOption]${base}.refreshTokenUsagePolicy`, `[invalid]${base}.refreshGraceSeconds`);
    });
  });
});
