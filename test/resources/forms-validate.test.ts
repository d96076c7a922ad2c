import type { IdentityError } from "latchkey";
import { globalScope } from "latchkey/ports";
import { describe, expect } from "vitest";
import { tables } from "../../src/families/index.js";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeConsent, makeField, managedField } from "../support/families/forms-and-consents.js";
import { makeFieldFor, makeFormOf, makeOneField, validate } from "../support/forms.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, makeTenant, uuid, type World } from "../support/world.js";

/** A form with a field of most kinds in two steps, and a step between them that verifies. */
async function makeSignUp(world: World): Promise<string> {
  const first = [await managedField(world, "user.email"), await managedField(world, "user.password")];
  const second = [
    await managedField(world, "user.birthDate"),
    await makeFieldFor(world, "registration.data.age", { type: "number", control: "number", required: true }),
    await makeFieldFor(world, "user.data.preferences[0]", { control: "select", options: ["red", "blue"], required: true }),
    await makeFieldFor(world, "user.data.preferences[1]['size']", {}),
    await makeFieldFor(world, "user.data.newsletter", { type: "bool", control: "checkbox" }),
  ];
  return makeFormOf(world, first, "verifyEmail", second);
}

const password = "correct horse battery";

forEachStorage((start) => {
  describe("a submission", () => {
    requirement(["form-use.values", "form-use.steps"], "is put to the places that its keys name, step by step", async () => {
      const world = await start();
      const formId = await makeSignUp(world);
      const credentials = { "user.email": " ann@example.com ", "user.password": password, "confirm.user.password": password };
      const first = expectOk(await validate(world, formId, { submission: credentials, step: 1 }));
      const user = { email: "ann@example.com", password };
      expect(first.body).toEqual({ consents: {}, nextStep: 2, registration: {}, user });
      expect(expectOk(await validate(world, formId, { user, step: 2 })).body).toEqual({
        consents: {},
        nextStep: 3,
        registration: {},
        user,
      });
      const submission = {
        "user.birthDate": "1990-05-17T00:00:00Z",
        "registration.data.age": "33",
        "user.data.preferences[0]": "blue",
        "user.data.preferences[1]['size']": "XL",
        "another.key": "is ignored",
      };
      const known = { user: { ...user, data: { pets: 2 } }, registration: { roles: ["reader"] } };
      expect(expectOk(await validate(world, formId, { ...known, submission, step: 3 })).body).toEqual({
        consents: {},
        registration: { data: { age: 33 }, roles: ["reader"] },
        user: { ...user, birthDate: "1990-05-17", data: { newsletter: false, pets: 2, preferences: ["blue", { size: "XL" }] } },
      });
    });

    requirement("form-use.values", "keeps nothing, and can be made a user of", async () => {
      const world = await start();
      const formId = await makeSignUp(world);
      const read = (): Promise<unknown> =>
        Promise.all(
          tables.filter(({ name }) => name !== "apiKeyUses").map((table) => world.storage.find(globalScope, table, undefined)),
        );
      const before = await read();
      const submission = {
        "user.email": "ann@example.com",
        "user.password": password,
        "confirm.user.password": password,
        "registration.data.age": 33,
        "user.data.preferences[0]": "red",
      };
      const { user } = await world.identity.forms.validate({ formId, submission });
      expect(await read()).toEqual(before);
      const made = await world.identity.users.create({ user });
      expect(made.user).toMatchObject({ email: "ann@example.com", data: { preferences: ["red"] } });
    });

    requirement("form-use.values", "takes the value of an empty field away", async () => {
      const world = await start();
      const fields = [await managedField(world, "user.firstName"), await makeFieldFor(world, "user.data.list[0]")];
      const formId = await makeFormOf(world, [...fields, await makeFieldFor(world, "user.data.none.deeper")]);
      const user = { firstName: "Ann", lastName: "Lee", data: { list: ["a", "b"] } };
      const answer = expectOk(await validate(world, formId, { user, submission: { "user.firstName": " " } }));
      expect(answer.at("user")).toEqual({ lastName: "Lee", data: { list: [null, "b"] } });
    });

    requirement("form-use.values", "may be left out: then the values in the objects are validated", async () => {
      const world = await start();
      const formId = await makeSignUp(world);
      const data = { newsletter: true, preferences: ["red"] };
      const objects = { user: { email: "a@b.c", password, data }, registration: { data: { age: "33" } } };
      expect(expectOk(await validate(world, formId, objects)).body).toEqual({
        consents: {},
        registration: { data: { age: 33 } },
        user: objects.user,
      });
      expectRefusal(
        await validate(world, formId, { user: { data: { preferences: ["green"] } } }),
        400,
        "[blank]user.password",
        "[missing]registration.data.age",
        "[invalid]user.data.preferences[0]",
      );
    });

    requirement("form-use.codes", "has no place where something else is on the way", async () => {
      const world = await start();
      const post = await makeOneField(world, {}, "user.data.a.b");
      const formId = await makeFormOf(world, [await makeFieldFor(world, "user.data.a.b")]);
      expectOk(await post("x"));
      const user = { data: { a: "text" } };
      const answer = await validate(world, formId, { user, submission: { "user.data.a.b": "x" } });
      expectRefusal(answer, 400, "[invalid]user.data.a.b");
      expect(answer.text).toContain("no place");
    });
  });

  describe("a refusal", () => {
    requirement("form-use.codes", "names all fields at once, by what is missing and what is wrong", async () => {
      const world = await start();
      const all = {
        string: {},
        number: { type: "number" },
        date: { type: "date" },
        bool: { type: "bool", control: "checkbox" },
        choice: { type: "bool", control: "radio" },
        email: { type: "email" },
        select: { control: "select", options: ["a"] },
        boxes: { control: "checkbox", options: ["a"] },
      };
      const rows = Object.entries(all).map(([name, field]) => [`user.data.${name}`, { ...field, required: true }] as const);
      const fields = await Promise.all(rows.map(([key, field]) => makeFieldFor(world, key, field)));
      const formId = await makeFormOf(world, fields);
      const missing = ["number", "date", "bool", "choice", "select"].map((name) => `[missing]user.data.${name}`);
      const blank = ["string", "email", "boxes"].map((name) => `[blank]user.data.${name}`);
      expectRefusal(await validate(world, formId, { submission: {} }), 400, ...missing, ...blank);
      const unfit = Object.fromEntries(rows.map(([key]) => [key, { an: "object" }]));
      expectRefusal(await validate(world, formId, { submission: unfit }), 400, ...rows.map(([key]) => `[invalid]${key}`));
      const no = { "user.data.bool": "false", "user.data.choice": "false", "user.data.boxes": [] };
      const fit = { "user.data.string": "x", "user.data.number": 0, "user.data.date": "2024-01-01", "user.data.email": "a@b" };
      expectRefusal(
        await validate(world, formId, { submission: { ...fit, ...no, "user.data.select": "b" } }),
        400,
        "[missing]user.data.bool",
        "[blank]user.data.boxes",
        "[invalid]user.data.select",
      );
    });

    requirement("form-use.codes", "reports that the confirmation differs", async () => {
      const world = await start();
      const confirmed = await makeOneField(world, { confirm: true, type: "email" });
      const again = "confirm.user.data.x";
      expectOk(await confirmed("a@b.c", { [again]: " a@b.c" }));
      expectOk(await confirmed("", {}));
      for (const more of [{}, { [again]: "A@b.c" }, { [again]: ["a@b.c", "a@b.c"] }, { [again]: null }])
        expectRefusal(await confirmed("a@b.c", more), 400, "[doNotMatch]user.data.x");
      expectRefusal(await confirmed("a", { [again]: "b" }), 400, "[doNotMatch]user.data.x", "[invalid]user.data.x");
      expectRefusal(await confirmed(undefined, { [again]: "a@b.c" }), 400, "[doNotMatch]user.data.x");
      const exact = await makeOneField(world, { confirm: true });
      expectRefusal(await exact("secret", { [again]: "secret " }), 400, "[doNotMatch]user.data.x");
    });

    requirement("form-use.codes", "does not ask for the password of somebody who has one", async () => {
      const world = await start();
      const formId = await makeFormOf(world, [await managedField(world, "user.password")]);
      expectRefusal(await validate(world, formId, { submission: {} }), 400, "[blank]user.password");
      expect(expectOk(await validate(world, formId, { user: { id: uuid(1) }, submission: {} })).at("user")).toEqual({
        id: uuid(1),
      });
    });

    requirement("form-use.codes", "is about the body where that is no submission", async () => {
      const world = await start();
      const formId = await makeSignUp(world);
      expectRefusal(
        await validate(world, formId, { submission: [], user: "x" }),
        400,
        "[invalidJSON]submission",
        "[invalidJSON]user",
      );
      for (const step of [0, 4, 1.5, "1"]) {
        const kind = typeof step === "number" && Number.isInteger(step) ? "invalid" : "invalidJSON";
        expectRefusal(await validate(world, formId, { step }), 400, `[${kind}]step`);
      }
      expectEmpty(await validate(world, uuid(99), {}), 404);
      expectRefusal(await validate(world, "x", {}), 400, "[couldNotConvert]formId");
      expectRefusal(
        await validate(world, formId, JSON.parse('{"submission":{"__proto__":1}}')),
        400,
        "[invalid]submission.__proto__",
      );
    });
  });

  describe("what can be chosen", () => {
    requirement("form-use.options", "is one of the options, and several where there are boxes", async () => {
      const world = await start();
      const radio = await makeOneField(world, { control: "radio", type: "number", options: ["1", "2"] });
      expect(expectOk(await radio("2")).at("user")).toEqual({ data: { x: 2 } });
      expectRefusal(await radio("3"), 400, "[invalid]user.data.x");
      const boxes = await makeOneField(world, { control: "checkbox", options: ["a", "b"] });
      expect(expectOk(await boxes(["b", "a"])).at("user")).toEqual({ data: { x: ["b", "a"] } });
      expectRefusal(await boxes(["a", "c"]), 400, "[invalid]user.data.x");
    });

    requirement("form-use.consents", "are consents too, by their ids", async () => {
      const world = await start();
      const plain = await makeConsent(world, {});
      const several = await makeConsent(world, { name: "Letters", values: ["daily", "weekly"], multipleValuesAllowed: true });
      const fields = [plain, several].map((consentId, index) =>
        makeField(world, { name: `Consent ${index}`, type: "consent", consentId, required: index === 0 }),
      );
      const formId = await makeFormOf(world, await Promise.all(fields));
      const [one, two] = [`consents['${plain}']`, `consents['${several}']`];
      const given = expectOk(await validate(world, formId, { submission: { [one]: "true", [two]: ["weekly"] } }));
      expect(given.at("consents")).toEqual({ [plain]: true, [several]: ["weekly"] });
      const fewer = expectOk(await validate(world, formId, { submission: { [one]: true } }));
      expect(fewer.at("consents")).toEqual({ [plain]: true, [several]: false });
      expectRefusal(
        await validate(world, formId, { submission: { [one]: false, [two]: ["hourly"] } }),
        400,
        `[missing]${one}`,
        `[invalid]${two}`,
      );
    });
  });

  requirement("form-use.fields", "fields are validated without a form", async () => {
    const world = await start();
    const fieldIds = [await managedField(world, "user.email"), await makeFieldFor(world, "user.data.x", { type: "number" })];
    const post = (body: object): ReturnType<World["caller"]["post"]> => world.caller.post("/api/form/validate", body);
    const submission = { "user.email": "a@b.c", "user.data.x": "1" };
    expect(expectOk(await post({ fieldIds, submission })).at("user")).toEqual({ email: "a@b.c", data: { x: 1 } });
    expectRefusal(await post({ fieldIds, submission: { "user.data.x": "x" } }), 400, "[invalid]user.data.x");
    expectRefusal(await post({ fieldIds: [...fieldIds, uuid(9)], submission }), 400, "[invalid]fieldIds");
    expectRefusal(await post({ submission }), 400, "[missing]formId");
    expectRefusal(await post({ fieldIds, submission, step: 2 }), 400, "[invalid]step");
    const { user } = await world.identity.forms.validate({ fieldIds, submission });
    expect(user).toEqual({ email: "a@b.c", data: { x: 1 } });
  });

  requirement("form-use.access", "keys of tenants may validate and describe, and nobody else", async () => {
    const world = await start();
    const formId = await makeSignUp(world);
    const tenant = await callerOfTenant(world, await makeTenant(world, "Other"));
    for (const caller of [world.caller, tenant, world.caller.inTenant(world.defaultTenantId)]) {
      expectOk(await caller.post(`/api/form/${formId}/validate`, { step: 2 }));
      expectOk(await caller.get(`/api/form/${formId}/describe`));
      expectOk(await caller.post(`/api/form/${formId}/describe`, {}));
    }
    for (const caller of [world.as("unknown"), world.as("")]) {
      expectEmpty(await caller.post(`/api/form/${formId}/validate`, { step: 2 }), 401);
      expectEmpty(await caller.get(`/api/form/${formId}/describe`), 401);
    }
    expectEmpty(await tenant.get(`/api/form/${formId}`), 401);
  });

  requirement("form-use.access", "a plan without forms does neither", async () => {
    const world = await start({ plan: "community" });
    for (const url of [`/api/form/${uuid(1)}/validate`, `/api/form/${uuid(1)}/describe`, "/api/form/validate"])
      expectRefusal(await world.caller.post(url, {}), 400, "[notLicensed]form");
    const refusal = await world.identity.forms.validate({ formId: uuid(1) }).catch((error: IdentityError) => error.code);
    expect(refusal).toBe("[notLicensed]form");
  });
});
