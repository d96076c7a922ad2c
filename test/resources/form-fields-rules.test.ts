import { describe, expect } from "vitest";
import { type Answer, expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { cpuTime } from "../support/cpu-time.js";
import { makeConsent, makeField, makeForm } from "../support/families/forms-and-consents.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, uuid, type World } from "../support/world.js";

const path = "/api/form/field";

let count = 0;

/** A name that no field has. */
function freshName(): string {
  return `F ${++count}`;
}

/** Makes a custom field, of which only what matters is given. */
function post(world: World, field: object): Promise<Answer> {
  return world.caller.post(path, { field: { name: freshName(), key: "user.data.x", ...field } });
}

const choices = ["checkbox", "radio", "select"];

forEachStorage((start) => {
  describe("the options of a form field", () => {
    requirement("field.options", "lose their null entries and keep the rest in order, repetitions too", async () => {
      const world = await start();
      const made = await post(world, { control: "select", options: [null, "b", null, "a", "b"] });
      expect(expectOk(made).at("field.options")).toEqual(["b", "a", "b"]);
      const patched = await world.caller.patch(`${path}/${made.textAt("field.id")}`, { field: { options: ["a", null] } });
      expect(expectOk(patched).at("field.options")).toEqual(["b", "a", "b", "a"]);
    });

    requirement("field.options", "are needed where something is to be chosen", async () => {
      const world = await start();
      for (const control of choices) {
        for (const options of [undefined, [], [null]])
          expectRefusal(await post(world, { control, options }), 400, "[empty]field.options");
        expectOk(await post(world, { control, options: ["a"] }));
        // Yes and no need not be spelt out.
        expect(expectOk(await post(world, { control, type: "bool" })).at("field.options")).toEqual([]);
      }
      for (const control of ["text", "textarea", "number", "password"]) expectOk(await post(world, { control }));
      const made = `${path}/${await makeField(world, { name: "S", key: "user.data.s", control: "select", options: ["a"] })}`;
      expectRefusal(await world.caller.put(made, { field: { name: "S" } }), 400, "[empty]field.options");
      expectRefusal(await world.caller.mergePatch(made, { field: { options: [] } }), 400, "[empty]field.options");
    });

    requirement("field.options", "fit the type", async () => {
      const world = await start();
      const fitting = {
        bool: ["true", "false"],
        date: ["2024-02-29", "2024-02-29T10:00:00Z", "2024-02-29T10:00:00.123+02:00"],
        number: ["0", "-1", "+2.50", "1e3"],
        phoneNumber: ["+49 30 1234"],
        string: ["", "x"],
      };
      const unfitting = {
        bool: ["yes", "", " true"],
        date: ["tomorrow", "2024-13-01", "01.02.2024", ""],
        number: ["", "one", "1,5", "0x10", "NaN", "Infinity", "1 "],
      };
      for (const [type, options] of Object.entries(fitting)) expectOk(await post(world, { type, control: "select", options }));
      for (const [type, options] of Object.entries(unfitting))
        for (const option of options) {
          const answer = await post(world, { type, control: "select", options: [option] });
          expectRefusal(answer, 400, "[invalid]field.options");
        }
    });

    requirement("field.options-bool", "are lower-case and true comes first in a checkbox for true or false", async () => {
      const world = await start();
      const made = await post(world, { type: "bool", control: "checkbox", options: ["FALSE", null, "True"] });
      expect(expectOk(made).at("field.options")).toEqual(["true", "false"]);
      const radio = await post(world, { type: "bool", control: "radio", options: ["FALSE", "True"] });
      expect(expectOk(radio).at("field.options")).toEqual(["FALSE", "True"]);
    });

    requirement("field.options", "are texts, at most a thousand", async () => {
      const world = await start();
      const wrong = await post(world, { control: "select", options: ["a", 7, {}] });
      expectRefusal(wrong, 400, "[invalidJSON]field.options[1]", "[invalidJSON]field.options[2]");
      const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `o${index}`);
      expectOk(await post(world, { control: "select", options: many(1_000) }));
      expectRefusal(await post(world, { control: "select", options: many(1_001) }), 400, "[tooMany]field.options");
    });
  });

  requirement("field.email", "gives the type email the control text", async () => {
    const world = await start();
    const made = await post(world, { type: "email", control: "select", options: ["a@example.com"] });
    expect(expectOk(made).at("field")).toMatchObject({ type: "email", control: "text", options: ["a@example.com"] });
    expectRefusal(await post(world, { type: "email", options: ["nobody"] }), 400, "[invalid]field.options");
  });

  describe("the validator of a form field", () => {
    const validator = { enabled: true, expression: "[a-z]+" };

    requirement("field.validator", "is stored for the controls number, text and textarea, and else reset", async () => {
      const world = await start();
      for (const control of ["number", "text", "textarea"])
        expect(expectOk(await post(world, { control, validator })).at("field.validator")).toEqual(validator);
      for (const control of [...choices, "password"]) {
        const wrong = { enabled: true, expression: "(" };
        for (const one of [validator, wrong, { enabled: true }]) {
          const answer = await post(world, { control, options: ["a"], validator: one });
          expect(expectOk(answer).at("field.validator")).toEqual({ enabled: false });
        }
      }
    });

    requirement("field.validator", "needs an expression when it is enabled", async () => {
      const world = await start();
      for (const expression of [undefined, null, "", " "]) {
        const answer = await post(world, { validator: { enabled: true, expression } });
        expectRefusal(answer, 400, "[blank]field.validator.expression");
        expect(expectOk(await post(world, { validator: { expression } })).at("field.validator")).toEqual({ enabled: false });
      }
      const made = `${path}/${await makeField(world, { name: "V", key: "user.data.v", validator })}`;
      const without = await world.caller.mergePatch(made, { field: { validator: { expression: null } } });
      expectRefusal(without, 400, "[blank]field.validator.expression");
      expect(expectOk(await world.caller.put(made, { field: { name: "V" } })).at("field.validator")).toEqual({ enabled: false });
    });

    requirement("field.expression", "is checked when it is saved, enabled or not, by POST, PUT and PATCH", async () => {
      const world = await start();
      const code = "[invalid]field.validator.expression";
      const made = `${path}/${await makeField(world, { name: "V", key: "user.data.v" })}`;
      for (const enabled of [true, false]) {
        const wrong = { enabled, expression: "[a-z" };
        const refused = await post(world, { validator: wrong });
        expectRefusal(refused, 400, code);
        expect(refused.text).toContain("Unterminated character class");
        expectRefusal(await world.caller.put(made, { field: { name: "V", validator: wrong } }), 400, code);
        expectRefusal(await world.caller.patch(made, { field: { validator: wrong } }), 400, code);
      }
      const long = (length: number): object => ({ validator: { expression: "a".repeat(length) } });
      expectOk(await post(world, long(1_000)));
      expectRefusal(await post(world, long(1_001)), 400, "[tooLong]field.validator.expression");
    });

    requirement("field.expression-hostile", "may backtrack without end: it is never run", async () => {
      const world = await start();
      const begun = cpuTime();
      for (const expression of ["^(a+)+$", "((a{999}){999}){999}", "(.*)*".repeat(190), "(?=(a+)+$)\\1"])
        expectOk(await post(world, { validator: { enabled: true, expression } }));
      for (const expression of ["(".repeat(1_000), "[".repeat(1_000), `${"(?:".repeat(333)}`])
        expectRefusal(await post(world, { validator: { expression } }), 400, "[invalid]field.validator.expression");
      expect(cpuTime() - begun).toBeLessThan(10_000);
    });
  });

  describe("a consent field", () => {
    const consentField = { name: "C", type: "consent" };

    requirement("field.consent", "has the key of its consent, and no control, confirm or validator", async () => {
      const world = await start();
      const consentId = await makeConsent(world, {});
      const said = { control: "select", confirm: true, key: "user.data.x", validator: { enabled: true, expression: "(" } };
      for (const extra of [{}, said, { key: "not a key" }, { key: "user.email" }]) {
        const field = { ...consentField, name: freshName(), consentId: consentId.toUpperCase(), ...extra };
        const made = expectOk(await world.caller.post(path, { field })).at("field");
        expect(made).toMatchObject({ consentId, confirm: false, key: `consents['${consentId}']`, type: "consent" });
        expect(made).toMatchObject({ options: [], validator: { enabled: false } });
        expect(made).not.toHaveProperty("control");
      }
    });

    requirement("field.consent", "needs a consent that is there, and other fields have none", async () => {
      const world = await start();
      expectRefusal(await world.caller.post(path, { field: consentField }), 400, "[missing]field.consentId");
      const unknown = { field: { ...consentField, consentId: uuid(9) } };
      expectRefusal(await world.caller.post(path, unknown), 400, "[invalid]field.consentId");
      for (const consentId of [uuid(9), await makeConsent(world, {})])
        expect(expectOk(await post(world, { consentId })).at("field")).not.toHaveProperty("consentId");
    });

    requirement(["field.consent-key", "field.consent"], "follows another consent, and keeps needing one", async () => {
      const world = await start();
      const [first, second] = [await makeConsent(world, {}), await makeConsent(world, { name: "Terms" })];
      const made = `${path}/${await makeField(world, { ...consentField, consentId: first })}`;
      const changed = expectOk(await world.caller.put(made, { field: { name: "C", consentId: second } }));
      expect(changed.at("field")).toMatchObject({ consentId: second, key: `consents['${second}']` });
      expectRefusal(await world.caller.put(made, { field: { name: "C" } }), 400, "[missing]field.consentId");
      expectEmpty(await world.caller.delete(`/api/consent/${first}`), 200);
      expectRefusal(await world.caller.delete(`/api/consent/${second}`), 400, "[inUse]consentId");
    });

    requirement("field.consent-key", "does not follow a consent that its form asks for already", async () => {
      const world = await start();
      const [first, second] = [await makeConsent(world, {}), await makeConsent(world, { name: "Terms" })];
      const one = await makeField(world, { ...consentField, consentId: first });
      const two = await makeField(world, { ...consentField, name: "D", consentId: second });
      await makeForm(world, "F", [one, two]);
      const answer = await world.caller.patch(`${path}/${two}`, { field: { consentId: first } });
      expectRefusal(answer, 400, "[duplicate]field.consentId");
      expectOk(await world.caller.patch(`${path}/${two}`, { field: { consentId: second } }));
      expectOk(await world.caller.patch(`${path}/${one}`, { field: { consentId: await makeConsent(world, { name: "New" }) } }));
      expectOk(await world.caller.patch(`${path}/${two}`, { field: { consentId: first } }));
    });
  });
});
