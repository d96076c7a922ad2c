// What the published clients of the reference say in account flows, in the forms in which they say it.
import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { anybody, arrangeLogin, ids, logIn } from "../support/logins.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant } from "../support/world.js";

const loginId = "ann@example.com";

forEachStorage((start) => {
  describe("a user", () => {
    requirement("wire.client-forms", "is found by the id of a link that waits, with a key alone", async () => {
      const world = await start();
      const { caller } = world;
      await arrangeLogin(world, { user: { verified: false } });
      const sent = await caller.put(`/api/user/verify-email?email=${loginId}&sendVerifyEmail=false`);
      const forgot = await caller.post("/api/user/forgot-password", { loginId, sendForgotPasswordMessage: false });
      const byLink = {
        verificationId: expectOk(sent).textAt("verificationId"),
        changePasswordId: expectOk(forgot).textAt("changePasswordId"),
      };
      const { token } = await logIn(world);
      const other = caller.inTenant(await makeTenant(world, "Other"));
      for (const [name, id] of Object.entries(byLink)) {
        const path = `/api/user?${name}=${id}`;
        expect(expectOk(await caller.inTenant(world.defaultTenantId).get(path)).at("user.id")).toBe(ids.user);
        expectEmpty(await other.get(path), 404);
        expectEmpty(await anybody(world).get(path), 401);
        expectEmpty(await caller.get(`/api/user?${name}=${id}x`), 404);
        const own = await anybody(world, { authorization: `Bearer ${token}` }).get(path);
        expect(own.at("user.id")).toBe(ids.user);
      }
      expectOk(await caller.get(`/api/user?changePasswordId=${byLink.changePasswordId}`));
      await anybody(world).post("/api/user/change-password", { ...byLink, password: "another password" });
      expectEmpty(await caller.get(`/api/user?changePasswordId=${byLink.changePasswordId}`), 404);
    });
  });

  describe("the check of a password change", () => {
    requirement("wire.client-forms", "takes the token of the user", async () => {
      const world = await start();
      await arrangeLogin(world);
      const { token } = await logIn(world);
      const own = anybody(world, { authorization: `Bearer ${token}` });
      expectEmpty(await own.get("/api/user/change-password"), 200);
      expectRefusal(await anybody(world).get("/api/user/change-password"), 400, "[missing]changePasswordId");
      expectOk(await world.caller.delete(`/api/user/${ids.user}`));
      expectEmpty(await own.get("/api/user/change-password"), 401);
    });
  });

  describe("an administrator", () => {
    requirement("wire.client-forms", "verifies a login id by either path", async () => {
      const world = await start();
      for (const path of ["/api/identity/verify", "/api/identity/verify/verify"]) {
        const email = `${path.length}@example.com`;
        const user = { email, verified: false };
        const userPath = `/api/user/${expectOk(await world.caller.post("/api/user", { user })).textAt("user.id")}`;
        expectEmpty(await world.caller.post(path, { loginId: email, loginIdType: "email" }), 200);
        expect(expectOk(await world.caller.get(userPath)).at("user.verified")).toBe(true);
      }
    });
  });
});
