import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import type { Caller } from "../support/caller.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, readEvents, uuid, type World } from "../support/world.js";

const path = `/api/api-key/${uuid(1)}`;
const rotation = `${path}/rotate`;
const day = 86_400_000;

const opens = async (world: World, key: string): Promise<boolean> => (await world.as(key).get("/api/group")).status === 200;

async function make({ caller }: World, apiKey: object = {}): Promise<void> {
  expectOk(await caller.post(path, { apiKey: { key: "first", name: "Nightly job", ...apiKey } }));
}

/** The messages of the event log that are about keys. */
async function warningsOf({ identity }: World): Promise<readonly string[]> {
  const { eventLogs } = await identity.eventLogs.search({ search: { message: "The API key" } });
  return eventLogs.map(({ message }) => message);
}

forEachStorage((start) => {
  describe("the rotation of an API key", () => {
    requirement("key.rotate", "gives it another value, and ends the value before after the grace period", async () => {
      const world = await start();
      await make(world, { permissions: { endpoints: { "/api/group": ["GET"] } } });
      expect(await opens(world, "first")).toBe(true);
      const rotated = expectOk(await world.caller.post(rotation, { gracePeriodInSeconds: 60, apiKey: { key: "second" } }));
      const end = world.clock.instant + 60_000;
      expect(rotated.at("apiKey")).toMatchObject({
        id: uuid(1),
        key: "second",
        name: "Nightly job",
        earlierKeyExpirationInstant: end,
      });
      expect(await Promise.all(["first", "second"].map((key) => opens(world, key)))).toEqual([true, true]);
      world.clock.advance(59_999);
      expect(await opens(world, "first")).toBe(true);
      world.clock.advance(1);
      expect(await Promise.all(["first", "second"].map((key) => opens(world, key)))).toEqual([false, true]);
      expect(expectOk(await world.caller.get(path)).at("apiKey.earlierKeyExpirationInstant")).toBeUndefined();
    });

    requirement(
      "key.rotate",
      "is a random value and a day by default, shown once for a key that cannot be retrieved",
      async () => {
        const world = await start();
        await make(world, { retrievable: false });
        const rotated = expectOk(await world.caller.post(rotation));
        const value = rotated.textAt("apiKey.key");
        expect(value).toMatch(/^lk_/);
        expect(rotated.at("apiKey.earlierKeyExpirationInstant")).toBe(world.clock.instant + day);
        expect(expectOk(await world.caller.get(path)).at("apiKey.key")).toBeUndefined();
        expect(await opens(world, value)).toBe(true);
        const { apiKey } = await world.identity.apiKeys.rotate({ keyId: uuid(1), gracePeriodInSeconds: 0 });
        expect(await Promise.all(["first", value, apiKey.key ?? ""].map((key) => opens(world, key)))).toEqual([
          false,
          false,
          true,
        ]);
      },
    );

    requirement("key.rotate", "keeps one earlier value, which changes and the removal of the key concern as well", async () => {
      const world = await start();
      await make(world);
      for (const key of ["second", "third"]) expectOk(await world.caller.post(rotation, { apiKey: { key } }));
      expect(await Promise.all(["first", "second", "third"].map((key) => opens(world, key)))).toEqual([false, true, true]);
      const grants = { apiKey: { permissions: { endpoints: { "/api/user": ["GET"] } } } };
      expectOk(await world.caller.patch(path, grants));
      expect(await Promise.all(["second", "third"].map((key) => opens(world, key)))).toEqual([false, false]);
      expectOk(await world.caller.patch(path, { apiKey: { permissions: { endpoints: { "/api/group": ["GET"] } } } }));
      expect(await opens(world, "second")).toBe(true);
      expectEmpty(await world.caller.delete(path), 200);
      expect(await Promise.all(["second", "third"].map((key) => opens(world, key)))).toEqual([false, false]);
    });

    requirement("key.rotate", "never lets the value before work past the end of the key", async () => {
      const world = await start();
      await make(world, { expirationInstant: world.clock.instant + 1_000 });
      expectOk(await world.caller.post(rotation, { gracePeriodInSeconds: 3_600, apiKey: { key: "second" } }));
      world.clock.advance(1_000);
      expect(await Promise.all(["first", "second"].map((key) => opens(world, key)))).toEqual([false, false]);
    });

    requirement(
      "key.rotate",
      "refuses values that a key has, wrong periods, unknown keys and the key of the option",
      async () => {
        const world = await start();
        await make(world);
        expectOk(await world.caller.post("/api/api-key", { apiKey: { key: "taken" } }));
        for (const key of ["first", "taken"])
          expectRefusal(await world.caller.post(rotation, { apiKey: { key } }), 400, "[duplicate]apiKey.key");
        for (const gracePeriodInSeconds of [-1, 2_592_001, 1.5, "x"])
          expect((await world.caller.post(rotation, { gracePeriodInSeconds })).text).toContain("]gracePeriodInSeconds");
        expectRefusal(await world.caller.post(rotation, { apiKey: { key: "with space" } }), 400, "[invalid]apiKey.key");
        expectEmpty(await world.caller.post(`/api/api-key/${uuid(404)}/rotate`), 404);
        const { apiKeys } = await world.identity.apiKeys.list();
        const own = apiKeys.find(({ name }) => name?.startsWith("Bootstrap "))?.id ?? expect.fail();
        expectRefusal(await world.caller.post(`/api/api-key/${own}/rotate`), 400, "[invalid]keyId");
        expect(await opens(world, "first")).toBe(true);
      },
    );

    requirement("key.rotate", "is for key managers that hold the grants of the key", async () => {
      const world = await start();
      await make(world);
      const grants = { "/api/group": ["GET" as const] };
      await world.identity.apiKeys.create({ apiKey: { key: "manager", keyManager: true, permissions: { endpoints: grants } } });
      await world.identity.apiKeys.create({ apiKey: { key: "other" } });
      for (const key of ["manager", "other", "first"]) expectEmpty(await world.as(key).post(rotation), 401);
      const tenantId = await makeTenant(world, "Other");
      expectEmpty(await (await callerOfTenant(world, tenantId)).post(rotation), 404);
      expect(await opens(world, "first")).toBe(true);
    });

    requirement("key.rotate", "takes part in dry runs and transactions", async () => {
      const world = await start();
      await make(world);
      expectOk(await world.caller.post(`${rotation}?dryRun=true`, { apiKey: { key: "dry" } }));
      const undone = world.identity.transaction(async (tx) => {
        await tx.apiKeys.rotate({ keyId: uuid(1), apiKey: { key: "undone" } });
        throw new Error("undone");
      });
      await expect(undone).rejects.toThrow("undone");
      expect(await Promise.all(["first", "dry", "undone"].map((key) => opens(world, key)))).toEqual([true, false, false]);
    });
  });

  describe("an API key that expires", () => {
    requirement("key.expiry-warning", "is named in the event log once, a week before", async () => {
      const world = await start();
      const expirationInstant = world.clock.instant + 30 * day;
      await make(world, { expirationInstant });
      world.clock.advance(23 * day - 1);
      await world.identity.settle();
      expect(await warningsOf(world)).toEqual([]);
      world.clock.advance(1);
      for (let times = 0; times < 2; times++) await world.identity.settle();
      const end = new Date(expirationInstant).toISOString();
      expect(await warningsOf(world)).toEqual([`The API key ${uuid(1)} (Nightly job) expires at ${end}.`]);
      const events = await readEvents(world.storage, "event-log.create");
      expect(JSON.stringify(events)).not.toContain("first");
    });

    requirement("key.expiry-warning", "gets its warning by its last expiry, and none after its removal", async () => {
      const world = await start({ apiKeyWarningMs: day });
      const { caller, clock, identity } = world;
      const expireIn = (days: number | undefined) => ({ expirationInstant: days && clock.instant + days * day });
      await make(world, expireIn(2));
      expectOk(await caller.patch(path, { apiKey: expireIn(10) }));
      clock.advance(3 * day);
      await identity.settle();
      expect(await warningsOf(world)).toEqual([]);
      clock.advance(6 * day);
      await identity.settle();
      expect(await warningsOf(world)).toHaveLength(1);
      expectOk(await caller.patch(path, { apiKey: { name: "Renamed" } }));
      expectOk(await caller.post(`/api/api-key/${uuid(2)}`, { apiKey: { key: "gone", ...expireIn(4) } }));
      expectEmpty(await caller.delete(`/api/api-key/${uuid(2)}`), 200);
      clock.advance(3 * day);
      await identity.settle();
      expect(await warningsOf(world)).toHaveLength(1);
    });
  });

  describe("an API key for several tenants", () => {
    const header = (tenantId: string) => ({ "x-service-tenantid": tenantId });
    const groupsOf = async (caller: Caller, tenantId: string): Promise<unknown[]> =>
      expectOk(await caller.get("/api/group", header(tenantId))).each("groups", "name");

    requirement("key.several-tenants", "acts for the tenant that a call names, and for no other", async () => {
      const world = await start();
      const [one, two, three] = [
        await makeTenant(world, "One"),
        await makeTenant(world, "Two"),
        await makeTenant(world, "Three"),
      ];
      for (const tenantId of [one, two, three]) await world.identity.groups.create({ group: { name: tenantId } }, { tenantId });
      await make(world, { tenantIds: [two, one, two] });
      const caller = world.as("first");
      expect(expectOk(await world.caller.get(path)).at("apiKey.tenantIds")).toEqual([two, one]);
      expect([await groupsOf(caller, one), await groupsOf(caller, two)]).toEqual([[one], [two]]);
      expectEmpty(await caller.get("/api/group", header(three)), 401);
      expectRefusal(await caller.get("/api/group"), 400, "[TenantIdRequired]");
      const principal = (await world.identity.findPrincipal("first")) ?? expect.fail();
      expect((await world.identity.as(principal).groups.list({}, { tenantId: one })).groups).toHaveLength(1);
      await expect(world.identity.as(principal).groups.list()).rejects.toThrow("tenant");
    });

    requirement("key.several-tenants", "loses the tenants that are removed, and opens nothing without any", async () => {
      const world = await start();
      const [one, two] = [await makeTenant(world, "One"), await makeTenant(world, "Two")];
      await make(world, { tenantIds: [one, two] });
      const caller = world.as("first");
      await world.identity.tenants.remove({ tenantId: one });
      await world.identity.settle();
      expectEmpty(await caller.get("/api/group", header(one)), 401);
      expectOk(await world.caller.patch(path, { apiKey: { name: "Renamed" } }));
      expectOk(await world.caller.put(path, { apiKey: { name: "Put" } }));
      expect(expectOk(await world.caller.get(path)).at("apiKey.tenantIds")).toEqual([two]);
      expectOk(await world.caller.post(`/api/tenant/${one}`, { tenant: { name: "One again" } }));
      expectEmpty(await caller.get("/api/group", header(one)), 401);
      await world.identity.tenants.remove({ tenantId: two });
      await world.identity.settle();
      expectEmpty(await caller.get("/api/group", header(two)), 401);
    });

    requirement("key.several-tenants", "is exported with the tenants that are left, and never as a key for all", async () => {
      const world = await start();
      const { identity } = world;
      const [one, two] = [await makeTenant(world, "One"), await makeTenant(world, "Two")];
      await make(world, { tenantIds: [one, two] });
      const exported = async (): Promise<ReadonlySet<unknown>> => {
        const { apiKeys = [] } = await identity.config.export();
        return new Set([apiKeys.find(({ name }) => name === "Nightly job")?.tenantIds].flat());
      };
      expect(await exported()).toEqual(new Set(["One", "Two"]));
      await identity.tenants.remove({ tenantId: one });
      await identity.settle();
      expect(await exported()).toEqual(new Set(["Two"]));
      await identity.tenants.remove({ tenantId: two });
      await identity.settle();
      expect(await exported()).toEqual(new Set([one, two]));
      expectOk(await world.caller.patch(path, { apiKey: { metaData: { attributes: { owner: "ops" } } } }));
      expectEmpty(await world.as("first").get("/api/group", header(two)), 401);
    });

    requirement("key.several-tenants", "is made by callers without a tenant, and stays one for several tenants", async () => {
      const world = await start();
      const { caller } = world;
      const [one, two] = [await makeTenant(world, "One"), await makeTenant(world, "Two")];
      const wrong = [
        { tenantIds: [] },
        { tenantIds: [one, uuid(404)] },
        { tenantId: one, tenantIds: [one, two] },
        { tenantIds: Array.from({ length: 101 }, (_one, index) => uuid(index)) },
        { tenantIds: "x" },
      ];
      for (const apiKey of wrong) expect((await caller.post("/api/api-key", { apiKey })).text).toContain("]apiKey.tenantIds");
      const ofOne = await callerOfTenant(world, one);
      expectRefusal(await ofOne.post("/api/api-key", { apiKey: { tenantIds: [one] } }), 400, "[invalid]apiKey.tenantIds");
      await world.identity.apiKeys.create({ keyId: uuid(1), apiKey: { key: "first", keyManager: true, tenantIds: [one, two] } });
      expectEmpty(await ofOne.get(path), 404);
      const manager = world.as("first");
      const made = await manager.post(`/api/api-key/${uuid(3)}`, { apiKey: {} }, header(two));
      expect(expectOk(made).at("apiKey.tenantId")).toBe(two);
      const further = { apiKey: { tenantIds: [one, two] } };
      expectRefusal(await manager.post("/api/api-key", further, header(two)), 400, "[invalid]apiKey.tenantIds");
      expectRefusal(
        await manager.post("/api/api-key", { apiKey: { tenantId: one } }, header(two)),
        400,
        "[invalid]apiKey.tenantId",
      );
      expectEmpty(await manager.get(path, header(one)), 404);
      expectRefusal(await caller.patch(`/api/api-key/${uuid(3)}`, further), 400, "[invalid]apiKey.tenantIds");
      expect(expectOk(await caller.put(path, { apiKey: { keyManager: true } })).at("apiKey.tenantIds")).toEqual([one, two]);
      expectOk(await caller.patch(path, { apiKey: { keyManager: true, tenantIds: [two] } }));
    });
  });
});
