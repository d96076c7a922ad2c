import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeConsent, makeField, managedField } from "../support/families/forms-and-consents.js";
import { makeApplication } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type Start, uuid, type World } from "../support/world.js";

const path = "/api/form";

/** A world whose managed fields can be named by their keys. */
async function startWithFields(start: Start): Promise<{ world: World; of: (key: string) => Promise<string> }> {
  const world = await start();
  return { world, of: (key) => managedField(world, key) };
}

function post(world: World, form: object): Promise<Answer> {
  return world.caller.post(path, { form: { name: "F", ...form } });
}

forEachStorage((start) => {
  describe("making a form", () => {
    requirement(["form.create", "form.fields", "form.type"], "fills in the defaults", async () => {
      const { world, of } = await startWithFields(start);
      const fields = [await of("user.email"), await of("user.password")];
      const answer = expectOk(await world.caller.post(`${path}/${uuid(1)}`, { form: { name: "Sign-up", steps: [{ fields }] } }));
      const { instant } = world.clock;
      expect(answer.body).toEqual({
        form: {
          data: {},
          id: uuid(1),
          insertInstant: instant,
          lastUpdateInstant: instant,
          name: "Sign-up",
          steps: [{ fields, type: "collectData" }],
          type: "registration",
        },
      });
      expect((await world.caller.get(`${path}/${uuid(1)}`)).text).toBe(answer.text);
    });

    requirement(["form.fields", "form.verify"], "keeps every field that is given", async () => {
      const { world, of } = await startWithFields(start);
      const steps = [
        { type: "collectData", fields: [await of("user.email"), await of("user.phoneNumber")] },
        { type: "verifyEmail", fields: [] },
        { type: "verifyPhoneNumber", fields: [] },
        { type: "collectData", fields: [await of("user.password")] },
      ];
      const form = { name: "Long", data: { a: { b: [1] } }, steps, type: "registration" };
      expect(expectOk(await post(world, form)).at("form")).toMatchObject(form);
    });

    requirement("form.name", "needs a name that is free in any case", async () => {
      const { world, of } = await startWithFields(start);
      const steps = [{ fields: [await of("user.email"), await of("user.password")] }];
      for (const name of [undefined, null, "", " "]) expectRefusal(await post(world, { name, steps }), 400, "[blank]form.name");
      expectRefusal(await post(world, { name: "n".repeat(192), steps }), 400, "[tooLong]form.name");
      expectOk(await post(world, { name: "Über", steps }));
      expectRefusal(await post(world, { name: "ÜBER", steps }), 400, "[duplicate]form.name");
    });

    requirement("form.type", "takes four types, of which no change makes another", async () => {
      const { world, of } = await startWithFields(start);
      const steps = [{ fields: [await of("user.email"), await of("user.password")] }];
      for (const type of ["registration", "adminRegistration", "adminUser", "selfServiceUser"]) {
        const made = expectOk(await post(world, { name: type, steps, type }));
        const one = `${path}/${made.textAt("form.id")}`;
        for (const answer of [
          await world.caller.put(one, { form: { name: type, steps } }),
          await world.caller.put(one, { form: { name: type, steps, type: "selfServiceUser" } }),
          await world.caller.patch(one, { form: { type: "adminUser" } }),
        ])
          expect(expectOk(answer).at("form.type")).toBe(type);
      }
      expectRefusal(await post(world, { steps, type: "survey" }), 400, "[invalidOption]form.type");
    });
  });

  describe("the steps of a form", () => {
    requirement("form.steps", "lose null steps and empty ones that collect data", async () => {
      const { world, of } = await startWithFields(start);
      const fields = [await of("user.lastName")];
      const steps = [null, { fields: [] }, {}, { type: "verifyEmail" }, null, { fields }, { type: "collectData" }];
      const made = expectOk(await post(world, { type: "adminUser", steps }));
      const kept = [
        { fields: [], type: "verifyEmail" },
        { fields, type: "collectData" },
      ];
      expect(made.at("form.steps")).toEqual(kept);
      const one = `${path}/${made.textAt("form.id")}`;
      const more = await world.caller.patch(one, { form: { steps: [null, {}, { type: "verifyPhoneNumber" }] } });
      expect(expectOk(more).at("form.steps")).toEqual([...kept, { fields: [], type: "verifyPhoneNumber" }]);
    });

    requirement("form.steps", "are at least one", async () => {
      const { world, of } = await startWithFields(start);
      for (const steps of [undefined, null, [], [null], [{ fields: [] }, {}]])
        for (const type of ["registration", "adminUser"])
          expectRefusal(await post(world, { type, steps }), 400, "[empty]form.steps");
      const made = expectOk(await post(world, { type: "adminUser", steps: [{ fields: [await of("user.email")] }] }));
      const one = `${path}/${made.textAt("form.id")}`;
      expectRefusal(await world.caller.mergePatch(one, { form: { steps: [] } }), 400, "[empty]form.steps");
      const emptied = [{ op: "remove", path: "/form/steps/0/fields/0" }];
      expectRefusal(await world.caller.jsonPatch(one, emptied), 400, "[empty]form.steps");
      expect((await world.caller.get(one)).at("form.steps")).toHaveLength(1);
    });

    requirement("errors.paths", "are refused position by position", async () => {
      const { world } = await startWithFields(start);
      const steps = [7, { fields: "x" }, { type: "dance" }, { fields: [7, "x", null] }];
      expectRefusal(
        await post(world, { steps }),
        400,
        "[couldNotConvert]form.steps[3].fields[1]",
        "[invalidJSON]form.steps[0]",
        "[invalidJSON]form.steps[1].fields",
        "[invalidJSON]form.steps[3].fields[0]",
        "[invalidJSON]form.steps[3].fields[2]",
        "[invalidOption]form.steps[2].type",
      );
      expectRefusal(await post(world, { steps: {} }), 400, "[invalidJSON]form.steps");
      const tooMany = Array.from({ length: 101 }, () => ({ type: "verifyEmail" }));
      expectRefusal(await post(world, { steps: tooMany }), 400, "[tooMany]form.steps");
      const fields = Array.from({ length: 101 }, () => uuid(1));
      expectRefusal(await post(world, { steps: [{ fields }] }), 400, "[tooMany]form.steps[0].fields");
    });

    requirement(
      ["form.references", "form.verify"],
      "name fields that are there, and none where something is verified",
      async () => {
        const { world, of } = await startWithFields(start);
        const email = await of("user.email");
        const steps = [
          { fields: [uuid(1), email] },
          { type: "verifyEmail", fields: [await of("user.lastName")] },
          { fields: [uuid(2)] },
        ];
        expectRefusal(
          await post(world, { steps }),
          400,
          "[invalid]form.steps[0].fields[0]",
          "[invalid]form.steps[1].fields",
          "[invalid]form.steps[2].fields[0]",
        );
        expect((await world.caller.get(path)).at("forms")).toEqual([]);
      },
    );

    requirement("form.keys", "carry no key twice, not even by two fields", async () => {
      const { world, of } = await startWithFields(start);
      const [email, again] = [await of("user.email"), await makeField(world, { name: "Email", key: "user.email" })];
      const consentId = await makeConsent(world, {});
      const consent = (name: string): Promise<string> => makeField(world, { name, type: "consent", consentId });
      const consents = [await consent("A"), await consent("B")];
      const code = "[duplicate]form.steps[0].fields[1]";
      for (const fields of [[email, email], [email, again], consents])
        expectRefusal(await post(world, { type: "adminUser", steps: [{ fields }] }), 400, code);
      const steps = [{ fields: [email] }, { fields: [await of("user.lastName"), again] }];
      expectRefusal(await post(world, { type: "adminUser", steps }), 400, "[duplicate]form.steps[1].fields[1]");
      const made = expectOk(await post(world, { type: "adminUser", steps: [{ fields: [email, consents[0]] }] }));
      const patch = { form: { steps: [{ fields: [again] }] } };
      const answer = await world.caller.patch(`${path}/${made.textAt("form.id")}`, patch);
      expectRefusal(answer, 400, "[duplicate]form.steps[1].fields[0]");
    });
  });

  requirement("form.registration", "for registrations asks for a login and a password; others need not", async () => {
    const { world, of } = await startWithFields(start);
    const password = await of("user.password");
    const formOf = async (keys: readonly string[]): Promise<object> => ({
      name: keys.join(),
      steps: [{ fields: await Promise.all(keys.map(of)) }],
    });
    for (const login of ["user.email", "user.username", "user.phoneNumber"]) {
      expectOk(await post(world, { ...(await formOf([login])), steps: [{ fields: [await of(login)] }, { fields: [password] }] }));
      const refused = await post(world, await formOf([login, "user.lastName"]));
      expectRefusal(refused, 400, "[invalid]form.steps");
      expect(refused.text).toContain("user.password");
    }
    for (const keys of [["user.password"], ["user.lastName"], ["registration.username", "user.password"]]) {
      expectRefusal(await post(world, await formOf(keys)), 400, "[invalid]form.steps");
      expectOk(await post(world, { ...(await formOf(keys)), type: "selfServiceUser" }));
    }
    const verifying = { steps: [{ type: "verifyEmail" }] };
    expectRefusal(await post(world, verifying), 400, "[invalid]form.steps");
  });

  describe("forms on the whole", () => {
    requirement(["form.list", "form.path"], "are listed in order of name, apart from their fields", async () => {
      const { world, of } = await startWithFields(start);
      const steps = [{ fields: [await of("user.lastName")] }];
      for (const name of ["b", "C", "a"]) expectOk(await post(world, { name, steps, type: "adminUser" }));
      expect((await world.caller.get(path)).each("forms", "name")).toEqual(["a", "b", "C"]);
      expect(Object.keys((await world.caller.get(`${path}/field`)).body as object)).toEqual(["fields"]);
      expectRefusal(await world.caller.get(`${path}/fields`), 400, "[couldNotConvert]formId");
    });

    requirement("field.plan", "need the plan starter for every change", async () => {
      const { caller } = await start({ plan: "community" });
      expectRefusal(await caller.post(path, { form: { name: "F", steps: [] } }), 400, "[notLicensed]form");
      expect((await caller.get(path)).body).toEqual({ forms: [] });
    });

    requirement("form.in-use", "stay while an application or a tenant uses them", async () => {
      const { world, of } = await startWithFields(start);
      const { caller, defaultTenantId } = world;
      const steps = [{ fields: [await of("user.lastName")] }];
      const formId = expectOk(await post(world, { type: "adminUser", steps })).textAt("form.id");
      const application = `/api/application/${await makeApplication(world, defaultTenantId, "App")}`;
      const tenant = `/api/tenant/${defaultTenantId}`;
      for (const [one, wrapper, use, code] of [
        [application, "application", { registrationConfiguration: { formId } }, "registrationConfiguration.formId"],
        [application, "application", { formConfiguration: { selfServiceFormId: formId } }, "formConfiguration.selfServiceFormId"],
        [
          application,
          "application",
          { formConfiguration: { adminRegistrationFormId: formId } },
          "formConfiguration.adminRegistrationFormId",
        ],
        [tenant, "tenant", { formConfiguration: { adminUserFormId: formId } }, "formConfiguration.adminUserFormId"],
      ] as const) {
        const unknown = JSON.parse(JSON.stringify(use).replace(formId, uuid(9)));
        expectRefusal(await caller.patch(one, { [wrapper]: unknown }), 400, `[invalid]${wrapper}.${code}`);
        expectOk(await caller.patch(one, { [wrapper]: use }));
        expectRefusal(await caller.delete(`${path}/${formId}`), 400, "[inUse]formId");
        expectOk(await caller.put(one, { [wrapper]: { name: "Without" } }));
      }
      expectOk(await caller.patch(application, { application: { registrationConfiguration: { formId } } }));
      expectEmpty(await caller.delete(`${application}?hardDelete=true`), 200);
      expectEmpty(await caller.delete(`${path}/${formId}`), 200);
    });
  });
});
