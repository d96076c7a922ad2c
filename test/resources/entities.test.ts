import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { tables } from "../../src/families/index.js";
import { entitiesTable } from "../../src/records/entities/family.js";
import { digestSecret } from "../../src/security/seal.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { removeApiEntity } from "../support/clients.js";
import { makeEntity, makeEntityType } from "../support/families/entities.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, type Start, uuid, type World } from "../support/world.js";

const path = "/api/entity";

interface Things {
  readonly world: World;
  readonly type: { readonly id: string };
}

async function startWithType(start: Start): Promise<Things> {
  const world = await start();
  return { world, type: { id: await makeEntityType(world, "API") } };
}

forEachStorage((start) => {
  describe("making entities", () => {
    requirement(["entity.fields", "entity.client-id", "entity.secret"], "shows the defaults and every field given", async () => {
      const { world, type } = await startWithType(start);
      const { caller, clock, defaultTenantId: tenantId } = world;
      const own = { tenantId, type, insertInstant: clock.instant, lastUpdateInstant: clock.instant };
      const bare = expectOk(await caller.post(`${path}/${uuid(1)}`, { entity: { name: "Bare", type } }));
      expect(bare.body).toEqual({
        entity: { ...own, id: uuid(1), name: "Bare", data: {}, clientId: uuid(1), clientSecret: expect.any(String) },
      });
      const given = { name: "Full", data: { a: [1] }, clientId: "Billing", clientSecret: "s3cret:+/=", parentId: uuid(1) };
      const full = expectOk(await caller.post(`${path}/${uuid(2)}`, { entity: { ...given, type: { ...type, name: "x" } } }));
      expect(full.at("entity")).toEqual({ ...given, ...own, id: uuid(2) });
      expect((await caller.get(`${path}/${uuid(2)}`)).text).toBe(full.text);
      await removeApiEntity(world);
      expect((await caller.get(path)).at("entities")).toEqual([bare.at("entity"), full.at("entity")]);
    });

    requirement(
      ["entity.required", "errors.all-at-once"],
      "needs a name and a type, and refuses what is wrong at once",
      async () => {
        const { world, type } = await startWithType(start);
        const post = (entity: unknown): ReturnType<typeof world.caller.post> => world.caller.post(path, { entity });
        expectRefusal(await post({}), 400, "[blank]entity.name", "[missing]entity.type");
        expectRefusal(await post({ name: "A", type: {} }), 400, "[missing]entity.type.id");
        expectRefusal(await post({ name: "A", type: type.id }), 400, "[invalidJSON]entity.type");
        expectRefusal(await post(undefined), 400, "[missing]entity");
        const wrong = { name: " ", type: { id: "x" }, parentId: "x", data: [], clientId: 7, clientSecret: "two words" };
        expectRefusal(
          await post(wrong),
          400,
          "[blank]entity.name",
          "[couldNotConvert]entity.parentId",
          "[couldNotConvert]entity.type.id",
          "[invalid]entity.clientSecret",
          "[invalidJSON]entity.clientId",
          "[invalidJSON]entity.data",
        );
        const long = { name: "n".repeat(192), type, clientId: "c".repeat(192), clientSecret: "s".repeat(256) };
        const codes = ["name", "clientId", "clientSecret"].map((field) => `[tooLong]entity.${field}`);
        expectRefusal(await post(long), 400, ...codes);
        const unknown = await post({ name: "A", type: { id: uuid(8) }, parentId: uuid(9) });
        expectRefusal(unknown, 400, "[invalid]entity.parentId", "[invalid]entity.type.id");
      },
    );

    requirement("entity.name", "needs a name that no entity of the type and tenant has in any case", async () => {
      const { world, type } = await startWithType(start);
      const tenantId = world.defaultTenantId;
      const another = await makeEntityType(world, "Another");
      const tenant = await makeTenant(world, "Other");
      await makeEntity(world, tenantId, type.id, "Büro");
      await makeEntity(world, tenantId, another, "BÜRO");
      await makeEntity(world, tenant, type.id, "BÜRO");
      const caller = world.caller.inTenant(tenantId);
      expectRefusal(await caller.post(path, { entity: { name: "bÜRO", type } }), 400, "[duplicate]entity.name");
    });

    requirement("entity.client-id", "needs a client id that no other entity of the service has in any case", async () => {
      const { world, type } = await startWithType(start);
      const other = world.caller.inTenant(await makeTenant(world, "Other"));
      const caller = world.caller.inTenant(world.defaultTenantId);
      expectOk(await caller.post(`${path}/${uuid(1)}`, { entity: { name: "A", type, clientId: "billing" } }));
      const code = "[duplicate]entity.clientId";
      expectRefusal(await other.post(path, { entity: { name: "B", type, clientId: "Billing" } }), 400, code);
      expectOk(await other.post(`${path}/${uuid(2)}`, { entity: { name: "B", type } }));
      expectRefusal(await caller.patch(`${path}/${uuid(1)}`, { entity: { clientId: uuid(2) } }), 400, code);
      expectOk(await caller.patch(`${path}/${uuid(1)}`, { entity: { clientId: uuid(3) } }));
      expectRefusal(await caller.post(`${path}/${uuid(3)}`, { entity: { name: "C", type } }), 400, code);
      // A taken id is one mistake, although the client id would be taken with it.
      expectRefusal(await caller.post(`${path}/${uuid(2)}`, { entity: { name: "C", type } }), 400, "[duplicate]entityId");
      const both = await caller.post(`${path}/${uuid(2)}`, { entity: { name: "C", type, clientId: uuid(3) } });
      expectRefusal(both, 400, "[duplicate]entityId", code);
    });

    requirement(["entity.secret", "entity.client-id"], "keeps client id and secret where PUT and PATCH say nothing", async () => {
      const { world, type } = await startWithType(start);
      const { caller } = world;
      const credentials = { clientId: "billing", clientSecret: "s3cret" };
      const own = `${path}/${uuid(1)}`;
      expectOk(await caller.post(own, { entity: { name: "A", type, ...credentials } }));
      for (const change of [
        () => caller.put(own, { entity: { name: "B", type } }),
        () => caller.put(own, { entity: { name: "B", type, clientId: "", clientSecret: "" } }),
        () => caller.patch(own, { entity: { clientId: null, clientSecret: null } }),
        () => caller.jsonPatch(own, [{ op: "remove", path: "/entity/clientSecret" }]),
        () => caller.mergePatch(own, { entity: { data: { a: 1 } } }),
      ])
        expect(expectOk(await change()).at("entity")).toMatchObject(credentials);
      const rotated = expectOk(await caller.patch(own, { entity: { clientSecret: "another" } }));
      expect(rotated.at("entity")).toMatchObject({ clientId: "billing", clientSecret: "another" });
      expect((await caller.get(own)).at("entity.clientSecret")).toBe("another");
    });

    requirement("entity.secret", "makes 256 fresh bits where none is given", async () => {
      const { world, type } = await startWithType(start);
      const secrets = new Set<string>();
      for (const name of ["a", "b", "c"]) {
        const secret = expectOk(await world.caller.post(path, { entity: { name, type } })).textAt("entity.clientSecret");
        expect(Buffer.from(secret, "base64url").toString("base64url")).toBe(secret);
        expect(Buffer.from(secret, "base64url")).toHaveLength(32);
        secrets.add(secret);
      }
      expect(secrets.size).toBe(3);
    });

    requirement("entity.secret-sealed", "keeps the secret sealed, with a digest to compare with, and never logs it", async () => {
      const { world, type } = await startWithType(start);
      const { caller, storage } = world;
      const own = `${path}/${uuid(1)}`;
      const secret = expectOk(await caller.post(own, { entity: { name: "A", type } })).textAt("entity.clientSecret");
      expectOk(await caller.post(`${own}/grant`, { grant: { recipientEntityId: uuid(1) } }));
      expectOk(await caller.post(path, { entity: { name: "B", type, parentId: uuid(1) } }));
      for (const table of tables) expect(JSON.stringify(await storage.find(globalScope, table, undefined))).not.toContain(secret);
      const [stored] = await storage.find(globalScope, entitiesTable, { op: "equals", column: "id", value: uuid(1) });
      expect(JSON.parse(stored?.hidden ?? "")).toMatchObject({ secretDigest: digestSecret(secret) });
      const refusals = [
        await caller.delete(own),
        await caller.jsonPatch(own, [{ op: "test", path: "/entity/clientSecret", value: "guess" }]),
        await caller.patch(own, { entity: { clientSecret: "two words" } }),
      ];
      for (const { text } of refusals) expect(text).not.toContain(secret);
      expect(JSON.stringify(world.log)).not.toContain(secret);
    });
  });

  describe("the type, the parent and the tenant of an entity", () => {
    requirement("entity.type", "is never changed by PUT and PATCH", async () => {
      const { world, type } = await startWithType(start);
      const { caller } = world;
      const own = `${path}/${await makeEntity(world, world.defaultTenantId, type.id, "A")}`;
      for (const id of [await makeEntityType(world, "Another"), uuid(99)]) {
        expect(expectOk(await caller.put(own, { entity: { name: "A", type: { id } } })).at("entity.type")).toEqual(type);
        expect(expectOk(await caller.patch(own, { entity: { type: { id } } })).at("entity.type")).toEqual(type);
      }
      expectRefusal(await caller.put(own, { entity: { name: "A" } }), 400, "[missing]entity.type");
    });

    requirement("entity.parent", "is an entity of the same tenant", async () => {
      const { world, type } = await startWithType(start);
      const other = await makeTenant(world, "Other");
      const foreign = await makeEntity(world, other, type.id, "Foreign");
      const caller = world.caller.inTenant(world.defaultTenantId);
      const own = `${path}/${uuid(1)}`;
      for (const parentId of [foreign, uuid(1), uuid(99), type.id])
        expectRefusal(await caller.post(own, { entity: { name: "A", type, parentId } }), 400, "[invalid]entity.parentId");
      expectOk(await caller.post(own, { entity: { name: "A", type } }));
      expectRefusal(await world.caller.patch(own, { entity: { parentId: foreign } }), 400, "[invalid]entity.parentId");
      const parentId = await makeEntity(world, world.defaultTenantId, type.id, "Parent");
      expect(expectOk(await caller.patch(own, { entity: { parentId } })).at("entity.parentId")).toBe(parentId);
      expect(expectOk(await caller.put(own, { entity: { name: "A", type } })).at("entity.parentId")).toBeUndefined();
    });

    requirement("entity.parent", "is never the entity itself nor below it", async () => {
      const { world, type } = await startWithType(start);
      const { caller } = world;
      for (const number of [1, 2, 3]) {
        const parentId = number === 1 ? undefined : uuid(number - 1);
        expectOk(await caller.post(`${path}/${uuid(number)}`, { entity: { name: `E${number}`, type, parentId } }));
      }
      for (const number of [1, 2, 3]) {
        const answer = await caller.patch(`${path}/${uuid(1)}`, { entity: { parentId: uuid(number) } });
        expectRefusal(answer, 400, "[invalid]entity.parentId");
      }
      expectOk(await caller.patch(`${path}/${uuid(3)}`, { entity: { parentId: uuid(1) } }));
      expectOk(await caller.patch(`${path}/${uuid(2)}`, { entity: { parentId: uuid(3) } }));
    });

    requirement("entity.parent", "has at most 64 others above it", async () => {
      const { world, type } = await startWithType(start);
      const post = (number: number): ReturnType<typeof world.caller.post> => {
        const parentId = number === 0 ? undefined : uuid(number - 1);
        return world.caller.post(`${path}/${uuid(number)}`, { entity: { name: `E${number}`, type, parentId } });
      };
      for (let number = 0; number <= 64; number++) expectOk(await post(number));
      expectRefusal(await post(65), 400, "[invalid]entity.parentId");
      expectOk(await world.caller.patch(`${path}/${uuid(64)}`, { entity: { data: { a: 1 } } }));
    });

    requirement("entity.parent-in-use", "keeps the parent from being removed", async () => {
      const { world, type } = await startWithType(start);
      const { caller } = world;
      expectOk(await caller.post(`${path}/${uuid(1)}`, { entity: { name: "Parent", type } }));
      expectOk(await caller.post(`${path}/${uuid(2)}`, { entity: { name: "Child", type, parentId: uuid(1) } }));
      expectRefusal(await caller.delete(`${path}/${uuid(1)}`), 400, "[inUse]entityId");
      expectEmpty(await caller.delete(`${path}/${uuid(2)}`), 200);
      expectEmpty(await caller.delete(`${path}/${uuid(1)}`), 200);
    });

    requirement("entity.tenant", "takes its entities and their grants along, and leaves the type", async () => {
      const { world, type } = await startWithType(start);
      const { caller, storage } = world;
      const fill = async (tenantId: string): Promise<void> => {
        const parentId = await makeEntity(world, tenantId, type.id, "Parent");
        const entity = { name: "Child", type, parentId };
        const child = expectOk(await caller.inTenant(tenantId).post(path, { entity })).textAt("entity.id");
        expectOk(await caller.post(`${path}/${child}/grant`, { grant: { recipientEntityId: parentId } }));
      };
      const contents = (): Promise<unknown> => Promise.all(tables.map((table) => storage.find(globalScope, table, undefined)));
      await fill(world.defaultTenantId);
      const before = await contents();
      const other = await makeTenant(world, "Other");
      await fill(other);
      expectEmpty(await caller.delete(`/api/tenant/${other}`), 200);
      expect(await contents()).toEqual(before);
    });
  });
});
