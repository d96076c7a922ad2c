import { entityRequest } from "../../../src/records/entities/schema.js";
import { permissionRequest } from "../../../src/records/entity-type-permissions/schema.js";
import { entityTypeRequest } from "../../../src/records/entity-types/schema.js";
import { expectOk } from "../answer.js";
import type { Body, FamilyCase } from "../families.js";
import type { World } from "../world.js";

const common = {
  takesId: true,
  hasGet: true,
  deleteQuery: "",
  isKeptByDelete: false,
  texts: ["One", "Two"],
  textField: ["name"],
  requiredFields: ["name"],
  hasData: true,
} as const;

const data = { list: ["a"], map: { k: "v" } };

const entityTypes: FamilyCase = {
  ...common,
  name: "entityTypes",
  wrapper: "entityType",
  idParameter: "entityTypeId",
  isGlobal: true,
  request: entityTypeRequest,
  arrange: async () => ({
    collection: "/api/entity/type",
    url: (id) => `/api/entity/type/${id}`,
    body: (number) => ({ entityType: { name: `Type ${number}`, data, jwtConfiguration: { timeToLiveInSeconds: 60 } } }),
  }),
};

const entityTypePermissions: FamilyCase = {
  ...common,
  name: "entityTypePermissions",
  wrapper: "permission",
  idParameter: "permissionId",
  isGlobal: true,
  request: permissionRequest,
  async arrange(world) {
    const collection = `/api/entity/type/${await makeEntityType(world, "Of the permissions")}/permission`;
    const body = (number: number): Body => ({ permission: { name: `Permission ${number}`, description: "d", data } });
    return { collection, url: (id) => `${collection}/${id}`, body };
  },
};

const entities: FamilyCase = {
  ...common,
  name: "entities",
  wrapper: "entity",
  idParameter: "entityId",
  isGlobal: false,
  requiredFields: ["name", "type"],
  generatedFields: ["clientId", "clientSecret"],
  request: entityRequest,
  async arrange(world, tenantId) {
    const type = { id: await makeEntityType(world, `Of ${tenantId}`) };
    return {
      collection: "/api/entity",
      url: (id) => `/api/entity/${id}`,
      body: (number) => ({ entity: { name: `Entity ${number}`, type, data } }),
    };
  },
};

/** The entity families; grants have no individual paths, and their own tests. */
export const entityCases: readonly FamilyCase[] = [entityTypes, entityTypePermissions, entities];

/** Makes an entity type with these permissions; returns its id. */
export async function makeEntityType(world: World, name: string, permissions: readonly object[] = []): Promise<string> {
  const body = { entityType: { name, permissions } };
  return expectOk(await world.caller.post("/api/entity/type", body)).textAt("entityType.id");
}

/** Makes an entity; returns its id. */
export async function makeEntity(world: World, tenantId: string, typeId: string, name: string): Promise<string> {
  const body = { entity: { name, type: { id: typeId } } };
  return expectOk(await world.caller.inTenant(tenantId).post("/api/entity", body)).textAt("entity.id");
}
