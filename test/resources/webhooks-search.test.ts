import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { searchBoth } from "../support/search.js";
import { makeWebhook } from "../support/webhooks.js";
import { forEachStorage, makeTenant, uuid, type World } from "../support/world.js";

const path = "/api/webhook";

/** The last parts of the URLs that a search finds, in order. */
async function found(world: World, criteria: Readonly<Record<string, unknown>>): Promise<string[]> {
  const answer = expectOk(await searchBoth(world, path, criteria));
  const names = answer.each("webhooks", "url").map((url) => String(url).split("/").at(-1) ?? "");
  expect(answer.at("total")).toBe(names.length);
  return names;
}

/** Makes webhooks with these URLs and descriptions, each a millisecond after the one before. */
async function makeAll(world: World, webhooks: Readonly<Record<string, object>>): Promise<void> {
  for (const [name, fields] of Object.entries(webhooks)) {
    await makeWebhook(world, { url: `https://example.com/${name}`, ...fields });
    world.clock.advance(1);
  }
}

forEachStorage((start) => {
  describe("a search of webhooks", () => {
    requirement("webhook.search", "finds by url and description, with stars and without case", async () => {
      const world = await start();
      await makeAll(world, { shop: { description: "Tells the SHOP" }, crm: { description: "ärzte" }, none: {} });
      expect(await found(world, {})).toEqual(["none", "crm", "shop"]);
      expect(await found(world, { url: "EXAMPLE.com/s" })).toEqual(["shop"]);
      expect(await found(world, { url: "https://*/c*" })).toEqual(["crm"]);
      expect(await found(world, { url: "example" })).toEqual(["none", "crm", "shop"]);
      expect(await found(world, { url: "example*" })).toEqual([]);
      expect(await found(world, { description: "the shop" })).toEqual(["shop"]);
      expect(await found(world, { description: "ÄRZTE" })).toEqual(["crm"]);
      expect(await found(world, { description: "*", url: "*m" })).toEqual(["crm"]);
      expect(await found(world, { description: "tells", url: "crm" })).toEqual([]);
      expect(expectOk(await world.caller.post(`${path}/search`)).at("total")).toBe(3);
    });

    requirement("webhook.search", "never finds by what is secret", async () => {
      const world = await start();
      await makeAll(world, { a: { headers: { Authorization: "hidden" }, httpAuthenticationPassword: "hidden" } });
      const search = { headers: "hidden", httpAuthenticationPassword: "nothing" };
      const codes = ["headers", "httpAuthenticationPassword"].map((name) => `[unknown]search.${name}`);
      expectRefusal(await world.caller.post(`${path}/search`, { search }), 400, ...codes);
      expect(await found(world, { description: "hidden" })).toEqual([]);
      expect((await world.caller.get(`${path}/search`)).at("webhooks.0.headers.Authorization")).toBe("hidden");
    });

    requirement("webhook.search-tenant", "finds the webhooks of a tenant and the global ones", async () => {
      const world = await start();
      const [own, other] = [world.defaultTenantId, await makeTenant(world, "Other")];
      await makeAll(world, {
        global: { global: true },
        own: { tenantIds: [own] },
        both: { tenantIds: [other, own] },
        other: { tenantIds: [other] },
        none: {},
      });
      expect(await found(world, { tenantId: own })).toEqual(["both", "own", "global"]);
      expect(await found(world, { tenantId: other.toUpperCase() })).toEqual(["other", "both", "global"]);
      expect(await found(world, { tenantId: uuid(9) })).toEqual(["global"]);
      expect(await found(world, { tenantId: own, url: "o" })).toEqual(["both", "own", "global"]);
      expect(await found(world, { tenantId: own, url: "*own" })).toEqual(["own"]);
      expect(await found(world, { tenantId: "" })).toHaveLength(5);
      expectRefusal(await searchBoth(world, path, { tenantId: "x" }), 400, "[couldNotConvert]tenantId");
      const first = expectOk(await searchBoth(world, path, { tenantId: own, numberOfResults: 2 }));
      const next = { numberOfResults: 2, nextResults: first.at("nextResults") };
      const second = expectOk(await searchBoth(world, path, { tenantId: own, ...next }));
      expect(second.each("webhooks", "url")).toEqual(["https://example.com/global"]);
      expectRefusal(await searchBoth(world, path, { tenantId: other, ...next }), 400, "[invalid]nextResults");
    });

    requirement("webhook.search-order", "is ordered by instant, the newest first, and by four fields", async () => {
      const world = await start();
      await makeAll(world, { b: { description: "x" }, C: {}, a: { description: "Y" } });
      const expected: Readonly<Record<string, string[]>> = {
        insertInstant: ["b", "C", "a"],
        "insertInstant DESC": ["a", "C", "b"],
        url: ["a", "b", "C"],
        "url desc": ["C", "b", "a"],
        description: ["C", "b", "a"],
        "description DESC": ["a", "b", "C"],
      };
      expect(await found(world, {})).toEqual(["a", "C", "b"]);
      for (const [orderBy, names] of Object.entries(expected))
        expect({ orderBy, names: await found(world, { orderBy }) }).toEqual({ orderBy, names });
      const byId = expectOk(await searchBoth(world, path, { orderBy: "id DESC" })).each("webhooks", "id") as string[];
      expect(byId).toEqual([...byId].sort().reverse());
      for (const orderBy of ["readTimeout", "tenantId"])
        expectRefusal(await searchBoth(world, path, { orderBy }), 400, "[invalid]orderBy");
    });

    requirement("webhook.search-order", "breaks ties of instants by id, in descending order", async () => {
      const world = await start();
      const ids = await Promise.all([1, 2, 3].map(() => makeWebhook(world)));
      const newestFirst = [...ids].sort().reverse();
      expect((await searchBoth(world, path, {})).each("webhooks", "id")).toEqual(newestFirst);
      expect((await world.caller.get(path)).each("webhooks", "id")).toEqual(newestFirst);
    });
  });
});
