import { createIdentityService, type IdentityServiceOptions } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { bootstrapKey, forEachStorage, makeTenant, startWorld, testSecret, uuid } from "../support/world.js";

describe("the options of a service", () => {
  requirement("service.options", "are refused when they are wrong, naming the option", async () => {
    const wrong: [Partial<IdentityServiceOptions>, RegExp][] = [
      [{ secret: "too short" }, /secret/i],
      [{ secret: [] }, /secret/i],
      [{ secret: [testSecret, "too short"] }, /secret/i],
      [{ version: "1.65" }, /version/],
      [{ version: "latest" }, /version/],
      [{ plan: "free" as never }, /plan/],
      [{ names: { service: "two words" } }, /names\.service/],
      [{ names: { broker: "" } }, /names\.broker/],
      [{ names: { service: "X\r\nInjected" } }, /names\.service/],
      [{ trustedProxies: ["nowhere"] }, /trustedProxies/],
      [{ trustedProxies: ["10.0.0.0/99"] }, /trustedProxies/],
      [{ throttle: { login: { maxFailures: 0 } } }, /throttle\.login\.maxFailures/],
      [{ throttle: { twoFactor: { lockSeconds: Number.POSITIVE_INFINITY } } }, /throttle\.twoFactor\.lockSeconds/],
      [{ throttle: { clientSecret: { maxDelayMs: -1 } } }, /throttle\.clientSecret\.maxDelayMs/],
      [{ throttle: { login: { slowAfter: 1.5 } } }, /throttle\.login\.slowAfter/],
      [{ maxBodyBytes: 0 }, /maxBodyBytes/],
      [{ maxBodyBytes: 1.5 }, /maxBodyBytes/],
      [{ bodyTimeoutMs: -1 }, /bodyTimeoutMs/],
    ];
    for (const [options, message] of wrong) {
      const start = createIdentityService({ storage: memoryStorage(), ...options });
      await expect(start).rejects.toThrow(TypeError);
      await expect(start).rejects.toThrow(message);
    }
  });

  requirement("service.options", "need a secret where the storage outlives the process", async () => {
    await expect(
      createIdentityService({ storage: sqliteStorage({ filename: `${makeDirectory()}/identity.db` }) }),
    ).rejects.toThrow(/secret is required/);
    const identity = await createIdentityService({ storage: memoryStorage() });
    expect((await identity.groups.list()).groups).toEqual([]);
    await identity.close();
  });

  requirement(
    ["service.bootstrap-key", "tenant.default"],
    "make no second key and no second tenant at the next start",
    async () => {
      const filename = `${makeDirectory()}/identity.db`;
      const first = await startWorld(sqliteStorage({ filename }));
      const before = await first.identity.findPrincipal(bootstrapKey);
      await first.identity.close();
      const second = await startWorld(sqliteStorage({ filename }));
      expect(await second.identity.findPrincipal(bootstrapKey)).toEqual(before);
      expect((await second.identity.tenants.list()).tenants.map((tenant) => tenant.id)).toEqual([first.defaultTenantId]);
      await second.identity.close();
      const third = await startWorld(sqliteStorage({ filename }), { apiKey: "another-bootstrap-key" });
      expectOk(await third.caller.get("/api/tenant/search"));
      expectOk(await third.as("another-bootstrap-key").get("/api/tenant/search"));
    },
  );
});

forEachStorage((start) => {
  describe("two services in one process", () => {
    requirement("service.two", "share neither records, keys nor clocks", async () => {
      const [one, two] = [await start(), await start({ apiKey: "the-other-key" })];
      two.clock.advance(5_000);
      const made = expectOk(await one.caller.post(`/api/group/${uuid(1)}`, { group: { name: "G" } }));
      expectEmpty(await one.as("the-other-key").get("/api/group"), 401);
      expectEmpty(await two.caller.get("/api/group"), 401);
      const other = two.as("the-other-key");
      expectEmpty(await other.get(`/api/group/${uuid(1)}`), 404);
      const twin = expectOk(await other.post(`/api/group/${uuid(1)}`, { group: { name: "G" } }));
      expect(twin.at("group.insertInstant")).toBe((made.at("group.insertInstant") as number) + 5_000);
    });

    requirement(["service.two", "service.names"], "each read the tenant header of their own name", async () => {
      const [plain, named] = [await start(), await start({ names: { service: "Acme" } })];
      const tenantId = await makeTenant(named, "Other");
      await makeTenant(plain, "Other");
      const acme = named.caller.with({ "x-acme-tenantid": tenantId });
      expect(expectOk(await acme.post("/api/group", { group: { name: "G" } })).at("group.tenantId")).toBe(tenantId);
      const wordOfTheOther = await named.caller.inTenant(tenantId).post("/api/group", { group: { name: "H" } });
      expectRefusal(wordOfTheOther, 400, "[TenantIdRequired]");
      expectRefusal(
        await named.caller.with({ "X-Acme-TenantId": "x" }).get("/api/group"),
        400,
        "[couldNotConvert]X-Acme-TenantId",
      );
      expectRefusal(
        await plain.caller.with({ "X-Acme-TenantId": "x" }).post("/api/group", { group: { name: "G" } }),
        400,
        "[TenantIdRequired]",
      );
    });

    requirement(["service.two", "tenant-scope.global-header"], "each behave like the version they were given", async () => {
      const worlds = { newer: await start({ version: "1.65.0" }), older: await start({ version: "1.64.9" }) };
      expectEmpty(await worlds.newer.caller.inTenant(uuid(9)).get("/api/tenant/search"), 401);
      expectOk(await worlds.older.caller.inTenant(uuid(9)).get("/api/tenant/search"));
    });

    requirement("service.two", "each keep to the body limit they were given", async () => {
      const [small, large] = [await start({ maxBodyBytes: 1_000 }), await start()];
      const body = { group: { name: "G", data: { text: "x".repeat(2_000) } } };
      expectRefusal(await small.caller.post("/api/group", body), 413, "[tooLarge]");
      expectOk(await large.caller.post("/api/group", body));
    });
  });

  requirement("service.options", "takes ids, clock and randomness from the host", async () => {
    let next = 100;
    const world = await start({ newId: () => uuid(next++), random: (length) => new Uint8Array(length).fill(7) });
    const groupId = expectOk(await world.caller.post("/api/group", { group: { name: "G" } })).textAt("group.id");
    expect(groupId).toMatch(/^00000000-0000-4000-8000-0000000001\d\d$/);
    const one = expectOk(await world.caller.post("/api/api-key", {})).textAt("apiKey.key");
    expect(one.startsWith(`lk_${Buffer.alloc(32, 7).toString("base64url")}`)).toBe(true);
    const again = await world.caller.post("/api/api-key", {});
    expectRefusal(again, 400, "[duplicate]apiKey.key");
  });
});
