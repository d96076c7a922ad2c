import type { IdentityService } from "latchkey";
import type { AnyCall, Factories, Factory, InputOf } from "./factory-types.js";

/** What a recipe may use. */
export interface FactoryContext {
  /** Another one for each record of the family. */
  readonly number: number;
  readonly identity: IdentityService;
  /** The id at a path of the changes, such as `registration.applicationId`; where they name none, that of a record made for it. */
  readonly idAt: (path: string, family: keyof Factories) => Promise<string>;
  /** Makes a record of another family and answers its id. */
  readonly make: (family: keyof Factories) => Promise<string>;
  /** Whether the changes say anything at a path. */
  readonly has: (path: string) => boolean;
}

/** How the records of a family are made. */
export interface FactoryDefinition<Call extends AnyCall> {
  readonly verb: string;
  /** Whether the records are outside of all tenants, so that a call must not name one. */
  readonly isGlobal?: boolean;
  readonly build: (context: FactoryContext) => InputOf<Call> | Promise<InputOf<Call>>;
}

type CallOf<OneFactory> = OneFactory extends Factory<infer Call> ? Call : never;

const outside = { verb: "create", isGlobal: true } as const;
const ofTenant = { verb: "create" } as const;

/** The families and how their records are made: what they cannot do without, and nothing else. */
export const factoryDefinitions: { readonly [Name in keyof Factories]: FactoryDefinition<CallOf<Factories[Name]>> } = {
  accessLists: {
    ...outside,
    build: ({ number }) => ({
      ipAccessControlList: { name: `Access list ${number}`, entries: [{ action: "Allow", startIPAddress: "*" }] },
    }),
  },
  apiKeys: { ...outside, build: ({ number }) => ({ apiKey: { name: `API key ${number}` } }) },
  applicationRoles: {
    ...ofTenant,
    build: async ({ idAt, number }) => ({
      applicationId: await idAt("applicationId", "applications"),
      role: { name: `Role ${number}` },
    }),
  },
  applications: { ...ofTenant, build: ({ number }) => ({ application: { name: `Application ${number}` } }) },
  auditLogs: { ...ofTenant, build: ({ number }) => ({ auditLog: { message: `Change ${number}` } }) },
  consents: {
    ...outside,
    build: ({ number }) => ({ consent: { name: `Consent ${number}`, defaultMinimumAgeForSelfConsent: 13 } }),
  },
  emailTemplates: {
    ...outside,
    build: ({ number }) => ({
      emailTemplate: {
        name: `Email template ${number}`,
        fromEmail: "service@example.com",
        defaultSubject: `Subject ${number}`,
        defaultHtmlTemplate: `<p>Text ${number}</p>`,
        defaultTextTemplate: `Text ${number}`,
      },
    }),
  },
  entities: {
    ...ofTenant,
    build: async ({ idAt, number }) => ({
      entity: { name: `Entity ${number}`, type: { id: await idAt("entity.type.id", "entityTypes") } },
    }),
  },
  entityGrants: {
    verb: "upsert",
    build: async ({ has, idAt }) => ({
      entityId: await idAt("entityId", "entities"),
      grant: has("grant.recipientEntityId") ? {} : { userId: await idAt("grant.userId", "users") },
    }),
  },
  entityTypePermissions: {
    ...outside,
    build: async ({ idAt, number }) => ({
      entityTypeId: await idAt("entityTypeId", "entityTypes"),
      permission: { name: `Permission ${number}` },
    }),
  },
  entityTypes: { ...outside, build: ({ number }) => ({ entityType: { name: `Entity type ${number}` } }) },
  formFields: { ...outside, build: ({ number }) => ({ field: { name: `Field ${number}`, key: `user.data.field${number}` } }) },
  forms: {
    ...outside,
    build: async ({ identity, number }) => ({
      form: { name: `Form ${number}`, steps: [{ fields: await findLoginFields(identity) }] },
    }),
  },
  groupMembers: {
    verb: "add",
    build: async ({ has, make }) => {
      if (has("members")) return { members: {} };
      return { members: { [await make("groups")]: [{ userId: await make("users") }] } };
    },
  },
  groups: { ...ofTenant, build: ({ number }) => ({ group: { name: `Group ${number}` } }) },
  keys: { verb: "generate", isGlobal: true, build: ({ number }) => ({ key: { name: `Key ${number}`, algorithm: "HS256" } }) },
  lambdas: {
    ...outside,
    build: ({ number }) => ({
      lambda: { name: `Lambda ${number}`, type: "JWTPopulate", body: "function populate(jwt, user, registration) {}" },
    }),
  },
  registrations: {
    ...ofTenant,
    build: async ({ has, idAt }) => ({
      // A user that the changes describe is made along with the registration.
      ...(!has("user") && { userId: await idAt("userId", "users") }),
      registration: { applicationId: await idAt("registration.applicationId", "applications") },
    }),
  },
  tenants: { ...outside, build: ({ number }) => ({ tenant: { name: `Tenant ${number}` } }) },
  userConsents: {
    ...ofTenant,
    build: async ({ idAt }) => {
      const userId = await idAt("userConsent.userId", "users");
      return { userConsent: { consentId: await idAt("userConsent.consentId", "consents"), giverUserId: userId, userId } };
    },
  },
  users: { ...ofTenant, build: ({ number }) => ({ user: { email: `user${number}@factory.example` } }) },
  webhooks: {
    ...outside,
    build: ({ number }) => ({
      webhook: { url: `https://webhook.example/${number}`, connectTimeout: 1_000, readTimeout: 2_000, global: true },
    }),
  },
};

// What a form for registrations must ask at least.
async function findLoginFields(identity: IdentityService): Promise<readonly string[]> {
  const { fields } = await identity.formFields.list();
  const loginKeys = ["user.email", "user.password"];
  return loginKeys.flatMap((key) => fields.find((field) => field.key === key)?.id ?? []);
}
