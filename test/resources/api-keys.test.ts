import { isGeneratedApiKey } from "latchkey";
import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, uuid } from "../support/world.js";

const path = "/api/api-key";

forEachStorage((start) => {
  describe("making an API key", () => {
    requirement(
      ["key.fields", "key.value-generated", "output.nulls", "output.empties"],
      "shows the defaults of every field",
      async () => {
        const { caller, clock } = await start();
        const answer = expectOk(await caller.post(path, {}));
        expect(answer.body).toEqual({
          apiKey: {
            id: expect.any(String),
            key: expect.any(String),
            keyManager: false,
            retrievable: true,
            metaData: { attributes: {} },
            permissions: { endpoints: {} },
            insertInstant: clock.instant,
            lastUpdateInstant: clock.instant,
          },
        });
        const value = answer.textAt("apiKey.key");
        expect(value).toMatch(/^lk_[\w-]{43}[0-9a-f]{8}$/);
        expect(isGeneratedApiKey(value)).toBe(true);
        expect(isGeneratedApiKey(`${value.slice(0, -1)}${value.endsWith("0") ? "1" : "0"}`)).toBe(false);
        expect(expectOk(await caller.post(path)).textAt("apiKey.key")).not.toBe(value);
      },
    );

    requirement("key.fields", "shows every field that is given", async () => {
      const world = await start();
      const apiKey = {
        key: "my-own-value",
        name: "Mine",
        tenantId: world.defaultTenantId,
        expirationInstant: world.clock.instant + 1,
        metaData: { attributes: { description: "for the nightly job", owner: "ops" } },
        permissions: { endpoints: { "/api/group": ["GET", "POST"], "/api/user": [] } },
        retrievable: true,
      };
      const answer = expectOk(await world.caller.post(`${path}/${uuid(1)}`, { apiKey }));
      expect(answer.at("apiKey")).toEqual({ ...apiKey, id: uuid(1), keyManager: false, ...instants(world.clock.instant) });
      expect((await world.caller.get(`${path}/${uuid(1)}`)).text).toBe(answer.text);
    });

    requirement("key.value-given", "takes any value that a header can carry", async () => {
      const world = await start();
      for (const key of ["x", "7", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "k".repeat(191)]) {
        expectOk(await world.caller.post(path, { apiKey: { key } }));
        expectOk(await world.as(key).get("/api/group"));
      }
      for (const key of [" ", "with space", "tab\t", "ümlaut", "line\n"])
        expect((await world.caller.post(path, { apiKey: { key } })).text).toMatch(/\[(invalid|blank)\]apiKey\.key/);
      expectRefusal(await world.caller.post(path, { apiKey: { key: "k".repeat(192) } }), 400, "[tooLong]apiKey.key");
      expectRefusal(await world.caller.post(path, { apiKey: { key: 7 } }), 400, "[invalidJSON]apiKey.key");
    });

    requirement("key.value-unique", "refuses a value or a name that another key has, in any tenant", async () => {
      const world = await start();
      expectOk(await world.caller.post(path, { apiKey: { key: "taken", name: "Taken", tenantId: world.defaultTenantId } }));
      const other = await makeTenant(world, "Other");
      const answer = await world.caller.post(path, { apiKey: { key: "taken", name: "TAKEN", tenantId: other } });
      expectRefusal(answer, 400, "[duplicate]apiKey.key", "[duplicate]apiKey.name");
      expectOk(await world.caller.post(path, { apiKey: { key: "TAKEN" } }));
      for (const name of [undefined, "", " "]) expectOk(await world.caller.post(path, { apiKey: { name } }));
    });

    requirement("key.not-retrievable", "needs a name for a key that cannot be read again", async () => {
      const { caller } = await start();
      for (const name of [undefined, null, "", "  "])
        expectRefusal(await caller.post(path, { apiKey: { name, retrievable: false } }), 400, "[blank]apiKey.name");
      expectOk(await caller.post(path, { apiKey: { name: "Named", retrievable: false } }));
    });

    requirement(["key.retrievable", "key.not-retrievable"], "shows the value always, or once in the answer to POST", async () => {
      const world = await start();
      for (const retrievable of [true, false]) {
        const name = `retrievable ${retrievable}`;
        const made = expectOk(await world.caller.post(path, { apiKey: { name, retrievable } }));
        const value = made.textAt("apiKey.key");
        const own = `${path}/${made.textAt("apiKey.id")}`;
        const shown = retrievable ? value : undefined;
        expect((await world.caller.get(own)).at("apiKey.key")).toBe(shown);
        expect(expectOk(await world.caller.put(own, { apiKey: { name } })).at("apiKey.key")).toBe(shown);
        expect(expectOk(await world.caller.patch(own, { apiKey: {} })).at("apiKey.key")).toBe(shown);
        expectOk(await world.as(value).get("/api/group"));
      }
    });

    requirement("key.tenant", "refuses an unknown tenant, and never changes the tenant", async () => {
      const world = await start();
      expectRefusal(await world.caller.post(path, { apiKey: { tenantId: uuid(99) } }), 400, "[invalid]apiKey.tenantId");
      const other = await makeTenant(world, "Other");
      const own = `${path}/${expectOk(await world.caller.post(path, { apiKey: { tenantId: other } })).textAt("apiKey.id")}`;
      for (const tenantId of [world.defaultTenantId, null, undefined, other]) {
        expect(expectOk(await world.caller.put(own, { apiKey: { tenantId } })).at("apiKey.tenantId")).toBe(other);
        expect(expectOk(await world.caller.patch(own, { apiKey: { tenantId } })).at("apiKey.tenantId")).toBe(other);
      }
      const global = `${path}/${expectOk(await world.caller.post(path, {})).textAt("apiKey.id")}`;
      expect(expectOk(await world.caller.put(global, { apiKey: { tenantId: other } })).at("apiKey.tenantId")).toBeUndefined();
    });

    requirement("key.metadata", "takes texts as attributes and nothing else", async () => {
      const { caller } = await start();
      const attributes = { description: "d", "any key": "v", constructor: "c" };
      expect(expectOk(await caller.post(path, { apiKey: { metaData: { attributes } } })).at("apiKey.metaData")).toEqual({
        attributes,
      });
      for (const value of [7, true, {}, []]) {
        const answer = await caller.post(path, { apiKey: { metaData: { attributes: { a: value } } } });
        expectRefusal(answer, 400, "[invalidJSON]apiKey.metaData.attributes.a");
      }
    });

    requirement("key.access-list", "refuses an access list that does not exist", async () => {
      const { caller } = await start();
      const answer = await caller.post(path, { apiKey: { ipAccessControlListId: uuid(1) } });
      expectRefusal(answer, 400, "[invalid]apiKey.ipAccessControlListId");
    });

    requirement("errors.all-at-once", "reports all wrong fields at once", async () => {
      const { caller } = await start();
      const apiKey = {
        key: 1,
        name: 2,
        retrievable: "yes",
        tenantId: "x",
        expirationInstant: "soon",
        permissions: { endpoints: { a: ["FLY"] } },
      };
      expectRefusal(
        await caller.post(path, { apiKey }),
        400,
        "[couldNotConvert]apiKey.tenantId",
        "[invalidJSON]apiKey.expirationInstant",
        "[invalidJSON]apiKey.key",
        "[invalidJSON]apiKey.name",
        "[invalidJSON]apiKey.retrievable",
        "[invalidOption]apiKey.permissions.endpoints.a[0]",
      );
    });
  });

  describe("changing an API key", () => {
    requirement("key.value-immutable", "keeps value and retrievable through PUT and PATCH", async () => {
      const world = await start();
      const own = `${path}/${uuid(1)}`;
      expectOk(await world.caller.post(own, { apiKey: { key: "first", name: "N" } }));
      for (const change of [{ key: "second" }, { retrievable: false }, { key: null, retrievable: null }]) {
        const apiKey = { name: "N", ...change };
        for (const answer of [await world.caller.put(own, { apiKey }), await world.caller.patch(own, { apiKey })])
          expect(expectOk(answer).at("apiKey")).toMatchObject({ key: "first", retrievable: true });
      }
      expectOk(await world.as("first").get("/api/group"));
      expectEmpty(await world.as("second").get("/api/group"), 401);
    });

    requirement("key.expiration", "ends at its expiration, and PUT without one lets it live on", async () => {
      const world = await start();
      const own = `${path}/${uuid(1)}`;
      const expirationInstant = world.clock.instant + 1_000;
      expectOk(await world.caller.post(own, { apiKey: { key: "mortal", expirationInstant } }));
      world.clock.advance(999);
      expectOk(await world.as("mortal").get("/api/group"));
      world.clock.advance(1);
      expectEmpty(await world.as("mortal").get("/api/group"), 401);
      expect(await world.identity.findPrincipal("mortal")).toBeUndefined();
      expect(expectOk(await world.caller.put(own, { apiKey: {} })).at("apiKey.expirationInstant")).toBeUndefined();
      expectOk(await world.as("mortal").get("/api/group"));
      expectOk(await world.caller.patch(own, { apiKey: { expirationInstant: world.clock.instant } }));
      expectEmpty(await world.as("mortal").get("/api/group"), 401);
    });

    requirement("key.effective-at-once", "counts at once: made, changed and revoked", async () => {
      const world = await start();
      const own = `${path}/${uuid(1)}`;
      const key = world.as("fresh");
      expectEmpty(await key.get("/api/group"), 401);
      expectOk(await world.caller.post(own, { apiKey: { key: "fresh" } }));
      expectOk(await key.get("/api/group"));
      expectOk(await world.caller.patch(own, { apiKey: { permissions: { endpoints: { "/api/user": ["GET"] } } } }));
      expectEmpty(await key.get("/api/group"), 401);
      expectOk(await world.caller.put(own, { apiKey: {} }));
      expectOk(await key.get("/api/group"));
      expectEmpty(await world.caller.delete(own), 200);
      expectEmpty(await key.get("/api/group"), 401);
    });

    requirement("key.by-id-only", "has no list and no search", async () => {
      const { caller } = await start();
      expectRefusal(await caller.get(path), 400, "[missing]keyId");
      expectEmpty(await caller.get(`${path}/search`), 404);
    });
  });
});

function instants(instant: number): object {
  return { insertInstant: instant, lastUpdateInstant: instant };
}
