import { createIdentityService } from "latchkey";
import { describe, expect, test } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { boundStorage } from "../support/bound-storage.js";
import { describeOnServer, testDatabase } from "../support/postgres.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, startWorld, testSecret, uuid, type World } from "../support/world.js";

const pathOf = (number: number): string => `/api/api-key/${uuid(number)}`;
const day = 86_400_000;
const taken = "[duplicate]apiKey.key";

const holderOf = async ({ identity }: World, key: string): Promise<string | undefined> =>
  (await identity.findPrincipal(key))?.keyId;

const make = ({ caller }: World, number: number, key: string) =>
  caller.post(pathOf(number), { apiKey: { key, name: `Key ${number}` } });

const rotate = ({ caller }: World, number: number, key?: string, seconds?: number) =>
  caller.post(`${pathOf(number)}/rotate`, { gracePeriodInSeconds: seconds, apiKey: { key } });

/** Key 1, whose value was "one" and is "two". */
async function makeRotated(world: World): Promise<void> {
  expectOk(await make(world, 1, "one"));
  expectOk(await rotate(world, 1, "two"));
}

/** Key 1, which expires, with the value "first". */
async function makeExpiring({ caller, clock }: World, ms: number): Promise<void> {
  expectOk(await caller.post(pathOf(1), { apiKey: { key: "first", name: "Key 1", expirationInstant: clock.instant + ms } }));
}

forEachStorage((start) => {
  describe("the earlier value of a rotated API key", () => {
    requirement("key.earlier-value", "is refused to new and rotated keys until the grace period ends", async () => {
      const world = await start();
      await makeRotated(world);
      expectOk(await make(world, 2, "other"));
      for (const ms of [0, day - 1]) {
        world.clock.advance(ms);
        expectRefusal(await make(world, 3, "one"), 400, taken);
        expectRefusal(await rotate(world, 2, "one"), 400, taken);
        expect(await holderOf(world, "one")).toBe(uuid(1));
      }
      expect([await holderOf(world, "other"), (await world.caller.get(pathOf(3))).status]).toEqual([uuid(2), 404]);
      world.clock.advance(1);
      expect(await holderOf(world, "one")).toBeUndefined();
      expectOk(await make(world, 3, "one"));
      expect(await holderOf(world, "one")).toBe(uuid(3));
    });

    requirement("key.earlier-value", "is refused in transactions, dry runs and documents of configuration", async () => {
      const world = await start();
      const { caller, identity } = world;
      await makeRotated(world);
      const named = (name: string) => ({ apiKey: { key: "one", name } });
      expectRefusal(await caller.post("/api/api-key?dryRun=true", named("Dry")), 400, taken);
      await identity.transaction(async (tx) => {
        await expect(tx.apiKeys.create(named("Mine"))).rejects.toMatchObject({ status: 400, code: taken });
        await tx.apiKeys.create({ apiKey: { key: "free", name: "Free" } });
      });
      const document = { formatVersion: 1, apiKeys: [{ name: "Applied", key: { $secret: "env:KEY" } }] } as const;
      const applied = identity.config.apply(document, { resolveSecret: () => "one" });
      await expect(applied).rejects.toThrow("already in use");
      expect(await Promise.all(["one", "two"].map((key) => holderOf(world, key)))).toEqual([uuid(1), uuid(1)]);
      const { apiKeys } = await identity.apiKeys.list();
      expect(apiKeys.map(({ name }) => name?.split(" ")[0]).sort()).toEqual(["Bootstrap", "Free", "Key"]);
    });

    requirement("key.earlier-value", "is refused as the option apiKey of a service", async () => {
      const world = await start();
      await makeRotated(world);
      const storage = boundStorage(world.storage);
      const starting = createIdentityService({ storage, secret: testSecret, apiKey: "one", clock: world.clock.now });
      await expect(starting).rejects.toMatchObject({ status: 400, code: taken });
      expect(await holderOf(world, "one")).toBe(uuid(1));
    });

    requirement("key.earlier-value", "can become the value of its own key again", async () => {
      const world = await start();
      await makeRotated(world);
      expectOk(await rotate(world, 1, "one"));
      expect(await Promise.all(["one", "two"].map((key) => holderOf(world, key)))).toEqual([uuid(1), uuid(1)]);
      expectRefusal(await make(world, 2, "two"), 400, taken);
      world.clock.advance(day);
      expect(await Promise.all(["one", "two"].map((key) => holderOf(world, key)))).toEqual([uuid(1), undefined]);
      expectOk(await make(world, 2, "two"));
      expectRefusal(await rotate(world, 1, "two"), 400, taken);
    });

    requirement("key.earlier-value", "is free once the key has no grace period, another earlier value, or is gone", async () => {
      const world = await start();
      expectOk(await make(world, 1, "one"));
      expectOk(await rotate(world, 1, "two", 0));
      expectOk(await make(world, 2, "one"));
      for (const key of ["three", "four"]) expectOk(await rotate(world, 1, key));
      expectOk(await make(world, 3, "two"));
      expectRefusal(await make(world, 4, "three"), 400, taken);
      expectEmpty(await world.caller.delete(pathOf(1)), 200);
      expectOk(await make(world, 4, "three"));
      const holders = await Promise.all(["one", "two", "three", "four"].map((key) => holderOf(world, key)));
      expect(holders).toEqual([uuid(2), uuid(3), uuid(4), undefined]);
    });

    requirement("key.earlier-value", "stays taken while its key has expired, which a later expiry makes work again", async () => {
      const world = await start();
      expectOk(await make(world, 1, "one"));
      expectOk(await rotate(world, 1, "two"));
      expectOk(await world.caller.patch(pathOf(1), { apiKey: { expirationInstant: world.clock.instant + 1_000 } }));
      world.clock.advance(2_000);
      expect(await holderOf(world, "one")).toBeUndefined();
      expectRefusal(await make(world, 2, "one"), 400, taken);
      expectOk(await world.caller.patch(pathOf(1), { apiKey: { expirationInstant: null } }));
      expect(await holderOf(world, "one")).toBe(uuid(1));
    });

    requirement(
      "key.earlier-value",
      "keeps no later holder of it from a rotation, and no holder before from a change",
      async () => {
        const world = await start();
        const { caller, clock } = world;
        const tenant = await callerOfTenant(world, await makeTenant(world, "Other"));
        expectOk(await tenant.post(pathOf(1), { apiKey: { key: "one", name: "Of a tenant", retrievable: false } }));
        expectOk(await rotate(world, 1, "two", 60));
        const before = expectOk(await caller.get(pathOf(1)));
        clock.advance(60_000);
        expectOk(await make(world, 2, "one"));
        expectOk(await caller.patch(pathOf(1), { apiKey: { metaData: { attributes: { owner: "ops" } } } }));
        expectOk(await rotate(world, 2, "three", 60));
        expect(await Promise.all(["one", "two", "three"].map((key) => holderOf(world, key)))).toEqual([
          uuid(2),
          uuid(1),
          uuid(2),
        ]);
        expectOk(await caller.patch(pathOf(1), { apiKey: { metaData: { attributes: { owner: null } } } }));
        const after = expectOk(await caller.get(pathOf(1))).at("apiKey");
        expect(after).toEqual({
          ...(before.at("apiKey") as object),
          earlierKeyExpirationInstant: undefined,
          lastUpdateInstant: clock.instant,
        });
        expectOk(await rotate(world, 1, "four"));
        clock.advance(60_000);
        expect(await Promise.all(["one", "two", "four"].map((key) => holderOf(world, key)))).toEqual([
          undefined,
          uuid(1),
          uuid(1),
        ]);
      },
    );

    requirement("key.earlier-value", "is that of one key when calls meet", async () => {
      const world = await start();
      for (let round = 0; round < 10; round++) {
        const [first, second, third] = [3 * round + 1, 3 * round + 2, 3 * round + 3];
        expectOk(await make(world, first, `value-${round}`));
        expectOk(await make(world, second, `second-${round}`));
        const [away, created, rotated] = await Promise.all([
          rotate(world, first),
          make(world, third, `value-${round}`),
          rotate(world, second, `value-${round}`),
        ]);
        expectOk(away);
        for (const answer of [created, rotated]) expectRefusal(answer, 400, taken);
        expect(await holderOf(world, `value-${round}`)).toBe(uuid(first));
      }
    });
  });

  describe("the end of an earlier value", () => {
    requirement("key.rotate", "shows an end of the value before that is not past the end of the key", async () => {
      const world = await start();
      const { caller, clock, identity } = world;
      await makeExpiring(world, 5_000);
      const grace = clock.instant + 10_000;
      const shown = async (): Promise<readonly unknown[]> => {
        const { apiKeys } = await identity.apiKeys.list();
        const listed = apiKeys.find(({ id }) => id === uuid(1));
        return [
          expectOk(await caller.get(pathOf(1))).at("apiKey.earlierKeyExpirationInstant"),
          listed?.earlierKeyExpirationInstant,
        ];
      };
      const rotated = expectOk(await rotate(world, 1, "second", 10));
      expect(rotated.at("apiKey.earlierKeyExpirationInstant")).toBe(clock.instant + 5_000);
      for (const end of [clock.instant + 2_000, grace, grace + 1, null, clock.instant + 1_000]) {
        const changed = expectOk(await caller.patch(pathOf(1), { apiKey: { expirationInstant: end } }));
        const least = Math.min(end ?? grace, grace);
        expect([changed.at("apiKey.earlierKeyExpirationInstant"), ...(await shown())]).toEqual([least, least, least]);
      }
      clock.advance(1_000);
      expect(await shown()).toEqual([undefined, undefined]);
    });

    requirement("key.rotate", "is possible for an expired key, and opens nothing until its expiry is later", async () => {
      const world = await start();
      const { caller, clock } = world;
      await makeExpiring(world, 1_000);
      clock.advance(2_000);
      const rotated = expectOk(await rotate(world, 1, "second", 60));
      expect(rotated.at("apiKey.earlierKeyExpirationInstant")).toBeUndefined();
      expect(await Promise.all(["first", "second"].map((key) => holderOf(world, key)))).toEqual([undefined, undefined]);
      const later = { expirationInstant: clock.instant + 30_000 };
      const changed = expectOk(await caller.patch(pathOf(1), { apiKey: later }));
      expect(changed.at("apiKey.earlierKeyExpirationInstant")).toBe(later.expirationInstant);
      expect(await Promise.all(["first", "second"].map((key) => holderOf(world, key)))).toEqual([uuid(1), uuid(1)]);
    });
  });
});

describeOnServer("two processes on one database", () => {
  const { newSchema, newStorage } = testDatabase();

  test("give the earlier value of a key to no other key", async () => {
    const schema = newSchema();
    const one = await startWorld(newStorage({ schema }));
    const two = await startWorld(newStorage({ schema }));
    for (let round = 0; round < 8; round++) {
      const [first, second] = [2 * round + 1, 2 * round + 2];
      expectOk(await make(one, first, `value-${round}`));
      const [away, created] = await Promise.all([rotate(one, first), make(two, second, `value-${round}`)]);
      expectOk(away);
      expectRefusal(created, 400, taken);
      expect(await holderOf(two, `value-${round}`)).toBe(uuid(first));
    }
  });

  test("give it to none in a transaction that began before the rotation", async () => {
    const schema = newSchema();
    const one = await startWorld(newStorage({ schema }));
    const two = await startWorld(newStorage({ schema }));
    expectOk(await make(one, 1, "one"));
    let rotated: Promise<unknown> | undefined;
    const creating = one.identity.transaction(async (tx) => {
      await tx.apiKeys.retrieve({ keyId: uuid(1) });
      rotated ??= two.identity.apiKeys.rotate({ keyId: uuid(1), apiKey: { key: "two" } });
      await rotated;
      await tx.apiKeys.create({ apiKey: { key: "one" } });
    });
    await expect(creating).rejects.toMatchObject({ status: 400, code: taken });
    expect(await Promise.all(["one", "two"].map((key) => holderOf(two, key)))).toEqual([uuid(1), uuid(1)]);
  });
});
