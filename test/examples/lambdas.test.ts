// Each body of examples/lambdas is run on the sample arguments, and must do what its comment says.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLambdaHarness, type LambdaHarness } from "latchkey/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LambdaType, lambdaTypes } from "../../src/availability/lambda-types.js";
import { findBodyFault } from "../../src/lambdas/run/find-body-fault.js";
import { testRunner } from "../support/lambda-runner.js";

const folder = join(import.meta.dirname, "../../examples/lambdas");
const zipError = { code: "[invalid]user.data.zip", message: "We do not deliver there." };

/** What is changed of the sample arguments, and what is expected of them afterwards. */
interface Case {
  readonly changes?: object;
  readonly after: object;
}

const cases: Readonly<Record<LambdaType, readonly Case[]>> = {
  JWTPopulate: [
    { after: { jwt: { department: "Engines", plan: "team", tenantName: "Example", exp: 1_893_459_600 } } },
    { changes: { registration: { roles: ["admin"] } }, after: { jwt: { exp: 1_893_456_600 } } },
    { changes: { registration: undefined }, after: { jwt: { plan: "free" } } },
  ],
  OpenIDReconcile: [
    {
      changes: { id_token: undefined, jwt: { given_name: "Augusta", groups: ["engineering", "unknown"] } },
      after: {
        user: { firstName: "Augusta", data: { provider: { scope: "openid email" } } },
        registration: { roles: ["editor"] },
      },
    },
  ],
  SAMLv2Reconcile: [
    { after: { user: { data: { department: "Engines" } }, registration: { roles: ["editor"] } } },
    {
      changes: { samlResponse: { assertion: { attributes: { groups: undefined, firstName: ["Augusta", "Ada"] } } } },
      after: { user: { firstName: "Augusta" }, registration: { roles: ["reader"] } },
    },
  ],
  SAMLv2Populate: [
    {
      after: { samlResponse: { assertion: { attributes: { displayName: ["Ada Lovelace"], roles: ["editor", "reader"] } } } },
    },
    { changes: { registration: undefined }, after: { samlResponse: { assertion: { attributes: { roles: [] } } } } },
  ],
  AppleReconcile: [
    {
      changes: { user: { firstName: undefined }, idToken: { given_name: "Augusta", is_private_email: "true" } },
      after: { user: { firstName: "Augusta", lastName: "Lovelace", data: { hasPrivateEmail: true } } },
    },
  ],
  ExternalJWTReconcile: [
    { after: { user: { data: { partner: "https://provider.example" } }, registration: { roles: ["partner"] } } },
  ],
  FacebookReconcile: [
    {
      after: {
        user: { imageUrl: "https://provider.example/ada.png" },
        registration: { data: { facebookId: "10150000000000001" } },
      },
    },
    { changes: { facebookUser: { picture: undefined } }, after: { user: { imageUrl: "https://example.com/ada.png" } } },
  ],
  GoogleReconcile: [
    { after: { user: { preferredLanguages: ["en"] }, registration: { roles: ["editor"] } } },
    { changes: { idToken: { hd: undefined } }, after: { registration: { roles: ["reader"] } } },
  ],
  HYPRReconcile: [{ after: { user: { data: { lastLoginBy: "HYPR" } }, registration: { data: { hasPasswordless: true } } } }],
  TwitterReconcile: [
    { after: { user: { data: { profile: "https://twitter.com/ada" } }, registration: { data: { followers: 1_815 } } } },
  ],
  LDAPConnectorReconcile: [
    { after: { user: { email: "ada@provider.example", data: { groups: ["engineering", "writers"] } } } },
    { changes: { userAttributes: { memberOf: "cn=one,dc=example" } }, after: { user: { data: { groups: ["one"] } } } },
  ],
  LinkedInReconcile: [
    { after: { user: { fullName: "Ada Lovelace" }, registration: { data: { workEmail: "ada@provider.example" } } } },
  ],
  EpicGamesReconcile: [{ after: { registration: { username: "ada", preferredLanguages: ["en"] } } }],
  NintendoReconcile: [
    {
      changes: { user: { birthDate: undefined }, userInfo: { birthday: "1990-01-01" } },
      after: { user: { birthDate: "1990-01-01" } },
    },
    { changes: { userInfo: { birthday: "1990-01-01" } }, after: { user: { birthDate: "1985-12-10" } } },
  ],
  SonyPSNReconcile: [
    { after: { user: { data: { country: "GB" } }, registration: { roles: ["player"] } } },
    { changes: { userInfo: { age: 12 } }, after: { registration: { roles: ["minor"] } } },
  ],
  SteamReconcile: [
    {
      changes: { userInfo: { realname: undefined } },
      after: { user: { fullName: "ada" }, registration: { data: { steamId: "76561190000000001" } } },
    },
  ],
  TwitchReconcile: [
    { after: { registration: { roles: ["editor", "reader", "streamer"], username: "ada" } } },
    { changes: { registration: { roles: ["streamer"] } }, after: { registration: { roles: ["streamer"] } } },
  ],
  XboxReconcile: [{ after: { registration: { username: "Ada 1815", data: { xboxId: "2533270000000001", isAdult: true } } } }],
  ClientCredentialsJWTPopulate: [
    { after: { jwt: { client: "Reports", regions: ["eu"], mayWrite: false } } },
    { changes: { targetEntities: [{ id: "x" }] }, after: { jwt: { client: "Reports", regions: [null] } } },
    { changes: { permissions: { other: ["write"] } }, after: { jwt: { mayWrite: true } } },
  ],
  SCIMGroupRequestConverter: [
    {
      after: {
        group: { name: "Editors", data: { externalId: "editors" } },
        members: [{ userId: "a0000000-0000-4000-8000-000000000003", data: { display: "Ada Lovelace" } }],
        options: { roleIds: ["b0000000-0000-4000-8000-000000000001"] },
      },
    },
  ],
  SCIMGroupResponseConverter: [
    {
      after: {
        scimGroup: { displayName: "Editors", members: [{ value: "a0000000-0000-4000-8000-000000000003", type: "User" }] },
      },
    },
  ],
  SCIMUserRequestConverter: [
    {
      changes: { scimUser: { emails: [{ value: "a@example.com" }, { value: "b@example.com", primary: true }], active: false } },
      after: { user: { email: "b@example.com", active: false, data: { enterprise: { employeeNumber: "1" } } } },
    },
  ],
  SCIMUserResponseConverter: [
    {
      after: {
        scimUser: { userName: "ada", active: true, name: { familyName: "Lovelace" }, emails: [{ value: "ada@example.com" }] },
      },
    },
    { changes: { user: { email: undefined, username: undefined } }, after: { scimUser: { emails: [] } } },
  ],
  SelfServiceRegistrationValidation: [
    { after: { result: { errors: { fieldErrors: {} } } } },
    {
      changes: { formContext: { fields: { "user.data.zip": "none" } } },
      after: { result: { errors: { fieldErrors: { "user.data.zip": [{ ...zipError, data: { zip: "none" } }] } } } },
    },
  ],
  UserInfoPopulate: [
    {
      after: {
        userInfo: {
          picture: "https://example.com/ada.png",
          plan: "team",
          token_id: "a0000000-0000-4000-8000-000000000006",
        },
      },
    },
    { after: { userInfo: expect.not.objectContaining({ birthdate: expect.anything() }) } },
  ],
  LoginValidation: [
    { after: { result: { errors: { generalErrors: [] } } } },
    {
      changes: { registration: undefined, user: { data: { department: "Looms" } } },
      after: { result: { errors: { generalErrors: [{ code: "[notRegistered]" }, { code: "[closed]" }] } } },
    },
  ],
  MFARequirement: [
    { after: { result: { required: false, sendSuspiciousLoginEvent: false } } },
    { changes: { registration: { roles: ["admin"] } }, after: { result: { required: true, sendSuspiciousLoginEvent: false } } },
    {
      changes: { context: { clientRisk: { status: "HIGH" } } },
      after: { result: { required: true, sendSuspiciousLoginEvent: true } },
    },
  ],
};

let harness: LambdaHarness;
beforeAll(async () => {
  harness = await createLambdaHarness({ runner: testRunner() });
});
afterAll(() => harness.close());

describe.each(Object.keys(cases) as LambdaType[])("examples/lambdas/%s.js", (type) => {
  const file = join(folder, `${type}.js`);

  test("can be saved", async () => {
    expect(await findBodyFault(readFileSync(file, "utf8"), lambdaTypes[type])).toBeUndefined();
  });

  test.each(cases[type])("does what it says: case %#", async ({ changes = {}, after }) => {
    const { outcome, arguments: changed } = await harness.load({ type, file }).run(changes);
    expect(outcome).toEqual({ kind: "ok" });
    expect(changed).toMatchObject(after);
  });
});

test("there is an example of each kind, with a comment that says what it is for", () => {
  expect(readdirSync(folder).sort()).toEqual(
    Object.keys(lambdaTypes)
      .map((type) => `${type}.js`)
      .sort(),
  );
  for (const type of Object.keys(lambdaTypes)) {
    const text = readFileSync(join(folder, `${type}.js`), "utf8");
    expect(text).toMatch(/^\/\/ [A-Z]/m);
    expect(text).toContain(`import("latchkey/lambdas").${type}}`);
  }
});
