import { consentRequest } from "../../../src/records/consents/schema.js";
import { formFieldRequest } from "../../../src/records/form-fields/schema.js";
import { formRequest } from "../../../src/records/forms/schema.js";
import { userConsentRequest } from "../../../src/records/user-consents/schema.js";
import { expectOk } from "../answer.js";
import type { FamilyCase } from "../families.js";
import type { World } from "../world.js";

const outsideOfTenants = {
  takesId: true,
  hasGet: true,
  deleteQuery: "",
  isKeptByDelete: false,
  textField: ["name"],
  texts: ["Secret1", "Two"],
  hasData: true,
  isGlobal: true,
} as const;

const data = { list: ["a"], map: { k: "v" } };

const formFields: FamilyCase = {
  ...outsideOfTenants,
  name: "formFields",
  request: formFieldRequest,
  wrapper: "field",
  idParameter: "fieldId",
  requiredFields: ["name", "key"],
  arrange: async () => ({
    collection: "/api/form/field",
    url: (id) => `/api/form/field/${id}`,
    body: (number) => ({ field: { name: `Field ${number}`, key: `user.data.field${number}`, data } }),
  }),
};

const forms: FamilyCase = {
  ...outsideOfTenants,
  name: "forms",
  request: formRequest,
  wrapper: "form",
  idParameter: "formId",
  requiredFields: ["name", "steps"],
  async arrange(world) {
    const steps = [{ fields: [await managedField(world, "user.email"), await managedField(world, "user.password")] }];
    return {
      collection: "/api/form",
      url: (id) => `/api/form/${id}`,
      body: (number) => ({ form: { name: `Form ${number}`, steps, data } }),
    };
  },
};

const consents: FamilyCase = {
  ...outsideOfTenants,
  name: "consents",
  request: consentRequest,
  wrapper: "consent",
  idParameter: "consentId",
  requiredFields: ["name", "defaultMinimumAgeForSelfConsent"],
  arrange: async () => ({
    collection: "/api/consent",
    url: (id) => `/api/consent/${id}`,
    body: (number) => ({ consent: { name: `Consent ${number}`, defaultMinimumAgeForSelfConsent: number, data } }),
  }),
};

const userConsents: FamilyCase = {
  ...outsideOfTenants,
  name: "userConsents",
  request: userConsentRequest,
  wrapper: "userConsent",
  idParameter: "userConsentId",
  isKeptByDelete: true,
  textField: ["status"],
  texts: ["Revoked", "Active"],
  requiredFields: ["consentId", "giverUserId", "userId"],
  hasData: false,
  isGlobal: false,
  async arrange(world, tenantId) {
    const consentId = await makeConsent(world, { name: `Of ${tenantId}`, values: ["a", "b"], multipleValuesAllowed: true });
    const user = { email: "consenting@example.com" };
    const userId = expectOk(await world.caller.inTenant(tenantId).post("/api/user", { user })).textAt("user.id");
    return {
      collection: "/api/user/consent",
      url: (id) => `/api/user/consent/${id}`,
      body: () => ({ userConsent: { consentId, giverUserId: userId, userId } }),
    };
  },
};

/** The families of form fields, forms and consents. */
export const formAndConsentCases: readonly FamilyCase[] = [formFields, forms, consents, userConsents];

/** The id of the service's own field for a managed key. */
export async function managedField(world: World, key: string): Promise<string> {
  const fields = (await world.caller.get("/api/form/field")).at("fields") as { readonly id: string; readonly key: string }[];
  const field = fields.find((candidate) => candidate.key === key);
  if (field === undefined) throw new Error(`There is no field for ${key}.`);
  return field.id;
}

/** Makes a form field; returns its id. */
export async function makeField(world: World, field: object): Promise<string> {
  return expectOk(await world.caller.post("/api/form/field", { field })).textAt("field.id");
}

/** Makes a form that allows any fields, not one for registrations; returns its id. */
export async function makeForm(world: World, name: string, fields?: readonly string[], id?: string): Promise<string> {
  const steps = [{ fields: fields ?? [await managedField(world, "user.lastName")] }];
  const path = id === undefined ? "/api/form" : `/api/form/${id}`;
  return expectOk(await world.caller.post(path, { form: { name, type: "adminUser", steps } })).textAt("form.id");
}

/** Makes a consent; returns its id. */
export async function makeConsent(world: World, consent: object): Promise<string> {
  const body = { consent: { name: "Newsletter", defaultMinimumAgeForSelfConsent: 13, ...consent } };
  return expectOk(await world.caller.post("/api/consent", body)).textAt("consent.id");
}
