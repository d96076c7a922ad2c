// Whatever limits a key limits what it makes: no call of a key manager leads to a key that does more than its own.
import { describe, expect } from "vitest";
import { toJSONSchema } from "zod";
import { apiKeyRequest } from "../../src/records/api-keys/schema.js";
import { type Answer, codesOf, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import type { Caller } from "../support/caller.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, uuid, type World } from "../support/world.js";

const path = "/api/api-key";
const [ownId, otherId, listId, otherListId] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const expiry = 1_800_000_000_000;

/** A member that limits what a key can do: a value of it, and values that limit less or otherwise. */
interface Limit {
  readonly member: string;
  readonly value: unknown;
  readonly wider: readonly unknown[];
}

const limits: readonly Limit[] = [
  {
    member: "permissions",
    value: { endpoints: { "/api/group": ["GET"] } },
    wider: [
      null,
      {},
      { endpoints: {} },
      { endpoints: { "/api/group": ["GET", "POST"] } },
      { endpoints: { "/api/user": ["GET"] } },
    ],
  },
  { member: "expirationInstant", value: expiry, wider: [null, expiry + 1, 9e12] },
  { member: "ipAccessControlListId", value: listId, wider: [null, otherListId] },
  { member: "tenantId", value: "own", wider: [null, "other"] },
  { member: "keyManager", value: true, wider: [true] },
];

/** Limits as somebody misspells them, with the path of the refusal. */
const misspelt: readonly (readonly [fields: object, path: string])[] = [
  [{ permissions: { endpoint: { "/api/user": ["GET"] } } }, "apiKey.permissions.endpoint"],
  [{ permissions: { "endpoints ": {} } }, "apiKey.permissions[endpoints ]"],
  [{ permission: {} }, "apiKey.permission"],
  [{ tenantID: ownId }, "apiKey.tenantID"],
  [{ tenants: [ownId] }, "apiKey.tenants"],
  [{ expirationinstant: expiry }, "apiKey.expirationinstant"],
  [{ ipAccessControlListID: listId }, "apiKey.ipAccessControlListID"],
  [{ metaData: { attribute: {} } }, "apiKey.metaData.attribute"],
];

/** Members that limit nothing. */
const harmless = ["key", "name", "retrievable", "metaData"];

/** Walked with all routes: test/authenticate/keys-of-tenants.test.ts. */
const walked = ["tenantIds"];

/** Every way to write a key, of the manager's own or of another. */
const ways: readonly (readonly [
  string,
  (caller: Caller, id: string, fields: Readonly<Record<string, unknown>>) => Promise<Answer>,
])[] = [
  ["POST", (caller, _id, apiKey) => caller.post(path, { apiKey })],
  ["POST of a copy", (caller, id, apiKey) => caller.post(path, { sourceKeyId: id, apiKey })],
  ["PUT", (caller, id, apiKey) => caller.put(`${path}/${id}`, { apiKey })],
  ["PATCH", (caller, id, apiKey) => caller.patch(`${path}/${id}`, { apiKey })],
  ["merge patch", (caller, id, apiKey) => caller.mergePatch(`${path}/${id}`, { apiKey })],
  [
    "JSON patch",
    (caller, id, apiKey) => {
      const steps = Object.entries(apiKey).map(([name, value]) =>
        value === null ? { op: "remove", path: `/apiKey/${name}` } : { op: "add", path: `/apiKey/${name}`, value },
      );
      return caller.jsonPatch(`${path}/${id}`, steps);
    },
  ],
];

interface Office {
  readonly world: World;
  readonly manager: Caller;
  readonly tenants: Readonly<Record<string, string>>;
  /** The record of a key, without what says when it changed. */
  readonly read: (id: string) => Promise<unknown>;
}

async function arrange(world: World, limit: Limit): Promise<Office> {
  for (const id of [listId, otherListId]) {
    const ipAccessControlList = { name: id, entries: [{ action: "Allow", startIPAddress: "*" }] };
    expectOk(await world.caller.post(`/api/ip-acl/${id}`, { ipAccessControlList }));
  }
  const tenants = { own: world.defaultTenantId, other: await makeTenant(world, "Other") };
  const value = limit.member === "tenantId" ? tenants.own : limit.value;
  const own = { [limit.member]: value, keyManager: true };
  await world.identity.apiKeys.create({ keyId: ownId, apiKey: { ...own, key: "manager", name: "manager" } });
  await world.identity.apiKeys.create({ keyId: otherId, apiKey: { ...own, keyManager: false, key: "other", name: "other" } });
  return { world, manager: world.as("manager"), tenants, read: async (id) => (await world.caller.get(`${path}/${id}`)).body };
}

/** What a key may not be made into: a value that limits less, by the tenants that there are. */
function widened({ member }: Limit, value: unknown, { tenants }: Office): Readonly<Record<string, unknown>> {
  return { [member]: member === "tenantId" && typeof value === "string" ? tenants[value] : value };
}

forEachStorage((start) => {
  describe("a key manager that is limited", () => {
    requirement("key.manager-limits", "is limited by every member that limits anything", () => {
      const { properties } = toJSONSchema(apiKeyRequest as never, { io: "input", unrepresentable: "any" });
      const { properties: members = {} } = (properties?.apiKey ?? {}) as { readonly properties?: object };
      expect([...limits.map(({ member }) => member), ...harmless, ...walked].toSorted()).toEqual(Object.keys(members).toSorted());
    });

    for (const limit of limits)
      requirement(["key.manager-limits", "key.granting"], `by ${limit.member} makes no key that is limited less`, async () => {
        const office = await arrange(await start(), limit);
        const { manager, read } = office;
        const value = limit.member === "tenantId" ? office.tenants.own : limit.value;
        for (const [name, write] of ways)
          for (const id of [ownId, otherId])
            for (const wider of limit.wider) {
              const before = await read(id);
              const isManager = limit.member === "keyManager" && id === ownId && !name.startsWith("POST");
              const answer = await write(manager, id, widened(limit, wider, office));
              if (answer.status === 200) {
                // What never changes, or what a copy takes over, is as limited as before.
                const made = answer.at("apiKey") as Readonly<Record<string, unknown>>;
                expect([name, wider, made[limit.member] ?? null]).toEqual([name, wider, isManager ? true : value]);
                continue;
              }
              expect([name, wider, answer.status, codesOf(answer)]).toEqual([
                name,
                wider,
                400,
                [`[invalid]apiKey.${limit.member}`],
              ]);
              expect(await read(id)).toEqual(before);
            }
      });

    requirement("key.manager-limits", "by its expiry makes keys that end with it or earlier, and sees no others", async () => {
      const { world, manager } = await arrange(await start(), limits[1] ?? expect.fail());
      for (const expirationInstant of [expiry, expiry - 1, 1])
        expectOk(await manager.post(path, { apiKey: { expirationInstant } }));
      expectOk(await manager.patch(`${path}/${ownId}`, { apiKey: { expirationInstant: expiry - 5 } }));
      expect((await manager.patch(`${path}/${ownId}`, { apiKey: { expirationInstant: expiry } })).status).toBe(400);
      for (const [number, expirationInstant] of [undefined, expiry + 1].entries()) {
        const url = `${path}/${uuid(10 + number)}`;
        expectOk(await world.caller.post(url, { apiKey: { expirationInstant } }));
        expectEmpty(await manager.get(url), 401);
        expectEmpty(await manager.put(url, { apiKey: { expirationInstant: 1 } }), 401);
        expectEmpty(await manager.patch(url, { apiKey: { expirationInstant: 1 } }), 401);
        expectEmpty(await manager.delete(url), 401);
        expectOk(await world.caller.get(url));
      }
    });

    requirement("service.strict-keys", "no body of a key or a grant has a member that does not exist", async () => {
      const world = await start();
      const { caller } = world;
      const key = `${path}/${ownId}`;
      expectOk(await caller.post(key, { apiKey: { permissions: { endpoints: { "/api/user": ["GET"] } } } }));
      const before = (await caller.get(key)).text;
      for (const [fields, where] of misspelt) {
        const refusal = `[unknown]${where}`;
        const body = { apiKey: fields };
        expectRefusal(await caller.post(path, body), 400, refusal);
        expectRefusal(await caller.post(path, { ...body, sourceKeyId: ownId }), 400, refusal);
        expectRefusal(await caller.put(key, body), 400, refusal);
        expectRefusal(await caller.patch(key, body), 400, refusal);
        expectRefusal(await caller.patch(key, body, { "content-type": "application/merge-patch+json" }), 400, refusal);
      }
      const step = { op: "add", path: "/apiKey/tenantID", value: otherId };
      expectRefusal(
        await caller.patch(key, [step], { "content-type": "application/json-patch+json" }),
        400,
        "[unknown]apiKey.tenantID",
      );
      expectRefusal(await caller.post(path, { sourceKeyID: ownId }), 400, "[unknown]sourceKeyID");
      expectRefusal(await caller.post(`${key}/rotate`, { gracePeriod: 0 }), 400, "[unknown]gracePeriod");
      expectRefusal(
        await caller.post(`/api/entity/${uuid(5)}/grant`, { grant: { permission: [] } }),
        400,
        "[unknown]grant.permission",
      );
      expect((await caller.get(key)).text).toBe(before);
      // What an answer carries comes back as it is.
      expectOk(await caller.put(key, JSON.parse(before) as object));
    });
  });
});
