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

/** An entity with its credentials. */
export interface Client {
  readonly id: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A service with a client in the default tenant and one in another. */
export interface Office {
  readonly world: World;
  readonly client: Client;
  readonly foreign: Client;
  readonly typeId: string;
}

/** Starts a service with two clients of two tenants. */
export async function startOffice(start: Start, options?: Parameters<Start>[0]): Promise<Office> {
  const world = await start(options);
  const typeId = await makeEntityType(world, "Client");
  const other = await makeTenant(world, "Other");
  const client = await makeClient(world, world.defaultTenantId, typeId, "Client");
  return { world, typeId, client, foreign: await makeClient(world, other, typeId, "Client") };
}

/** Makes an entity that can ask for tokens. */
export async function makeClient(world: World, tenantId: string, typeId: string, name: string): Promise<Client> {
  const id = await makeEntity(world, tenantId, typeId, name);
  const answer = await world.caller.get(`/api/entity/${id}`);
  return { id, tenantId, clientId: answer.textAt("entity.clientId"), clientSecret: answer.textAt("entity.clientSecret") };
}

/** Grants a client permissions on an entity: on that of the API unless another is named. */
export async function grantTo(
  world: World,
  client: Client,
  permissions: readonly string[],
  entityId: string = defaultApiEntityId,
): Promise<void> {
  expectOk(await world.caller.post(grantPath(entityId), { grant: { recipientEntityId: client.id, permissions } }));
}

/** The scope for the entity of the API. */
export const apiScope: string = `target-entity:${defaultApiEntityId}`;

const formType = { "content-type": "application/x-www-form-urlencoded" };

/** Sends a form; pairs may come twice. */
export function sendForm(
  world: Pick<World, "identity">,
  url: string,
  fields: Readonly<Record<string, string>> | readonly (readonly [string, string])[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const body = new URLSearchParams(fields as Record<string, string>).toString();
  return new Caller(world.identity, headers).post(url, body, { ...formType, ...headers });
}

/** HTTP Basic with these two, as RFC 6749 encodes them. */
export function basic(clientId: string, clientSecret: string): { readonly authorization: string } {
  const text = [clientId, clientSecret].map(encodeURIComponent).join(":");
  return { authorization: `Basic ${Buffer.from(text).toString("base64")}` };
}

/** Asks for a token as a client does, with HTTP Basic. */
export function askToken(
  world: Pick<World, "identity">,
  { clientId, clientSecret }: Pick<Client, "clientId" | "clientSecret">,
  fields: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return sendForm(world, "/oauth2/token", { grant_type: "client_credentials", ...fields }, basic(clientId, clientSecret));
}

/** A caller with a token of the client for the API. */
export async function callerWithToken(world: World, client: Client, scope: string = apiScope): Promise<Caller> {
  const token = expectOk(await askToken(world, client, { scope })).textAt("access_token");
  return new Caller(world.identity, { Authorization: `Bearer ${token}` });
}

/** Status, error and reason of a refusal by OAuth; checks its form on the way. */
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

/** Takes the entity of the API and its type out of a storage, for tests that count what there is. */
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
/** Every permission on the API that there is, as docs/reference/api-keys.md#permissions writes it, from the routes. */
export const allPermissions: readonly string[] = [
  ...new Set(openToKeysOfTenants.map(({ method, endpoint }) => `${method}:${endpoint}`)),
];
