import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { anybody } from "../support/logins.js";
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

  requirement("two-factor.tenant-header", "the tenant header may come with every call, and need not", async () => {
    const world = await startTwoFactor(start);
    await makeTenant(world, "Other");
    const credentials = { loginId: "ada@example.com", password: "correct horse" };
    const headerSets: readonly Readonly<Record<string, string>>[] = [{}, { "X-Service-TenantId": world.defaultTenantId }];
    for (const [index, headers] of headerSets.entries()) {
      const [key, user] = [world.caller.with(headers), (await world.asUser()).with(headers)];
      const text = `secret number ${index} of two`;
      const body = { code: world.codeOf(text), delivery: "None", secret: text };
      expectOk(await key.get("/api/two-factor/secret"));
      expectOk(await user.get("/api/two-factor/secret"));
      expectEmpty(await key.post(world.path, body), 200);
      expectEmpty(await key.delete(`${world.path}?code=${world.codeOf(text, 1)}`), 200);
      expectEmpty(await user.post("/api/user/two-factor", body), 200);
      expectEmpty(await key.post("/api/two-factor/send", { userId: world.userId }), 200);
      expectEmpty(await key.post("/api/two-factor/send", { mobilePhone: "555-0100", secret: text }), 200);
      expectEmpty(await user.post("/api/two-factor/send"), 200);
      const begun = await world.caller.inTenant(world.defaultTenantId).post("/api/login", credentials);
      expectEmpty(await anybody(world, headers).post(`/api/two-factor/send/${begun.textAt("twoFactorId")}`), 200);
      expectEmpty(await user.delete(`/api/user/two-factor?code=${world.codeOf(text, 1)}`), 200);
    }
    expect(world.messages).toHaveLength(8);
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
