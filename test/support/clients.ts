import { defaultApiEntityId } from "latchkey";
import { type Filter, globalScope } from "latchkey/ports";
import { expect } from "vitest";
import { routes } from "../../src/families/index.js";
import { entitiesTable } from "../../src/records/entities/family.js";
import { apiEntityTypeId, entityTypesTable } from "../../src/records/entity-types/family.js";
import { type Answer, expectOk } from "./answer.js";
import { Caller } from "./caller.js";
import { makeEntity, makeEntityType } from "./families/entities.js";
import { grantPath } from "./grants.js";
import { makeTenant, type Start, type World } from "./world.js";

/** An entity with its client credentials. */
export interface Client {
  readonly id: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A service with one client in the default tenant and one in another. */
export interface Office {
  readonly world: World;
  readonly client: Client;
  readonly foreign: Client;
  readonly typeId: string;
}

/** Starts the service. */
export async function startOffice(start: Start, options?: Parameters<Start>[0]): Promise<Office> {
  const world = await start(options);
  const typeId = await makeEntityType(world, "Client");
  const other = await makeTenant(world, "Other");
  const client = await makeClient(world, world.defaultTenantId, typeId, "Client");
  return { world, typeId, client, foreign: await makeClient(world, other, typeId, "Client") };
}

/** Makes an entity that can request tokens. */
export async function makeClient(world: World, tenantId: string, typeId: string, name: string): Promise<Client> {
  const id = await makeEntity(world, tenantId, typeId, name);
  const answer = await world.caller.get(`/api/entity/${id}`);
  return { id, tenantId, clientId: answer.textAt("entity.clientId"), clientSecret: answer.textAt("entity.clientSecret") };
}

/** Grants a client permissions on an entity, by default on the API's. */
export async function grantTo(
  world: World,
  client: Client,
  permissions: readonly string[],
  entityId: string = defaultApiEntityId,
): Promise<void> {
  expectOk(await world.caller.post(grantPath(entityId), { grant: { recipientEntityId: client.id, permissions } }));
}

/** The scope for the API's entity. */
export const apiScope: string = `target-entity:${defaultApiEntityId}`;

const formType = { "content-type": "application/x-www-form-urlencoded" };

/** Sends a form; names may occur twice. */
export function sendForm(
  world: Pick<World, "identity">,
  url: string,
  fields: Readonly<Record<string, string>> | readonly (readonly [string, string])[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const body = new URLSearchParams(fields as Record<string, string>).toString();
  return new Caller(world.identity, headers).post(url, body, { ...formType, ...headers });
}

/** HTTP Basic, encoded as in RFC 6749. */
export function basic(clientId: string, clientSecret: string): { readonly authorization: string } {
  const text = [clientId, clientSecret].map(encodeURIComponent).join(":");
  return { authorization: `Basic ${Buffer.from(text).toString("base64")}` };
}

/** Requests a token with HTTP Basic. */
export function askToken(
  world: Pick<World, "identity">,
  { clientId, clientSecret }: Pick<Client, "clientId" | "clientSecret">,
  fields: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return sendForm(world, "/oauth2/token", { grant_type: "client_credentials", ...fields }, basic(clientId, clientSecret));
}

/** A caller with a client token for the API. */
export async function callerWithToken(world: World, client: Client, scope: string = apiScope): Promise<Caller> {
  const token = expectOk(await askToken(world, client, { scope })).textAt("access_token");
  return new Caller(world.identity, { Authorization: `Bearer ${token}` });
}

/** The status, error and reason of an OAuth error; also checks its form. */
export function refusalOf(answer: Answer): readonly unknown[] {
  const body = answer.body as Readonly<Record<string, unknown>>;
  expect(body).toEqual({
    error: body.error,
    error_description: expect.stringMatching(/^[A-Z].*\.$/),
    error_reason: body.error_reason,
  });
  expect(answer.headers).toEqual({
    "cache-control": "no-store",
    "content-type": "application/json; charset=UTF-8",
    pragma: "no-cache",
    ...(answer.status === 401 && { "www-authenticate": 'Basic realm="oauth2", charset="UTF-8"' }),
  });
  return [answer.status, body.error, body.error_reason];
}

/** Removes the API's entity and its type from a storage, for tests that count records. */
export async function removeApiEntity({ storage }: Pick<World, "storage">): Promise<void> {
  const ofId = (id: string): Filter => ({ op: "equals", column: "id", value: id });
  await storage.transaction(async (tx) => {
    await tx.remove(globalScope, entitiesTable, ofId(defaultApiEntityId));
    await tx.remove(globalScope, entityTypesTable, ofId(apiEntityTypeId));
  });
}

const openToKeysOfTenants = routes.filter(
  ({ access, method }) =>
    ["client", "tenant", "tenantOrUser", "optional", "optionalOrUser"].includes(access) ||
    (access === "shared" && method === "GET"),
);
/** Every permission on the API, from the routes, in the form of docs/reference/api-keys.md#permissions. */
export const allPermissions: readonly string[] = [
  ...new Set(openToKeysOfTenants.map(({ method, endpoint }) => `${method}:${endpoint}`)),
];
