import { defaultApiEntityId, type IdentityServiceOptions } from "latchkey";
import { globalScope } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect } from "vitest";
import { installationsTable } from "../../src/families/index.js";
import { apiEntityTypeId } from "../../src/records/entity-types/family.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { askToken, callerWithToken, grantTo, makeClient, refusalOf, removeApiEntity, startOffice } from "../support/clients.js";
import { makeEntityType } from "../support/families/entities.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { forEachStorage, startWorld, uuid, type World } from "../support/world.js";

/** Starts on the same file as the last time. */
function restartable(): (options?: Partial<IdentityServiceOptions>) => Promise<World> {
  const filename = `${makeDirectory()}/identity.db`;
  return (options) => startWorld(sqliteStorage({ filename }), options);
}

/** Takes the entity of the API out of a storage, as if its release had not known it. */
async function forgetApiEntity(world: World): Promise<void> {
  await removeApiEntity(world);
  await world.storage.transaction(async (tx) => {
    const [installation] = await tx.find(globalScope, installationsTable, undefined);
    if (installation === undefined) throw new Error("There is no installation.");
    const { builtIns, ...known } = JSON.parse(installation.json);
    const json = JSON.stringify({ ...known, builtIns: builtIns.filter((name: string) => !name.startsWith("apiEntity")) });
    const { id, tenantId, version, hidden } = installation;
    const instants = { insertInstant: known.insertInstant, lastUpdateInstant: known.insertInstant };
    const columns = { kickstartInstant: null };
    await tx.update(globalScope, installationsTable, { id, tenantId, hidden, json, columns, ...instants, version: version + 1 });
  });
}

forEachStorage((start) => {
  describe("the entity of this API", () => {
    requirement("client.entity", "is there from the first start, in the default tenant, with its type", async () => {
      for (const options of [{}, { plan: "community" }, { version: "1.20.0" }] as const) {
        const world = await start(options);
        const { entity } = await world.identity.entities.retrieve({ entityId: defaultApiEntityId });
        const instants = { insertInstant: world.clock.instant, lastUpdateInstant: world.clock.instant };
        expect(entity).toEqual({
          ...instants,
          id: defaultApiEntityId,
          clientId: defaultApiEntityId,
          clientSecret: expect.stringMatching(/^[\w-]{43}$/),
          data: {},
          name: "Administrative API",
          tenantId: world.defaultTenantId,
          type: { id: apiEntityTypeId },
        });
        const { entityType } = await world.identity.entityTypes.retrieve({ entityTypeId: apiEntityTypeId });
        expect(entityType).toEqual({
          ...instants,
          id: apiEntityTypeId,
          data: {},
          jwtConfiguration: { enabled: false },
          name: "Administrative API",
          permissions: [],
        });
      }
    });

    requirement("client.entity-kept", "changes as others do, and stays", async () => {
      const { caller } = await start();
      const path = `/api/entity/${defaultApiEntityId}`;
      expectOk(await caller.patch(path, { entity: { name: "Our API", data: { a: 1 } } }));
      expectRefusal(await caller.delete(path), 400, "[inUse]entityId");
      expectRefusal(await caller.delete(`/api/entity/type/${apiEntityTypeId}`), 400, "[inUse]entityTypeId");
      expect((await caller.get(path)).at("entity.name")).toBe("Our API");
    });

    requirement("client.entity-id", "has the id that the option names", async () => {
      const apiEntityId = uuid(7);
      const { world, client } = await startOffice(start, { apiEntityId: apiEntityId.toUpperCase() });
      expectEmpty(await world.caller.get(`/api/entity/${defaultApiEntityId}`), 404);
      await grantTo(world, client, ["GET:/api/group"], apiEntityId);
      expectOk(await (await callerWithToken(world, client, `target-entity:${apiEntityId}`)).get("/api/group"));
      await expect(start({ apiEntityId: "api" })).rejects.toThrow(new TypeError("apiEntityId must be a UUID."));
    });
  });
});

describe("the entity of this API, at a later start", () => {
  requirement("client.entity", "is not made again, and keeps its grants", async () => {
    const restart = restartable();
    const { world, client } = await startOffice(restart);
    await grantTo(world, client, ["GET:/api/group"]);
    const before = (await world.caller.get(`/api/entity/${defaultApiEntityId}`)).text;
    await world.identity.close();
    const later = await restart();
    expect((await later.caller.get(`/api/entity/${defaultApiEntityId}`)).text).toBe(before);
    expectOk(await (await callerWithToken(later, client)).get("/api/group"));
  });

  requirement("client.entity", "is created in a storage of an earlier release, with any content", async () => {
    const restart = restartable();
    const before = await restart();
    await forgetApiEntity(before);
    const typeId = await makeEntityType(before, "ADMINISTRATIVE api");
    const squatter = { name: "S", type: { id: typeId }, clientId: defaultApiEntityId, tenantId: before.defaultTenantId };
    expectOk(await before.caller.post("/api/entity", { entity: squatter }));
    await before.identity.close();
    const later = await restart();
    const { entity } = await later.identity.entities.retrieve({ entityId: defaultApiEntityId });
    const { entityType } = await later.identity.entityTypes.retrieve({ entityTypeId: apiEntityTypeId });
    expect([entity.name, entityType.name]).toEqual(["Administrative API", apiEntityTypeId]);
    expect(entity.clientId).not.toBe(defaultApiEntityId);
    const client = await makeClient(later, later.defaultTenantId, typeId, "Client");
    await grantTo(later, client, ["GET:/api/group"]);
    expectOk(await (await callerWithToken(later, client)).get("/api/group"));
  });

  requirement("client.entity-id", "is another when the option names another, and tokens for the first open nothing", async () => {
    const restart = restartable();
    const { world, client } = await startOffice(restart);
    await grantTo(world, client, ["GET:/api/group"]);
    await world.identity.close();
    const later = await restart({ apiEntityId: uuid(7) });
    const { entities } = await later.identity.entities.list();
    expect(entities.filter(({ type }) => type.id === apiEntityTypeId).map(({ id, name }) => [id, name])).toEqual([
      [uuid(7), uuid(7)],
      [defaultApiEntityId, "Administrative API"],
    ]);
    expectEmpty(await (await callerWithToken(later, client)).get("/api/group"), 401);
    expect(refusalOf(await askToken(later, client, { scope: `target-entity:${uuid(7)}` }))[2]).toBe(
      "invalid_target_entity_scope",
    );
    await grantTo(later, client, ["GET:/api/group"], uuid(7));
    expectOk(await (await callerWithToken(later, client, `target-entity:${uuid(7)}`)).get("/api/group"));
    expectEmpty(await later.caller.delete(`/api/entity/${defaultApiEntityId}`), 200);
    await later.identity.close();
    const last = await restart({ apiEntityId: uuid(7) });
    expectEmpty(await last.caller.get(`/api/entity/${defaultApiEntityId}`), 404);
  });

  requirement("client.entity-id", "may be an entity that is there already", async () => {
    const restart = restartable();
    const { world, client } = await startOffice(restart);
    const typeId = await makeEntityType(world, "Ours", [{ name: "groups" }]);
    const entity = { name: "Ours", type: { id: typeId }, tenantId: world.defaultTenantId };
    expectOk(await world.caller.post(`/api/entity/${uuid(8)}`, { entity }));
    await grantTo(world, client, ["groups"], uuid(8));
    await world.identity.close();
    const later = await restart({ apiEntityId: uuid(8), entityPermissions: { groups: ["GET:/api/group"] } });
    expect((await later.identity.entities.retrieve({ entityId: uuid(8) })).entity.name).toBe("Ours");
    expectOk(await (await callerWithToken(later, client, `target-entity:${uuid(8)}:groups`)).get("/api/group"));
  });
});
