import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect, onTestFinished, vi } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import type { Caller } from "../support/caller.js";
import { callerAt } from "../support/from-address.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { bootstrapKey, forEachStorage, startWorld, uuid, type World } from "../support/world.js";

const office = uuid(1);
const key = "the-key-of-the-office";
const inside = "10.0.0.7";
const outside = "192.0.2.1";

type Entries = readonly object[];

const blockOthers = { startIPAddress: "*", action: "Block" };
const allowInside = { startIPAddress: "10.0.0.0", endIPAddress: "10.0.0.255", action: "Allow" };

async function makeList(world: World, entries: Entries = [blockOthers, allowInside], id: string = office): Promise<void> {
  const body = { ipAccessControlList: { name: `List ${id}`, entries } };
  expectOk(await world.caller.post(`/api/ip-acl/${id}`, body));
}

async function startOffice(world: World, entries?: Entries): Promise<World> {
  await makeList(world, entries);
  expectOk(await world.caller.post(`/api/api-key/${uuid(2)}`, { apiKey: { key, ipAccessControlListId: office } }));
  return world;
}

function at(world: World, address: string | undefined, headers: Readonly<Record<string, string>> = {}): Caller {
  return callerAt(world, address, { Authorization: key, ...headers });
}

forEachStorage((start) => {
  describe("a key with an access list", () => {
    requirement("key.access-list", "works from where its list lets it in, in each of its spellings, on every call", async () => {
      const world = await startOffice(await start());
      const basic = `Basic ${Buffer.from(`apikey:${key}`).toString("base64")}`;
      for (const Authorization of [key, basic]) {
        expectOk(await at(world, inside, { Authorization }).get("/api/group"));
        expectOk(await at(world, inside, { Authorization }).post("/api/group/search", {}));
        for (const path of ["/api/group", `/api/group/${uuid(9)}`, "/api/tenant", "/api/key/search"]) {
          const answer = await at(world, outside, { Authorization }).get(path);
          expectEmpty(answer, 401);
          expect(answer.headers).toEqual({ "cache-control": "no-cache" });
        }
      }
      expectOk(await callerAt(world, outside, { Authorization: bootstrapKey }).get("/api/group"));
    });

    requirement("key.access-list", "goes by the narrowest range, of either version, and by * at last", async () => {
      const entries = [
        { startIPAddress: "*", action: "Allow" },
        { startIPAddress: "10.0.0.0", endIPAddress: "10.255.255.255", action: "Block" },
        { startIPAddress: "10.0.0.9", action: "Allow" },
        { startIPAddress: "2001:db8::", endIPAddress: "2001:db8::ffff", action: "Block" },
      ];
      const world = await startOffice(await start(), entries);
      for (const [address, status] of [
        ["10.0.0.9", 200],
        ["::ffff:10.0.0.9", 200],
        ["10.0.0.8", 401],
        ["::ffff:10.0.0.8", 401],
        ["192.0.2.1", 200],
        ["2001:db8::7", 401],
        ["2001:db8::1:0", 200],
        ["no address", 401],
        ["", 401],
      ] as const)
        expect([address, (await at(world, address).get("/api/group")).status]).toEqual([address, status]);
    });

    requirement("key.access-list-source", "is blocked where its address is unknown, even under the rule *", async () => {
      const world = await startOffice(await start(), [{ startIPAddress: "*", action: "Allow" }]);
      expectOk(await at(world, outside).get("/api/group"));
      expectEmpty(await at(world, undefined).get("/api/group"), 401);
    });

    requirement("key.access-list-source", "believes forwarded addresses of trusted proxies alone", async () => {
      const world = await startOffice(await start({ trustedProxies: ["172.16.0.0/12"] }));
      const forwarded = (header: string): Readonly<Record<string, string>> => ({ "X-Forwarded-For": header });
      expectOk(await at(world, "172.16.0.1", forwarded(inside)).get("/api/group"));
      expectOk(await at(world, "172.16.0.1", forwarded(`${outside}, ${inside}, 172.16.0.2`)).get("/api/group"));
      expectEmpty(await at(world, "172.16.0.1", forwarded(`${inside}, ${outside}`)).get("/api/group"), 401);
      expectEmpty(await at(world, "172.16.0.1").get("/api/group"), 401);
      expectEmpty(await at(world, outside, forwarded(inside)).get("/api/group"), 401);
      for (const name of ["Forwarded", "X-Real-IP", "X-Client-IP", "True-Client-IP"])
        expectEmpty(await at(world, outside, { [name]: inside }).get("/api/group"), 401);
    });

    requirement(
      "authentication.source-spelling",
      "knows its addresses with ports, brackets and zones; a proxy that says nothing counts as itself",
      async () => {
        const entries = [blockOthers, allowInside, { startIPAddress: "2001:db8::7", action: "Allow" }];
        const world = await startOffice(await start({ trustedProxies: ["172.16.0.0/12"] }), entries);
        const spellings = [
          `${inside}:4711`,
          `::ffff:${inside}`,
          `[::ffff:${inside}]:4711`,
          "[2001:DB8:0::7]:4711",
          "2001:db8::7%eth0",
        ];
        for (const spelling of spellings) {
          expectOk(await at(world, spelling).get("/api/group"));
          expectOk(await at(world, "172.16.0.1:9", { "X-Forwarded-For": `${outside}, ${spelling}` }).get("/api/group"));
          expect(await world.identity.findPrincipal(key, spelling)).toMatchObject({ keyId: uuid(2) });
        }
        for (const nothing of ["unknown", "", `${inside},`, `${inside}, unknown`, `${inside}, 172.16.0.3, _x`])
          expectEmpty(await at(world, "172.16.0.1", { "X-Forwarded-For": nothing }).get("/api/group"), 401);
      },
    );

    requirement("key.access-list", "is found in process with an address that its list lets in, and without one not", async () => {
      const world = await startOffice(await start());
      expect(await world.identity.findPrincipal(key, inside)).toMatchObject({ keyId: uuid(2) });
      expect(await world.identity.findPrincipal(key, outside)).toBeUndefined();
      expect(await world.identity.findPrincipal(key)).toBeUndefined();
      expect(await world.identity.findPrincipal(bootstrapKey)).toMatchObject({ grants: "all" });
    });

    requirement("key.access-list", "leaves no trace of use from where it does not work", async () => {
      const world = await startOffice(await start());
      expectEmpty(await at(world, outside).get("/api/group"), 401);
      expect((await world.caller.get(`/api/api-key/${uuid(2)}`)).at("apiKey")).not.toHaveProperty("lastUsedInstant");
    });
  });

  requirement("key.access-list-at-once", "a change of the list or of the key counts at once", async () => {
    const world = await startOffice(await start());
    expectOk(await at(world, inside).get("/api/group"));
    const entries = [blockOthers, { startIPAddress: outside, action: "Allow" }];
    expectOk(await world.caller.put(`/api/ip-acl/${office}`, { ipAccessControlList: { name: "New", entries } }));
    expectEmpty(await at(world, inside).get("/api/group"), 401);
    expectOk(await at(world, outside).get("/api/group"));
    expectOk(await world.caller.mergePatch(`/api/api-key/${uuid(2)}`, { apiKey: { ipAccessControlListId: null } }));
    expectOk(await at(world, inside).get("/api/group"));
    expectOk(await world.caller.patch(`/api/api-key/${uuid(2)}`, { apiKey: { ipAccessControlListId: office } }));
    expectEmpty(await at(world, inside).get("/api/group"), 401);
  });

  describe("a manager with an access list", () => {
    async function startManager(start: () => Promise<World>): Promise<{ readonly world: World; readonly manager: Caller }> {
      const world = await startOffice(await start());
      await makeList(world, [{ startIPAddress: "*", action: "Allow" }], uuid(3));
      await world.identity.apiKeys.create({ apiKey: { key: "manager", keyManager: true, ipAccessControlListId: office } });
      return { world, manager: callerAt(world, inside, { Authorization: "manager" }) };
    }

    requirement("key.access-list-reach", "makes and keeps keys with its own list only", async () => {
      const { world, manager } = await startManager(start);
      const code = "[invalid]apiKey.ipAccessControlListId";
      for (const list of [{}, { ipAccessControlListId: null }, { ipAccessControlListId: uuid(3) }]) {
        expectRefusal(await manager.post("/api/api-key", { apiKey: { ...list, key: "free" } }), 400, code);
        expectRefusal(await manager.put(`/api/api-key/${uuid(2)}`, { apiKey: list }), 400, code);
      }
      for (const answer of [
        await manager.mergePatch(`/api/api-key/${uuid(2)}`, { apiKey: { ipAccessControlListId: null } }),
        await manager.patch(`/api/api-key/${uuid(2)}`, { apiKey: { ipAccessControlListId: uuid(3) } }),
        await manager.jsonPatch(`/api/api-key/${uuid(2)}`, [{ op: "remove", path: "/apiKey/ipAccessControlListId" }]),
        await manager.post("/api/api-key", { sourceKeyId: uuid(2), apiKey: { ipAccessControlListId: uuid(3) } }),
      ])
        expectRefusal(answer, 400, code);
      expectEmpty(await world.as("free").get("/api/group"), 401);
      expectOk(await manager.post("/api/api-key", { apiKey: { key: "bound", ipAccessControlListId: office } }));
      expectOk(await manager.post("/api/api-key", { sourceKeyId: uuid(2) }));
      expectEmpty(await callerAt(world, outside, { Authorization: "bound" }).get("/api/group"), 401);
    });

    requirement("key.access-list-reach", "sees, changes and removes no key that works from elsewhere", async () => {
      const { world, manager } = await startManager(start);
      expectOk(await world.caller.post(`/api/api-key/${uuid(5)}`, { apiKey: { key: "free" } }));
      expectOk(await world.caller.post(`/api/api-key/${uuid(6)}`, { apiKey: { key: "other", ipAccessControlListId: uuid(3) } }));
      for (const id of [uuid(5), uuid(6)]) {
        expectEmpty(await manager.get(`/api/api-key/${id}`), 401);
        expectEmpty(await manager.put(`/api/api-key/${id}`, { apiKey: { ipAccessControlListId: office } }), 401);
        expectEmpty(await manager.patch(`/api/api-key/${id}`, { apiKey: { ipAccessControlListId: office } }), 401);
        expectEmpty(await manager.delete(`/api/api-key/${id}`), 401);
      }
      expectOk(await manager.get(`/api/api-key/${uuid(2)}`));
      expectEmpty(await manager.delete(`/api/api-key/${uuid(2)}`), 200);
    });

    requirement("key.access-list-reach", "cannot change its own list, and any other", async () => {
      const { manager } = await startManager(start);
      const body = { ipAccessControlList: { name: "Wide", entries: [{ startIPAddress: "*", action: "Allow" }] } };
      expectEmpty(await manager.put(`/api/ip-acl/${office}`, body), 401);
      expectEmpty(await manager.patch(`/api/ip-acl/${office}`, { ipAccessControlList: { name: "x" } }), 401);
      expectRefusal(await manager.delete(`/api/ip-acl/${office}`), 400, "[inUse]ipAccessControlListId");
      expectOk(await manager.put(`/api/ip-acl/${uuid(3)}`, body));
    });
  });

  describe("Basic with an API key", () => {
    requirement("auth.basic-version", "exists from 1.27.0 on", async () => {
      for (const [version, status] of [
        ["1.27.0", 200],
        ["1.26.9", 401],
        ["1.20.0", 401],
      ] as const) {
        const world = await start({ version });
        const basic = `Basic ${Buffer.from(`apikey:${bootstrapKey}`).toString("base64")}`;
        expect([version, (await world.as(basic).get("/api/group")).status]).toEqual([version, status]);
        expectOk(await world.caller.get("/api/group"));
      }
    });
  });
});

requirement("key.access-list-at-once", "a change of a list counts within a second in another process", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const filename = `${makeDirectory()}/identity.db`;
  const here = await startOffice(await startWorld(sqliteStorage({ filename })));
  const there = await startWorld(sqliteStorage({ filename }));
  expectOk(await at(there, inside).get("/api/group"));
  expectOk(await here.caller.put(`/api/ip-acl/${office}`, { ipAccessControlList: { name: "None", entries: [blockOthers] } }));
  vi.advanceTimersByTime(1_000);
  expectEmpty(await at(there, inside).get("/api/group"), 401);
});
