import type { Answer } from "./answer.js";
import type { Caller } from "./caller.js";
import { makeEntity, makeEntityType } from "./families/entities.js";
import { makeUser } from "./families.js";
import { makeTenant, type Start, type World } from "./world.js";

/** A service with an API and its client, a user of the same tenant, and an entity and a user of another tenant. */
export interface Mall {
  readonly world: World;
  readonly caller: Caller;
  readonly typeId: string;
  readonly api: string;
  readonly client: string;
  readonly ann: string;
  readonly foreignTenantId: string;
  readonly foreignClient: string;
  readonly foreignUser: string;
}

/** The API's type has the permissions `read` (a default one), `Write` and `admin`. */
export async function startMall(start: Start): Promise<Mall> {
  const world = await start();
  const { caller, defaultTenantId } = world;
  const permissions = [{ name: "read", isDefault: true }, { name: "Write" }, { name: "admin" }];
  const typeId = await makeEntityType(world, "API", permissions);
  const clients = await makeEntityType(world, "Client");
  const foreignTenantId = await makeTenant(world, "Other");
  return {
    world,
    caller,
    typeId,
    api: await makeEntity(world, defaultTenantId, typeId, "API"),
    client: await makeEntity(world, defaultTenantId, clients, "Client"),
    ann: await makeUser(world, defaultTenantId, "ann@example.com"),
    foreignTenantId,
    foreignClient: await makeEntity(world, foreignTenantId, clients, "Client"),
    foreignUser: await makeUser(world, foreignTenantId, "ann@example.com"),
  };
}

/** The path of grants on an entity. */
export function grantPath(entityId: string): string {
  return `/api/entity/${entityId}/grant`;
}

/** Grants permissions on the API of the service. */
export function grantOn({ caller, api }: Mall, grant: object): Promise<Answer> {
  return caller.post(grantPath(api), { grant });
}
