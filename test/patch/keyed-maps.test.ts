// Keys that have several spellings: ids, names of headers, codes of countries. Every body and every flavour of PATCH.
import { describe, expect } from "vitest";
import { expectOk, expectRefusal } from "../support/answer.js";
import type { Caller } from "../support/caller.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type World } from "../support/world.js";

/** A map of a record: where it is, a key in two spellings, an entry, and a change of it. */
interface KeyedMap {
  readonly path: string;
  readonly wrapper: string;
  readonly map: string;
  readonly record: object;
  readonly key: string;
  readonly other: string;
  readonly entry: unknown;
  readonly change: unknown;
  readonly changed: unknown;
}

const entry = { createRegistration: false, data: { plan: "gold" }, enabled: true };

async function providerMap(caller: Caller, map: string): Promise<KeyedMap> {
  const application = await caller.post("/api/application", { application: { name: "Shop" } });
  const tenants = await caller.get("/api/tenant");
  const isApplication = map === "applicationConfiguration";
  const key = String(isApplication ? application.at("application.id") : tenants.at("tenants.0.id"));
  const limitUserLinkCount = { enabled: true, maximumLinks: 3 };
  return {
    path: "/api/identity-provider",
    wrapper: "identityProvider",
    map,
    record: { name: "Provider", type: "ExternalJWT", uniqueIdentityClaim: "sub", headerKeyParameter: "kid" },
    key,
    other: key.toUpperCase(),
    entry: isApplication ? entry : { data: { plan: "gold" }, limitUserLinkCount },
    change: { data: { seats: 2 } },
    changed: isApplication
      ? { ...entry, data: { plan: "gold", seats: 2 } }
      : { data: { plan: "gold", seats: 2 }, limitUserLinkCount },
  };
}

const named = { entry: "one", change: "two", changed: "two", key: "X-Key", other: "x-KEY" } as const;

const plainMaps: readonly KeyedMap[] = [
  {
    ...named,
    path: "/api/webhook",
    wrapper: "webhook",
    map: "headers",
    record: { url: "https://example.com", connectTimeout: 1, readTimeout: 1 },
  },
  {
    ...named,
    path: "/api/connector",
    wrapper: "connector",
    map: "headers",
    record: { name: "Own", type: "Generic", authenticationURL: "https://example.com", connectTimeout: 1, readTimeout: 1 },
  },
  {
    ...named,
    path: "/api/messenger",
    wrapper: "messenger",
    map: "headers",
    record: { name: "Own", type: "Generic", url: "https://example.com", connectTimeout: 1, readTimeout: 1 },
  },
  {
    path: "/api/consent",
    wrapper: "consent",
    map: "countryMinimumAgeForSelfConsent",
    record: { name: "Terms", defaultMinimumAgeForSelfConsent: 16 },
    key: "de",
    other: "DE",
    entry: 14,
    change: 15,
    changed: 15,
  },
];

async function mapsIn({ caller }: World): Promise<readonly KeyedMap[]> {
  return [await providerMap(caller, "applicationConfiguration"), await providerMap(caller, "tenantConfiguration"), ...plainMaps];
}

async function make({ caller }: World, { path, wrapper, map, record, key, entry }: KeyedMap): Promise<string> {
  const made = await caller.post(path, { [wrapper]: { ...record, [map]: { [key]: entry } } });
  expectOk(made);
  return `${path}/${made.at(`${wrapper}.id`)}`;
}

forEachStorage((start) => {
  describe("a key in another spelling", () => {
    requirement("wire.keys", "names the same entry to each flavour of PATCH, and takes nothing of it away", async () => {
      const world = await start();
      const { caller } = world;
      for (const one of await mapsIn(world)) {
        const { change, changed, key, map, other, wrapper } = one;
        const isObject = typeof change === "object";
        const operations = isObject
          ? [{ op: "add", path: `/${wrapper}/${map}/${other}/data/seats`, value: 2 }]
          : [
              { op: "test", path: `/${wrapper}/${map}`, value: { [other]: one.entry } },
              { op: "replace", path: `/${wrapper}/${map}/${other}`, value: change },
            ];
        const patch = { [wrapper]: { [map]: { [other]: change } } };
        const flavours = [
          (path: string) => caller.patch(path, patch),
          (path: string) => caller.mergePatch(path, patch),
          (path: string) => caller.jsonPatch(path, operations),
        ];
        for (const apply of flavours) {
          const path = await make(world, one);
          const answer = await apply(path);
          expectOk(answer);
          expect([wrapper, answer.at(`${wrapper}.${map}`)]).toEqual([wrapper, { [key]: changed }]);
          expect((await caller.get(path)).at(`${wrapper}.${map}`)).toEqual({ [key]: changed });
          expectOk(await caller.mergePatch(path, { [wrapper]: { [map]: { [other]: null } } }));
          expect((await caller.get(path)).at(`${wrapper}.${map}`)).toEqual({});
          expectOk(await caller.delete(path));
        }
      }
    });

    requirement("wire.keys", "is the same entry of a body, of which the last counts", async () => {
      const world = await start();
      for (const one of await mapsIn(world)) {
        const { change, key, map, other, record, wrapper } = one;
        const path = await make(world, one);
        const body = { [wrapper]: { ...record, [map]: { [key]: one.entry, [other]: change } } };
        const answer = await world.caller.put(path, body);
        expectOk(answer);
        expect(Object.keys(answer.at(`${wrapper}.${map}`) as object)).toEqual([key]);
        expect(answer.at(`${wrapper}.${map}.${key}`)).toMatchObject(change as object);
        expectOk(await world.caller.delete(path));
      }
    });

    requirement("wire.keys", "moves and copies the entry that it names", async () => {
      const world = await start();
      const made = await world.caller.post("/api/webhook", {
        webhook: { url: "https://example.com", connectTimeout: 1, readTimeout: 1, headers: { "X-Key": "one" } },
      });
      const answer = await world.caller.jsonPatch(`/api/webhook/${made.at("webhook.id")}`, [
        { op: "copy", from: "/webhook/headers/x-key", path: "/webhook/headers/X-Copy" },
        { op: "move", from: "/webhook/headers/x-key", path: "/webhook/headers/X-Moved" },
      ]);
      expectOk(answer);
      expect(answer.at("webhook.headers")).toEqual({ "X-Copy": "one", "X-Moved": "one" });
    });

    requirement("wire.keys", "names a group a second time, which is refused", async () => {
      const { caller } = await start();
      const id = String((await caller.post("/api/group", { group: { name: "Staff" } })).at("group.id"));
      const members = { [id]: [], [id.toUpperCase()]: [] };
      for (const answer of [
        await caller.post("/api/group/member", { members }),
        await caller.put("/api/group/member", { members }),
      ])
        expectRefusal(answer, 400, `[duplicate]members[${id.toUpperCase()}]`);
    });
  });
});
