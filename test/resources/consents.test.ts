import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeConsent, makeField } from "../support/families/forms-and-consents.js";
import { requirement } from "../support/requirement.js";
import { searchBoth } from "../support/search.js";
import { callerOfTenant, forEachStorage, makeTenant, uuid } from "../support/world.js";

const path = "/api/consent";
const bare = { name: "Newsletter", defaultMinimumAgeForSelfConsent: 13 };

forEachStorage((start) => {
  describe("making a consent", () => {
    requirement(["consent.create", "consent.fields"], "fills in the defaults", async () => {
      const { caller, clock } = await start();
      const answer = expectOk(await caller.post(`${path}/${uuid(1)}`, { consent: bare }));
      expect(answer.body).toEqual({
        consent: {
          ...bare,
          countryMinimumAgeForSelfConsent: {},
          data: {},
          emailPlus: { enabled: false, maximumTimeToSendEmailInHours: 48, minimumTimeToSendEmailInHours: 24 },
          id: uuid(1),
          insertInstant: clock.instant,
          lastUpdateInstant: clock.instant,
          multipleValuesAllowed: false,
          values: [],
        },
      });
      expect((await caller.get(`${path}/${uuid(1)}`)).text).toBe(answer.text);
    });

    requirement(["consent.fields", "consent.ages"], "keeps every field that is given", async () => {
      const { caller } = await start();
      const consent = {
        ...bare,
        countryMinimumAgeForSelfConsent: { us: 13, DE: 16, kr: 0 },
        data: { a: [1] },
        emailPlus: { enabled: false, maximumTimeToSendEmailInHours: 5, minimumTimeToSendEmailInHours: 5 },
        multipleValuesAllowed: true,
        values: ["email", "post"],
      };
      expect(expectOk(await caller.post(path, { consent })).at("consent")).toMatchObject(consent);
    });

    requirement("consent.name", "needs a name that is free in any case", async () => {
      const { caller } = await start();
      for (const body of [undefined, {}, { consent: null }])
        expectRefusal(await caller.post(path, body), 400, "[missing]consent");
      for (const name of [undefined, null, "", " "])
        expectRefusal(await caller.post(path, { consent: { ...bare, name } }), 400, "[blank]consent.name");
      expectOk(await caller.post(path, { consent: bare }));
      expectRefusal(await caller.post(path, { consent: { ...bare, name: "NEWSLETTER" } }), 400, "[duplicate]consent.name");
    });

    requirement("consent.ages", "needs a default age, and ages by the two letters of a country", async () => {
      const { caller } = await start();
      const age = "consent.defaultMinimumAgeForSelfConsent";
      expectRefusal(await caller.post(path, { consent: { name: "N" } }), 400, `[missing]${age}`);
      for (const [value, kind] of [
        [-1, "invalid"],
        [151, "invalid"],
        [13.5, "invalidJSON"],
        ["13", "invalidJSON"],
      ] as const)
        expectRefusal(
          await caller.post(path, { consent: { name: "N", defaultMinimumAgeForSelfConsent: value } }),
          400,
          `[${kind}]${age}`,
        );
      const byCountry = "consent.countryMinimumAgeForSelfConsent";
      const wrong = { us: -1, de: "16", fr: 13 };
      const refused = await caller.post(path, { consent: { ...bare, countryMinimumAgeForSelfConsent: wrong } });
      expectRefusal(refused, 400, `[invalid]${byCountry}.us`, `[invalidJSON]${byCountry}.de`);
      const noCountry = { usa: 13, "": 1, u1: 2 };
      const unknown = await caller.post(path, { consent: { ...bare, countryMinimumAgeForSelfConsent: noCountry } });
      expectRefusal(unknown, 400, `[invalid]${byCountry}.usa`, `[invalid]${byCountry}[]`, `[invalid]${byCountry}.u1`);
    });

    requirement("consent.values", "keeps one of each value, also when PATCH appends", async () => {
      const { caller } = await start();
      const made = expectOk(await caller.post(path, { consent: { ...bare, values: ["email", "post", "email"] } }));
      expect(made.at("consent.values")).toEqual(["email", "post"]);
      const patched = await caller.patch(`${path}/${made.textAt("consent.id")}`, { consent: { values: ["post", "phone"] } });
      expect(expectOk(patched).at("consent.values")).toEqual(["email", "post", "phone"]);
      expectRefusal(await caller.post(path, { consent: { ...bare, values: [1] } }), 400, "[invalidJSON]consent.values[0]");
    });
  });

  describe("the email templates of a consent", () => {
    requirement("consent.email-plus", "are needed for the second message, which has an ordered time span", async () => {
      const { caller } = await start();
      const template = "[missing]consent.emailPlus.emailTemplateId";
      const maximum = "[invalid]consent.emailPlus.maximumTimeToSendEmailInHours";
      for (const [emailPlus, ...codes] of [
        [{ enabled: true }, template],
        [{ enabled: true, minimumTimeToSendEmailInHours: 49 }, template, maximum],
        [{ maximumTimeToSendEmailInHours: 23 }, maximum],
        [{ maximumTimeToSendEmailInHours: 0, minimumTimeToSendEmailInHours: 1 }, maximum],
        [{ maximumTimeToSendEmailInHours: 8_761 }, maximum],
        [
          { enabled: "yes", emailTemplateId: "x" },
          "[couldNotConvert]consent.emailPlus.emailTemplateId",
          "[invalidJSON]consent.emailPlus.enabled",
        ],
        [7, "[invalidJSON]consent.emailPlus"],
      ] as const)
        expectRefusal(await caller.post(path, { consent: { ...bare, emailPlus } }), 400, ...codes);
    });

    requirement("consent.templates", "must exist", async () => {
      const { caller } = await start();
      const consent = { ...bare, consentEmailTemplateId: uuid(1), emailPlus: { enabled: true, emailTemplateId: uuid(2) } };
      expectRefusal(
        await caller.post(path, { consent }),
        400,
        "[invalid]consent.consentEmailTemplateId",
        "[invalid]consent.emailPlus.emailTemplateId",
      );
    });
  });

  describe("who may call", () => {
    requirement("consent.access", "keys of any tenant see the same consents, and change none", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      const [here, there] = [await callerOfTenant(world, world.defaultTenantId), await callerOfTenant(world, other)];
      const made = expectOk(await world.caller.post(path, { consent: bare }));
      const one = `${path}/${made.textAt("consent.id")}`;
      for (const caller of [here, there, world.caller, world.caller.inTenant(other), world.caller.inTenant(uuid(99))]) {
        expect((await caller.get(one)).text).toBe(made.text);
        expect((await caller.get(path)).each("consents", "name")).toEqual(["Newsletter"]);
      }
      for (const method of ["POST", "PUT", "PATCH", "DELETE"])
        expectEmpty(await there.send(method, one, { consent: { ...bare, name: "Changed" } }), 401);
      expectEmpty(await there.post(path, { consent: { ...bare, name: "Another" } }), 401);
      expect((await here.get(one)).text).toBe(made.text);
      expectOk(await world.caller.inTenant(other).put(one, { consent: { ...bare, name: "Again" } }));
      expect((await here.get(one)).at("consent.name")).toBe("Again");
      expect((await here.get(one)).at("consent.tenantId")).toBeUndefined();
      expectEmpty(await world.caller.delete(one), 200);
      expectEmpty(await here.get(one), 404);
      expectEmpty(await here.inTenant(other).get(one), 401);
    });

    requirement(["field.global", "consent.access"], "the search is for calls without a tenant", async () => {
      const world = await start();
      const bound = await callerOfTenant(world, world.defaultTenantId);
      for (const caller of [bound, world.caller.inTenant(world.defaultTenantId)]) {
        expectEmpty(await caller.get(`${path}/search`), 401);
        expectEmpty(await caller.post(`${path}/search`, {}), 401);
      }
    });
  });

  requirement("consent.search", "are searched by name, in order of name unless another is asked for", async () => {
    const world = await start();
    for (const name of ["b news", "C", "a news"]) await makeConsent(world, { name });
    const names = async (criteria: Record<string, unknown>): Promise<unknown> =>
      expectOk(await searchBoth(world, path, criteria)).each("consents", "name");
    expect(await names({})).toEqual(["a news", "b news", "C"]);
    expect(await names({ name: "NEWS" })).toEqual(["a news", "b news"]);
    expect(await names({ name: "c*" })).toEqual(["C"]);
    expect(await names({ orderBy: "name DESC" })).toEqual(["C", "b news", "a news"]);
    for (const orderBy of ["id", "insertInstant"]) expectOk(await searchBoth(world, path, { orderBy }));
    expectRefusal(await searchBoth(world, path, { orderBy: "values" }), 400, "[invalid]orderBy");
    expect((await searchBoth(world, path, { numberOfResults: 1 })).body).toMatchObject({
      total: 3,
      consents: [{ name: "a news" }],
    });
  });

  requirement("consent.in-use", "stay while a form field asks for them", async () => {
    const world = await start();
    const consentId = await makeConsent(world, {});
    const fieldId = await makeField(world, { name: "Terms field", type: "consent", consentId });
    const refused = await world.caller.delete(`${path}/${consentId}`);
    expectRefusal(refused, 400, "[inUse]consentId");
    expect(refused.text).toContain("field Terms field");
    expectEmpty(await world.caller.delete(`/api/form/field/${fieldId}`), 200);
    expectEmpty(await world.caller.delete(`${path}/${consentId}`), 200);
  });

  requirement("service.same-values", "can be handled in process, as forms can", async () => {
    const { identity, caller } = await start();
    const { consent } = await identity.consents.create({ consent: { ...bare, values: ["email"] } });
    const { field } = await identity.formFields.create({ field: { name: "N", type: "consent", consentId: consent.id } });
    const { form } = await identity.forms.create({ form: { name: "F", type: "adminUser", steps: [{ fields: [field.id] }] } });
    expect((await caller.get(`${path}/${consent.id}`)).body).toEqual({ consent });
    expect((await caller.get(`/api/form/${form.id}`)).body).toEqual({ form });
    const { fields } = await identity.formFields.list();
    expect(fields.find((one) => one.id === field.id)).toEqual(field);
    expect((await identity.consents.search({ search: { name: "news" } })).total).toBe(1);
    await expect(identity.formFields.remove({ fieldId: field.id })).rejects.toMatchObject({ code: "[inUse]fieldId" });
    await identity.forms.remove({ formId: form.id });
    await identity.formFields.remove({ fieldId: field.id });
    expect((await identity.consents.patch({ consentId: consent.id, patch: { consent: { name: "M" } } })).consent.name).toBe("M");
  });
});
