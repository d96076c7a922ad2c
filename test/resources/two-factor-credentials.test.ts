import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { secret, startTwoFactor } from "../support/two-factor.js";
import { forEachStorage, makeTenant } from "../support/world.js";

forEachStorage((start) => {
  describe("credentials", () => {
    requirement("two-factor.credentials", "a path with an id is for keys alone", async () => {
      const world = await startTwoFactor(start);
      const user = await world.asUser();
      expectEmpty(await user.post(world.path, {}), 401);
      expectEmpty(await user.delete(`${world.path}?code=123456`), 401);
    });

    requirement("two-factor.credentials", "none, or those of another endpoint, are 401", async () => {
      const world = await startTwoFactor(start);
      const grants = { endpoints: { "/api/two-factor/secret": ["GET" as const] } };
      await world.identity.apiKeys.create({ apiKey: { key: "reads-secrets", permissions: grants } });
      const nobody = world.as("nobody");
      const reader = world.as("reads-secrets");
      expectOk(await reader.get("/api/two-factor/secret"));
      for (const caller of [nobody, reader]) {
        expectEmpty(await caller.post(world.path, {}), 401);
        expectEmpty(await caller.post("/api/user/two-factor", {}), 401);
        expectEmpty(await caller.delete(`${world.path}?code=123456`), 401);
        expectEmpty(await caller.post("/api/two-factor/send", {}), 401);
      }
    });

    requirement("two-factor.credentials", "another tenant's user is not found", async () => {
      const world = await startTwoFactor(start);
      const other = world.caller.inTenant(await makeTenant(world, "Other"));
      const body = { code: world.codeOf(secret), delivery: "None", secret };
      expectEmpty(await other.post(world.path, body), 404);
      expectEmpty(await other.delete(`${world.path}?code=123456`), 404);
      expectRefusal(await other.post("/api/two-factor/send", { userId: world.userId }), 400, "[invalid]userId");
      expectEmpty(await world.caller.inTenant(world.defaultTenantId).post(world.path, body), 200);
    });
  });

  requirement("two-factor.dry-run", "a dry run checks, and keeps nothing", async () => {
    const world = await startTwoFactor(start);
    const body = { code: world.codeOf(secret), delivery: "None", secret };
    expectEmpty(await world.caller.post(`${world.path}?dryRun=true`, body), 200);
    expectEmpty(await world.caller.post(`${world.path}?dryRun=true`, { ...body, code: "000000" }), 421);
    expect((await world.caller.get(`/api/user/${world.userId}`)).at("user.twoFactorEnabled")).toBe(false);
    expectEmpty(await world.caller.post(world.path, body), 200);
  });
});
