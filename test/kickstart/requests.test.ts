import type { KickstartDocument } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect } from "vitest";
import { expectEmpty, expectOk } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { bootstrapKey, forEachStorage, readEvents, startWorld, uuid } from "../support/world.js";

const first = { key: "the-kickstart-key", description: "made at the start", keyManager: true };
const group = (number: number, name: string): { method: string; url: string; body: object } => ({
  method: "POST",
  url: `/api/group/${uuid(number)}`,
  body: { group: { name } },
});

forEachStorage((start) => {
  describe("a kickstart", () => {
    requirement("kickstart.keys", "makes its keys directly, with everything that it says of them", async () => {
      const permissions = { endpoints: { "/api/group": ["GET"] } };
      const kickstart = {
        apiKeys: [
          { ...first, id: uuid(1), name: "First" },
          { key: "reader", permissions },
        ],
      };
      const world = await start({ kickstart, apiKey: undefined });
      const caller = world.as("the-kickstart-key");
      expect(expectOk(await caller.get(`/api/api-key/${uuid(1)}`)).at("apiKey")).toMatchObject({
        id: uuid(1),
        key: "the-kickstart-key",
        name: "First",
        keyManager: true,
        metaData: { attributes: { description: "made at the start" } },
      });
      expectOk(await world.as("reader").get("/api/group"));
      expectEmpty(await world.as("reader").post("/api/group", {}), 401);
      expectEmpty(await world.caller.get("/api/group"), 401);
    });

    requirement("kickstart.keys", "makes keys of a tenant", async () => {
      const kickstart = {
        variables: { defaultTenantId: uuid(5) },
        apiKeys: [first, { key: "scoped", tenantId: "#{defaultTenantId}" }],
      };
      const world = await start({ kickstart });
      expect((await world.identity.findPrincipal("scoped"))?.tenantId).toBe(uuid(5));
    });

    requirement("kickstart.keys", "makes keys of a tenant and an access list that its requests make", async () => {
      const ipAccessControlList = { name: "Office", entries: [{ action: "Allow", startIPAddress: "*" }] };
      const requests = [
        { method: "POST", url: `/api/tenant/${uuid(6)}`, body: { tenant: { name: "Acme" } } },
        { method: "POST", url: `/api/ip-acl/${uuid(7)}`, body: { ipAccessControlList } },
      ];
      const scoped = { id: uuid(9), key: "scoped", tenantId: uuid(6), ipAccessControlListId: uuid(7) };
      const { identity, log } = await start({ kickstart: { apiKeys: [first, scoped], requests } });
      expect(log).toEqual([]);
      const { apiKey } = await identity.apiKeys.retrieve({ keyId: uuid(9) });
      expect(apiKey).toMatchObject({ tenantId: uuid(6), ipAccessControlListId: uuid(7) });
      const wrong = start({ kickstart: { apiKeys: [first, { key: "scoped", tenantId: uuid(8) }], requests } });
      await expect(wrong).rejects.toThrow("apiKey.tenantId");
    });

    requirement("kickstart.requests", "makes its requests in order, one building on the other", async () => {
      const requests = [
        group(1, "A"),
        { method: "PUT", url: `/api/group/${uuid(1)}`, body: { group: { name: "B" } } },
        { method: "patch", url: `/api/group?groupId=${uuid(1)}`, body: { group: { data: { a: 1 } } } },
        group(2, "A"),
      ];
      const { caller, log } = await start({ kickstart: { apiKeys: [first], requests } });
      expect(log).toEqual([]);
      expect((await caller.get("/api/group")).each("groups", "name")).toEqual(["A", "B"]);
      expect((await caller.get(`/api/group/${uuid(1)}`)).at("group.data")).toEqual({ a: 1 });
    });

    requirement("kickstart.failing", "logs a request that fails, undoes it and goes on", async () => {
      const requests = [
        group(1, "A"),
        group(2, "a"),
        { method: "POST", url: "/api/unknown", body: {} },
        { method: "FLY", url: "/api/group", body: {} },
        { method: "POST", url: `/api/group/${uuid(3)}`, body: { group: { name: "R" }, roleIds: [uuid(9)] } },
        { method: "POST", url: `/api/group/${uuid(4)}`, contentType: "text/plain", body: { group: { name: "T" } } },
        "not a request",
        group(5, "B"),
      ] as KickstartDocument["requests"];
      const { caller, log } = await start({ kickstart: { apiKeys: [first], ...(requests && { requests }) } });
      expect((await caller.get("/api/group")).each("groups", "name")).toEqual(["A", "B"]);
      expect(log.map((line) => [line.level, line.message, line.fields.index])).toEqual(
        [1, 2, 3, 4, 5, 6].map((index) => ["error", "kickstart request failed", index]),
      );
      expect(log[0]?.fields).toMatchObject({ method: "POST", url: `/api/group/${uuid(2)}`, err: expect.any(Error) });
      expect(JSON.stringify(log)).not.toContain(first.key);
    });

    requirement("kickstart.content-type", "sends RFC patches with their content type", async () => {
      const url = `/api/group/${uuid(1)}`;
      const requests = [
        { ...group(1, "A"), body: { group: { name: "A", data: { list: ["a"], gone: 1 } } } },
        {
          method: "PATCH",
          url,
          contentType: "application/json-patch+json",
          body: [{ op: "add", path: "/group/data/list/0", value: "z" }],
        },
        { method: "PATCH", url, contentType: "application/merge-patch+json", body: { group: { data: { gone: null } } } },
        { method: "PATCH", url, body: { group: { data: { list: ["b"] } } } },
      ];
      const { caller } = await start({ kickstart: { apiKeys: [first], requests } });
      expect((await caller.get(url)).at("group.data")).toEqual({ list: ["z", "a", "b"] });
    });

    requirement("kickstart.tenant", "sends tenantId as the tenant header", async () => {
      const requests = [
        { method: "POST", url: `/api/tenant/${uuid(7)}`, body: { tenant: { name: "Other" } } },
        { ...group(1, "A"), tenantId: uuid(7) },
        group(2, "needs a tenant"),
      ];
      const { caller, log } = await start({ kickstart: { apiKeys: [first], requests } });
      expect((await caller.get(`/api/group/${uuid(1)}`)).at("group.tenantId")).toBe(uuid(7));
      expectEmpty(await caller.get(`/api/group/${uuid(2)}`), 404);
      expect(log).toHaveLength(1);
    });

    requirement("kickstart.first-key", "stops the start when the first key is missing, bound or restricted", async () => {
      const permissions = { endpoints: { "/api/group": ["GET"] } };
      const bad: KickstartDocument["apiKeys"][] = [
        [],
        [{ ...first, permissions }],
        [{ ...first, tenantId: uuid(5) }],
        [{ description: "no value" } as never],
      ];
      for (const apiKeys of bad) {
        const kickstart = { variables: { defaultTenantId: uuid(5) }, apiKeys, requests: [group(1, "A")] };
        await expect(start({ kickstart })).rejects.toThrow(/at least one API key|first must be/);
      }
      await expect(start({ kickstart: { requests: [] } as never })).rejects.toThrow(/at least one API key/);
    });

    requirement("kickstart.event", "ends with one event kickstart.success that names the instance", async () => {
      const world = await start({ kickstart: { apiKeys: [first], requests: [group(1, "A")] } });
      const events = await readEvents(world.storage, "kickstart.success");
      expect(events).toEqual([
        {
          type: "kickstart.success",
          id: expect.any(String),
          createInstant: world.clock.instant,
          instanceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      ]);
      expect(await readEvents((await start()).storage, "kickstart.success")).toEqual([]);
    });

    requirement("kickstart.once", "runs with a bootstrap key as well, also the very same one", async () => {
      const other = await start({ kickstart: { apiKeys: [first], requests: [group(1, "A")] } });
      expectOk(await other.caller.get(`/api/group/${uuid(1)}`));
      expectOk(await other.as(first.key).get(`/api/group/${uuid(1)}`));
      const same = await start({ kickstart: { apiKeys: [{ key: bootstrapKey }], requests: [group(1, "A")] } });
      expectOk(await same.caller.get(`/api/group/${uuid(1)}`));
    });
  });
});

describe("a kickstart on a storage that was started before", () => {
  requirement("kickstart.once", "is skipped the second time, even if its records have changed", async () => {
    const filename = `${makeDirectory()}/identity.db`;
    const kickstart = { apiKeys: [first], requests: [group(1, "A")] };
    const one = await startWorld(sqliteStorage({ filename }), { kickstart });
    expectEmpty(await one.caller.delete(`/api/group/${uuid(1)}`), 200);
    await one.identity.close();
    const two = await startWorld(sqliteStorage({ filename }), { kickstart: { ...kickstart, requests: [group(2, "B")] } });
    expect((await two.caller.get("/api/group")).at("groups")).toEqual([]);
    expect(await readEvents(two.storage, "kickstart.success")).toHaveLength(1);
    await two.identity.close();
    const three = await startWorld(sqliteStorage({ filename }), { kickstart: "/no/such/file.json" });
    expectOk(await three.caller.get("/api/group"));
  });

  requirement("kickstart.once", "runs when an earlier start had a bootstrap key and no kickstart", async () => {
    const filename = `${makeDirectory()}/identity.db`;
    await (await startWorld(sqliteStorage({ filename }))).identity.close();
    const two = await startWorld(sqliteStorage({ filename }), { kickstart: { apiKeys: [first], requests: [group(1, "A")] } });
    expectOk(await two.caller.get(`/api/group/${uuid(1)}`));
  });

  requirement("kickstart.all-or-nothing", "finds nothing of a start that failed", async () => {
    const filename = `${makeDirectory()}/identity.db`;
    const broken = { apiKeys: [{ key: "a" }, { key: "a-second-key", tenantId: uuid(9) }], requests: [] };
    await expect(startWorld(sqliteStorage({ filename }), { kickstart: broken })).rejects.toThrow();
    const two = await startWorld(sqliteStorage({ filename }), {
      kickstart: { apiKeys: [{ key: "a" }], requests: [group(1, "A")] },
    });
    expect(await two.identity.findPrincipal("a")).toMatchObject({ kind: "apiKey" });
    expect((await two.identity.tenants.list()).tenants).toHaveLength(1);
    expectOk(await two.caller.get(`/api/group/${uuid(1)}`));
  });

  requirement("kickstart.all-or-nothing", "leaves a memory storage usable too", async () => {
    const storage = memoryStorage();
    await expect(startWorld(storage, { kickstart: { apiKeys: [] } })).rejects.toThrow();
    const world = await startWorld(storage);
    expect((await world.identity.tenants.list()).tenants).toHaveLength(1);
  });
});
