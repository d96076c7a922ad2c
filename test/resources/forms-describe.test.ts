import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeConsent, makeField, managedField } from "../support/families/forms-and-consents.js";
import { makeFieldFor, makeFormOf } from "../support/forms.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

/** A form of two steps that collect data and one that verifies, with its fields' ids. */
async function makeSurvey(world: World): Promise<{ readonly formId: string; readonly fields: readonly string[] }> {
  const color = { control: "select", options: ["red", "blue"], required: true, description: "Of the cover", data: { width: 3 } };
  const consentId = await makeConsent(world, { values: ["daily"] });
  const fields = [
    await managedField(world, "user.password"),
    await makeFieldFor(world, "user.data.color", color),
    await makeField(world, { name: "Letters", type: "consent", consentId }),
  ];
  return { formId: await makeFormOf(world, fields.slice(0, 1), "verifyEmail", fields.slice(1)), fields };
}

const messages = {
  defaultMessages: {
    "user.data.color": "Color",
    red: "Red",
    blue: "Blue",
    "user.password": "Password",
    "[missing]user.data.color": "Choose one",
    other: "unused",
  },
  localizedMessages: {
    de: { "user.data.color": "Farbe", red: "rot" },
    de_CH: { red: "rot (CH)" },
    pt_BR: { red: "vermelho" },
  },
};

forEachStorage((start) => {
  describe("a description", () => {
    requirement("form-use.describe", "shows steps and fields, with their keys where there are no texts", async () => {
      const world = await start();
      const { formId, fields } = await makeSurvey(world);
      const described = expectOk(await world.caller.get(`/api/form/${formId}/describe`));
      const form = expectOk(await world.caller.get(`/api/form/${formId}`));
      const { data, id, name, type } = form.at("form") as Readonly<Record<string, unknown>>;
      expect(described.at("form")).toEqual({ data, id, name, type });
      expect(described.each("steps", "step")).toEqual([1, 2, 3]);
      expect(described.each("steps", "type")).toEqual(["collectData", "verifyEmail", "collectData"]);
      expect(described.at("steps.1.fields")).toEqual([]);
      expect([described.each("steps.0.fields", "id"), described.each("steps.2.fields", "id")]).toEqual([
        fields.slice(0, 1),
        fields.slice(1),
      ]);
      expect(described.at("steps.0.fields.0")).toMatchObject({
        confirm: { key: "confirm.user.password", label: "confirm.user.password" },
        control: "password",
        key: "user.password",
        label: "user.password",
        options: [],
        required: true,
      });
      expect(described.at("steps.2.fields.0")).toEqual({
        control: "select",
        data: { width: 3 },
        description: "Of the cover",
        id: fields[1],
        key: "user.data.color",
        label: "user.data.color",
        options: [
          { text: "red", value: "red" },
          { text: "blue", value: "blue" },
        ],
        required: true,
        type: "string",
        validator: { enabled: false },
      });
      expect(described.at("steps.2.fields.1")).toMatchObject({ type: "consent", options: [{ text: "daily", value: "daily" }] });
      expect(described.at("messages")).toEqual({});
    });

    requirement("form-use.messages", "has the texts of the locale, of its language, or the default ones", async () => {
      const world = await start();
      const { formId } = await makeSurvey(world);
      const textsIn = async (locale?: string): Promise<readonly unknown[]> => {
        const query = locale === undefined ? "" : `?locale=${locale}`;
        const answer = expectOk(await world.caller.post(`/api/form/${formId}/describe${query}`, messages));
        return [answer.at("steps.2.fields.0.label"), ...answer.each("steps.2.fields.0.options", "text")];
      };
      expect(await textsIn()).toEqual(["Color", "Red", "Blue"]);
      expect(await textsIn("de")).toEqual(["Farbe", "rot", "Blue"]);
      for (const locale of ["de_CH", "de-CH", "DE-ch", "de_CH_x1"])
        expect(await textsIn(locale)).toEqual(["Farbe", "rot (CH)", "Blue"]);
      for (const locale of ["fr", "fr_FR", "pt"]) expect(await textsIn(locale)).toEqual(["Color", "Red", "Blue"]);
      expect(await textsIn("pt-BR")).toEqual(["Color", "vermelho", "Blue"]);
    });

    requirement("form-use.message-keys", "names the keys of all texts that the form needs, and has those texts", async () => {
      const world = await start();
      const { formId, fields } = await makeSurvey(world);
      const consent = expectOk(await world.caller.get(`/api/form/field/${fields[2]}`)).textAt("field.key");
      const { messageKeys, messages: texts } = await world.identity.forms.describe({ formId, locale: "de", ...messages });
      expect([...messageKeys].sort()).toEqual(
        [
          ...["user.password", "confirm.user.password", "[blank]user.password", "[doNotMatch]user.password"],
          ...["user.data.color", "red", "blue", "[missing]user.data.color", "[invalid]user.data.color"],
          ...[consent, "daily", `[invalid]${consent}`],
        ].sort(),
      );
      expect(texts).toEqual({
        "[missing]user.data.color": "Choose one",
        blue: "Blue",
        red: "rot",
        "user.data.color": "Farbe",
        "user.password": "Password",
      });
    });

    requirement("form-use.message-keys", "names the key of each refusal that a submission meets", async () => {
      const world = await start();
      const fields = [
        await makeFieldFor(world, "user.data.a", { type: "number", required: true, confirm: true }),
        await makeFieldFor(world, "user.data.b", { validator: { enabled: true, expression: "x" }, required: true }),
        await makeFieldFor(world, "user.data.c", { control: "checkbox", options: ["x"], required: true }),
        await makeFieldFor(world, "user.data.d", { type: "bool", control: "checkbox", required: true }),
      ];
      const formId = await makeFormOf(world, fields);
      const { messageKeys } = await world.identity.forms.describe({ formId });
      const met = new Set<string>();
      for (const entered of [undefined, "y", "7"]) {
        const keys = ["a", "b", "c", "d"].map((name) => [`user.data.${name}`, entered]);
        const answer = await world.caller.post(`/api/form/${formId}/validate`, { submission: Object.fromEntries(keys) });
        const { fieldErrors } = answer.body as { readonly fieldErrors: Readonly<Record<string, readonly { code: string }[]>> };
        for (const { code } of Object.values(fieldErrors).flat()) met.add(code);
      }
      expect([...met].sort()).toEqual(messageKeys.filter((key) => key.startsWith("[")).sort());
    });

    requirement("form-use.describe", "is refused for what is no locale, no text and no form", async () => {
      const world = await start();
      const { formId } = await makeSurvey(world);
      const path = `/api/form/${formId}/describe`;
      for (const locale of ["x", "de_", "../de", "d".repeat(50)])
        expectRefusal(await world.caller.get(`${path}?locale=${locale}`), 400, "[couldNotConvert]locale");
      const wrong = { defaultMessages: { a: 1 }, localizedMessages: { Klingon: {} } };
      expectRefusal(
        await world.caller.post(path, wrong),
        400,
        "[invalidJSON]defaultMessages.a",
        "[invalid]localizedMessages.Klingon",
      );
      expectEmpty(await world.caller.get(`/api/form/${uuid(9)}/describe`), 404);
      expectRefusal(await world.caller.get("/api/form/x/describe"), 400, "[couldNotConvert]formId");
    });
  });
});
