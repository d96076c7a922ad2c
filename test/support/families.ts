import { apiKeyRequest } from "../../src/records/api-keys/schema.js";
import { roleRequest } from "../../src/records/application-roles/schema.js";
import { applicationRequest } from "../../src/records/applications/schema.js";
import { groupRequest } from "../../src/records/groups/schema.js";
import { registrationRequest } from "../../src/records/registrations/schema.js";
import { tenantRequest } from "../../src/records/tenants/schema.js";
import { userRequest } from "../../src/records/users/schema.js";
import { type Answer, expectOk } from "./answer.js";
import type { Caller } from "./caller.js";
import { accessListCase } from "./families/access-lists.js";
import { connectorCase } from "./families/connectors.js";
import { emailTemplatesCase } from "./families/email-templates.js";
import { entityCases } from "./families/entities.js";
import { formAndConsentCases } from "./families/forms-and-consents.js";
import { identityProvidersCase } from "./families/identity-providers.js";
import { keyCases } from "./families/keys.js";
import { lambdas } from "./families/lambdas.js";
import { messengerCases } from "./families/messengers.js";
import { themeCase } from "./families/themes.js";
import { userActionCases } from "./families/user-actions.js";
import { webhooks } from "./families/webhooks.js";
import { isLong } from "./properties.js";
import { uuid, type World } from "./world.js";

/** The place of a family's records in one tenant. */
export interface Place {
  /** POST creates a record here; an id may follow. */
  readonly collection: string;
  /** The path of the record with this id. */
  readonly url: (id: string) => string;
  /** A valid body for POST and PUT; each number gives different unique values. */
  readonly body: (number: number) => Body;
}

/** A request body: the wrapper and its siblings. */
export type Body = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The properties of a family that tests of all families need. */
export interface FamilyCase {
  readonly name: string;
  /** The wrapper of one record. */
  readonly wrapper: string;
  /** The id parameter in errors. */
  readonly idParameter: string;
  /** Whether POST accepts an id. */
  readonly takesId: boolean;
  /** Whether GET returns one record. */
  readonly hasGet: boolean;
  /** DELETE removes the record only with this query. */
  readonly deleteQuery: string;
  /** Whether DELETE changes the record and keeps it. */
  readonly isKeptByDelete: boolean;
  /** A text field that PATCH can set, as a path from the wrapper. */
  readonly textField: readonly string[];
  /** Two valid texts for this field. */
  readonly texts: readonly [string, string];
  /** The required fields. */
  readonly requiredFields: readonly string[];
  /** Fields with random values from the service. */
  readonly generatedFields?: readonly string[];
  /** Whether the record has metadata in `data`. */
  readonly hasData: boolean;
  /** Whether the family is global, outside of all tenants. */
  readonly isGlobal: boolean;
  /** The schema of the request. */
  readonly request: unknown;
  /** Makes the records that a record of the family needs in a tenant. */
  readonly arrange: (world: World, tenantId: string) => Promise<Place>;
}

/** A record made for a test. */
export interface Made extends Place {
  readonly id: string;
  readonly path: string;
  /** The body of its creation. */
  readonly request: Body;
  readonly answer: Answer;
}

/** The defaults of most families. */
export const plain: Omit<FamilyCase, "name" | "wrapper" | "idParameter" | "request" | "arrange"> = {
  takesId: true,
  hasGet: true,
  deleteQuery: "",
  isKeptByDelete: false,
  textField: ["name"],
  texts: ["Secret1", "Two"],
  requiredFields: ["name"],
  hasData: true,
  isGlobal: false,
};

const groups: FamilyCase = {
  ...plain,
  name: "groups",
  request: groupRequest,
  wrapper: "group",
  idParameter: "groupId",
  arrange: async () => ({
    collection: "/api/group",
    url: (id) => `/api/group/${id}`,
    body: (number) => ({ group: { name: `Group ${number}`, data: { list: ["a"], map: { k: "v" } } } }),
  }),
};

const tenants: FamilyCase = {
  ...plain,
  name: "tenants",
  request: tenantRequest,
  wrapper: "tenant",
  idParameter: "tenantId",
  arrange: async () => ({
    collection: "/api/tenant",
    url: (id) => `/api/tenant/${id}`,
    body: (number) => ({ tenant: { name: `Tenant ${number}`, data: { list: ["a"], map: { k: "v" } } } }),
  }),
};

const apiKeys: FamilyCase = {
  ...plain,
  name: "apiKeys",
  request: apiKeyRequest,
  hasData: false,
  wrapper: "apiKey",
  idParameter: "keyId",
  arrange: async (_world, tenantId) => ({
    collection: "/api/api-key",
    url: (id) => `/api/api-key/${id}`,
    body: (number) => ({ apiKey: { name: `Key ${number}`, tenantId, metaData: { attributes: { description: "d" } } } }),
  }),
};

const applications: FamilyCase = {
  ...plain,
  name: "applications",
  generatedFields: ["oauthConfiguration"],
  request: applicationRequest,
  wrapper: "application",
  idParameter: "applicationId",
  deleteQuery: "?hardDelete=true",
  arrange: async () => ({
    collection: "/api/application",
    url: (id) => `/api/application/${id}`,
    body: (number) => ({ application: { name: `Application ${number}`, data: { list: ["a"], map: { k: "v" } } } }),
  }),
};

const applicationRoles: FamilyCase = {
  ...plain,
  name: "applicationRoles",
  request: roleRequest,
  hasData: false,
  wrapper: "role",
  idParameter: "roleId",
  hasGet: false,
  async arrange(world, tenantId) {
    const applicationId = await makeApplication(world, tenantId, "Of the roles");
    const collection = `/api/application/${applicationId}/role`;
    const body = (number: number): Body => ({ role: { name: `Role ${number}`, description: "d" } });
    return { collection, url: (id) => `${collection}/${id}`, body };
  },
};

const users: FamilyCase = {
  ...plain,
  name: "users",
  request: userRequest,
  requiredFields: ["email"],
  wrapper: "user",
  idParameter: "userId",
  deleteQuery: "?hardDelete=true",
  textField: ["firstName"],
  arrange: async () => ({
    collection: "/api/user",
    url: (id) => `/api/user/${id}`,
    body: (number) => ({ user: { email: `user${number}@example.com`, data: { list: ["a"], map: { k: "v" } } } }),
  }),
};

const registrations: FamilyCase = {
  ...plain,
  name: "registrations",
  request: registrationRequest,
  wrapper: "registration",
  idParameter: "userId",
  takesId: false,
  textField: ["timezone"],
  async arrange(world, tenantId) {
    const applicationId = await makeApplication(world, tenantId, "Of the registrations");
    const userId = await makeUser(world, tenantId, "registered@example.com");
    const path = `/api/user/registration/${userId}`;
    const body = (number: number): Body => ({
      registration: { applicationId, username: `name${number}`, data: { list: ["a"], map: { k: "v" } } },
    });
    return { collection: path, url: () => `${path}/${applicationId}`, body };
  },
};

/** Every family with individual paths; memberships have their own tests. */
export const allFamilyCases: readonly FamilyCase[] = [
  tenants,
  apiKeys,
  applications,
  applicationRoles,
  users,
  registrations,
  groups,
  ...keyCases,
  ...formAndConsentCases,
  emailTemplatesCase,
  connectorCase,
  themeCase,
  ...messengerCases,
  accessListCase,
  identityProvidersCase,
  ...entityCases,
  ...userActionCases,
  webhooks,
  lambdas,
];

// Covers each kind: with roles, hard and soft removal, tenant and global scope, with and without chosen ids.
const representative: readonly string[] = ["applicationRoles", "groups", "tenants", "users", "webhooks"];

/** The families that walks visit: five different kinds by default, all in CI. */
export const familyCases: readonly FamilyCase[] = allFamilyCases.filter(({ name }) => isLong || representative.includes(name));

/** The path of a family's calls without an id; POST may add one. */
export function pathWithoutId(place: Place): string {
  return place.url("").replace(/\/$/, "");
}

/** A record without the random fields. */
export function withoutGenerated(family: FamilyCase, record: unknown): object {
  return { ...(record as object), ...Object.fromEntries((family.generatedFields ?? []).map((field) => [field, ""])) };
}

/** A caller for a family: bound to a tenant if the family has tenants. */
export function callerFor(world: World, family: FamilyCase, tenantId: string = world.defaultTenantId): Caller {
  return family.isGlobal || family.name === "tenants" ? world.caller : world.caller.inTenant(tenantId);
}

/** Makes a record in a tenant. */
export async function makeRecord(
  world: World,
  family: FamilyCase,
  tenantId: string = world.defaultTenantId,
  number: number = 1,
): Promise<Made> {
  const place = await family.arrange(world, tenantId);
  return { ...place, ...(await postRecord(world, family, place, tenantId, number)) };
}

/** Makes another record in the same place. */
export async function postRecord(
  world: World,
  family: FamilyCase,
  place: Place,
  tenantId: string = world.defaultTenantId,
  number: number = 2,
): Promise<Omit<Made, keyof Place>> {
  const request = place.body(number);
  const answer = expectOk(await callerFor(world, family, tenantId).post(place.collection, request));
  const id = answer.textAt(`${family.wrapper}.id`);
  return { id, path: place.url(id), request, answer };
}

/** The stored record, read without the API because some families have no GET. */
export async function readRecord(world: World, family: FamilyCase, made: Made): Promise<unknown> {
  if (family.hasGet) return (await world.caller.get(made.path)).text;
  const application = await world.caller.get(made.collection.replace(/\/role$/, ""));
  return (application.at("application.roles") as { readonly id: string }[]).find((role) => role.id === made.id);
}

/** Makes an application; returns its id. Also makes `roles`, with the ids uuid(900), uuid(901), …. */
export async function makeApplication(
  world: World,
  tenantId: string,
  name: string,
  roles: readonly object[] = [],
): Promise<string> {
  const withIds = roles.map((role, index) => ({ id: uuid(900 + index), ...role }));
  const body = { application: { name, roles: withIds } };
  return expectOk(await world.caller.inTenant(tenantId).post("/api/application", body)).textAt("application.id");
}

/** Makes a user; returns the id. */
export async function makeUser(world: World, tenantId: string, email: string): Promise<string> {
  return expectOk(await world.caller.inTenant(tenantId).post("/api/user", { user: { email } })).textAt("user.id");
}

/** Makes a group; returns its id. */
export async function makeGroup(world: World, tenantId: string, name: string, roleIds: readonly string[] = []): Promise<string> {
  const body = { group: { name }, roleIds };
  return expectOk(await world.caller.inTenant(tenantId).post("/api/group", body)).textAt("group.id");
}
