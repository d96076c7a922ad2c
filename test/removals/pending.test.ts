import { describe, expect, vi } from "vitest";
import { codesOf, expectOk } from "../support/answer.js";
import { Caller } from "../support/caller.js";
import { callerFor, familyCases, makeRecord } from "../support/families.js";
import { arrangeLogin, ids, logIn, loginBody } from "../support/logins.js";
import { markPending } from "../support/removals.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant } from "../support/world.js";

/** Families whose records are in tenants. */
const ofTenants = familyCases.filter(({ isGlobal, name }) => !isGlobal && name !== "tenants");

forEachStorage((start) => {
  describe("a tenant that is being removed", () => {
    for (const family of ofTenants)
      requirement("removal.pending", `lets nobody change its ${family.name}`, async () => {
        const world = await start();
        const tenantId = await makeTenant(world, "Other");
        const made = await makeRecord(world, family, tenantId);
        await markPending(world, tenantId);
        const caller = callerFor(world, family, tenantId);
        const answers = {
          post: await caller.post(made.collection, made.body(2)),
          put: await caller.put(made.path, made.request),
          patch: await caller.patch(made.path, { [family.wrapper]: {} }),
          delete: await caller.delete(made.path + family.deleteQuery),
        };
        for (const [verb, answer] of Object.entries(answers))
          expect([verb, answer.status, codesOf(answer)]).toEqual([verb, 400, [expect.stringContaining("[pendingDelete]")]]);
      });

    requirement("removal.pending", "lets in none who presents a token of it", async () => {
      const world = await start();
      const tenantId = await makeTenant(world, "Other");
      const inTenant = { ...world, caller: world.caller.inTenant(tenantId), defaultTenantId: tenantId };
      await arrangeLogin(inTenant);
      const { token } = await logIn(inTenant);
      const user = new Caller(world.identity, { Authorization: `Bearer ${token}` });
      expectOk(await user.get("/api/jwt/validate"));
      await markPending(world, tenantId);
      // Tokens that are known are looked at again within a second.
      await vi.waitFor(async () => expect(await world.identity.verifyToken(token)).toBeUndefined(), 5_000);
      for (const path of ["/api/jwt/validate", "/api/user", "/oauth2/userinfo", "/api/jwt/refresh"])
        expect([path, (await user.get(path)).status]).toEqual([path, 401]);
    });

    requirement("removal.pending", "logs nobody in, and refreshes no token", async () => {
      const world = await start();
      const tenantId = await makeTenant(world, "Other");
      const inTenant = { ...world, caller: world.caller.inTenant(tenantId), defaultTenantId: tenantId };
      await arrangeLogin(inTenant);
      const { token, refreshToken } = await logIn(inTenant);
      await markPending(world, tenantId);
      const login = await inTenant.caller.post("/api/login", loginBody());
      expect(codesOf(login)).toEqual(["[pendingDelete]tenantId"]);
      const refresh = await world.caller.post("/api/jwt/refresh", { refreshToken, token });
      expect([refresh.status, codesOf(refresh)]).toEqual([400, ["[invalid]refreshToken"]]);
      expect((await inTenant.caller.delete(`/api/user/${ids.user}?hardDelete=true`)).status).toBe(400);
    });
  });
});
