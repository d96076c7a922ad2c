import { expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { anybody, arrangeLogin, ids, logIn } from "../support/logins.js";
import { webAuthnConfiguration } from "../support/passkeys.js";
import { requirement } from "../support/requirement.js";
import { codeAt, secret } from "../support/two-factor.js";
import { forEachStorage } from "../support/world.js";

const minuteMs = 60_000;

forEachStorage((start) => {
  requirement("login.recent", "a user adds a second factor or a passkey only soon after a login", async () => {
    const world = await start();
    expectOk(await world.caller.patch(`/api/tenant/${world.defaultTenantId}`, { tenant: { webAuthnConfiguration } }));
    await arrangeLogin(world);
    const { token, refreshToken } = await logIn(world);
    const add = (caller: typeof world.caller) =>
      caller.post("/api/user/two-factor", {
        method: "authenticator",
        secret,
        code: codeAt(secret, world.clock.instant),
        userId: ids.user,
      });
    const passkey = (caller: typeof world.caller) =>
      caller.post("/api/webauthn/register/start", { userId: ids.user, displayName: "Phone" });
    const user = anybody(world, { Authorization: `Bearer ${token}` });
    world.clock.advance(15 * minuteMs);
    expectOk(await passkey(user));
    world.clock.advance(1_000);
    // A refresh is no login.
    const fresh = expectOk(await anybody(world).post("/api/jwt/refresh", { refreshToken })).textAt("token");
    for (const caller of [user, anybody(world, { Authorization: `Bearer ${fresh}` })]) {
      expectRefusal(await passkey(caller), 400, "[recentLoginRequired]");
      expectRefusal(await add(caller), 400, "[recentLoginRequired]");
    }
    expectOk(await passkey(world.caller));
    const again = anybody(world, { Authorization: `Bearer ${(await logIn(world)).token}` });
    expect((await add(again)).status).toBe(200);
    expectEmpty(await anybody(world).post("/api/user/two-factor", {}), 401);
  });
});
