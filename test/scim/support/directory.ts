// A service that a directory provisions by SCIM, and what the directory calls it with.
import { scim, scimClientTypeId, scimPath, scimServerTypeId } from "latchkey/scim";
import { expect } from "vitest";
import { type Answer, expectOk } from "../../support/answer.js";
import { Caller } from "../../support/caller.js";
import { askToken, type Client, grantTo, makeClient } from "../../support/clients.js";
import { makeEntity } from "../../support/families/entities.js";
import type { Start, World } from "../../support/world.js";

type Headers = Readonly<Record<string, string>>;

/** Sends a request to a path below the root of SCIM. The form of each answer is checked. */
export type ScimCall = (method: string, path: string, body?: unknown, headers?: Headers) => Promise<Answer>;

/** A tenant with SCIM, and a client with all permissions. */
export interface Directory {
  readonly world: World;
  readonly tenantId: string;
  /** The entity that the client's permissions are on. */
  readonly serverId: string;
  readonly client: Client;
  readonly token: string;
  readonly call: ScimCall;
}

/** Every permission of SCIM. */
export const allScimPermissions: readonly string[] = [
  ...["user", "group", "enterprise:user"].flatMap((subject) =>
    ["create", "delete", "read", "update"].map((action) => `scim:${subject}:${action}`),
  ),
  "scim:resource-types:read",
  "scim:schemas:read",
  "scim:service-provider-config:read",
];

/** Starts a service with SCIM on, for the default tenant. */
export async function startDirectory(start: Start, options: Parameters<Start>[0] = {}): Promise<Directory> {
  const world = await start({ protocols: [scim()], ...options });
  await enableScim(world, world.defaultTenantId);
  return openDirectory(world, world.defaultTenantId);
}

/** Turns SCIM on for a tenant, with these settings beside. */
export async function enableScim({ caller }: World, tenantId: string, settings: object = {}): Promise<void> {
  const scimServerConfiguration = {
    enabled: true,
    clientEntityTypeId: scimClientTypeId,
    serverEntityTypeId: scimServerTypeId,
    ...settings,
  };
  expectOk(await caller.patch(`/api/tenant/${tenantId}`, { tenant: { scimServerConfiguration } }));
}

/** Makes a server and a client of a tenant, and a token of it. */
export async function openDirectory(
  world: World,
  tenantId: string,
  permissions: readonly string[] = allScimPermissions,
): Promise<Directory> {
  const name = `${permissions.length} of ${Math.random()}`;
  const serverId = await makeEntity(world, tenantId, scimServerTypeId, `Server ${name}`);
  const client = await makeClient(world, tenantId, scimClientTypeId, `Client ${name}`);
  await grantTo(world, client, permissions, serverId);
  const token = await tokenFor(world, client, serverId);
  return { world, tenantId, serverId, client, token, call: callWith(world, { authorization: `Bearer ${token}` }) };
}

/** A token of a client for a server. */
export async function tokenFor(world: World, client: Client, serverId: string): Promise<string> {
  return expectOk(await askToken(world, client, { scope: `target-entity:${serverId}` })).textAt("access_token");
}

/** Calls SCIM with these headers. */
export function callWith({ identity }: Pick<World, "identity">, headers: Headers): ScimCall {
  const caller = new Caller(identity, headers);
  return async (method, path, body, more = {}) => {
    const type: Headers = body === undefined ? {} : { "content-type": "application/scim+json" };
    const answer = await caller.send(method, `${scimPath}${encodePath(path)}`, body, { ...type, ...more });
    expectForm(answer, method);
    return answer;
  };
}

// What is encoded already stays so.
function encodePath(path: string): string {
  return path.includes("%") ? path : encodeURI(path.toWellFormed());
}

/** The path of a list with parameters. */
export function listPath(path: string, parameters: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return `${path}?${pairs.join("&")}`;
}

const errorSchema = "urn:ietf:params:scim:api:messages:2.0:Error";

function expectForm(answer: Answer, method: string): void {
  const { headers, status, text } = answer;
  expect([status < 500 || status === 501, text]).toEqual([true, text]);
  if (text === "" || method === "HEAD") return;
  expect(headers["content-type"]).toBe("application/scim+json; charset=UTF-8");
  if (status < 400) return;
  const { scimType, ...body } = answer.body as { readonly scimType?: string };
  expect(body).toEqual({ schemas: [errorSchema], status: String(status), detail: expect.stringMatching(/\S/) });
  expect(scimType === undefined || /^[a-z]+[A-Za-z]*$/.test(scimType)).toBe(true);
  if (status === 401) expect(headers["www-authenticate"]).toBe("Bearer");
}

/** Expects a status, and returns the body. */
export async function expectStatus(answer: Answer | Promise<Answer>, status: number): Promise<Record<string, unknown>> {
  const { status: found, text } = await answer;
  expect([found, text]).toEqual([status, text]);
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** The status and the cause of a refusal. */
export async function refusalOf(answer: Promise<Answer>): Promise<readonly [number, unknown]> {
  const refused = await answer;
  return [refused.status, refused.text === "" ? undefined : refused.at("scimType")];
}

export const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User";
export const groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const enterpriseSchema = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const patchSchema = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/** The body of a PATCH. */
export function patchOf(...operations: readonly unknown[]): object {
  return { schemas: [patchSchema], Operations: operations };
}

/** Creates a user, and returns its id. */
export async function createUser(call: ScimCall, userName: string, more: object = {}): Promise<string> {
  const created = await expectStatus(call("POST", "/Users", { schemas: [userSchema], userName, ...more }), 201);
  return String(created.id);
}

/** Creates a group with these members, and returns its id. */
export async function createGroup(call: ScimCall, displayName: string, members: readonly string[] = []): Promise<string> {
  const body = { schemas: [groupSchema], displayName, members: members.map((value) => ({ value })) };
  return String((await expectStatus(call("POST", "/Groups", body), 201)).id);
}

/** The ids of the members of a group. */
export async function membersOf(call: ScimCall, id: string): Promise<readonly unknown[]> {
  const { members = [] } = await expectStatus(call("GET", `/Groups/${id}`), 200);
  return (members as readonly { readonly value: unknown }[]).map(({ value }) => value);
}
