import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeField, makeForm } from "../support/families/forms-and-consents.js";
import { requirement } from "../support/requirement.js";
import { callerOfTenant, forEachStorage, uuid } from "../support/world.js";

const path = "/api/form/field";
const custom = { name: "Color", key: "user.data.color" };

forEachStorage((start) => {
  describe("making a form field", () => {
    requirement(["field.create", "field.fields", "field.type", "field.control"], "fills in the defaults", async () => {
      const { caller, clock } = await start();
      const answer = expectOk(await caller.post(`${path}/${uuid(1)}`, { field: custom }));
      expect(answer.body).toEqual({
        field: {
          ...custom,
          confirm: false,
          control: "text",
          data: {},
          id: uuid(1),
          insertInstant: clock.instant,
          lastUpdateInstant: clock.instant,
          options: [],
          required: false,
          type: "string",
          validator: { enabled: false },
        },
      });
      expect((await caller.get(`${path}/${uuid(1)}`)).text).toBe(answer.text);
    });

    requirement(["field.fields", "field.create"], "keeps every field that is given", async () => {
      const { caller } = await start();
      const field = {
        ...custom,
        confirm: true,
        control: "textarea",
        data: { hint: ["wide"] },
        description: "The favourite one",
        options: ["red", "green"],
        required: true,
        type: "number",
        validator: { enabled: true, expression: "^\\d+$" },
      };
      const given = { ...field, options: ["1", "2.5"], consentId: undefined };
      expect(expectOk(await caller.post(path, { field: given })).at("field")).toMatchObject({ ...field, options: ["1", "2.5"] });
    });

    requirement(["field.missing", "field.name"], "needs a field with a name that is free in any case", async () => {
      const world = await start();
      const { caller } = world;
      for (const body of [undefined, {}, { field: null }]) expectRefusal(await caller.post(path, body), 400, "[missing]field");
      for (const name of [undefined, null, "", "  "])
        expectRefusal(await caller.post(path, { field: { ...custom, name } }), 400, "[blank]field.name");
      expectOk(await caller.post(path, { field: custom }));
      const again = { field: { ...custom, name: "COLOR" } };
      expectRefusal(await caller.post(path, again), 400, "[duplicate]field.name");
      const other = `${path}/${await makeField(world, { name: "Other", key: "user.data.other" })}`;
      expectRefusal(await caller.put(other, again), 400, "[duplicate]field.name");
    });

    requirement(["field.type", "field.control"], "takes seven types and seven controls and no others", async () => {
      const { caller } = await start();
      for (const [index, type] of ["bool", "date", "email", "number", "phoneNumber", "string"].entries()) {
        const answer = await caller.post(path, { field: { name: `T${index}`, key: "user.data.x", type } });
        expect(expectOk(answer).at("field.type")).toBe(type);
      }
      for (const [index, control] of ["number", "password", "textarea", "text"].entries()) {
        const answer = await caller.post(path, { field: { name: `C${index}`, key: "user.data.x", control } });
        expect(expectOk(answer).at("field.control")).toBe(control);
      }
      for (const [index, control] of ["checkbox", "radio", "select"].entries()) {
        const field = { name: `O${index}`, key: "user.data.x", control, options: ["a"] };
        expect(expectOk(await caller.post(path, { field })).at("field.control")).toBe(control);
      }
      const wrong = { field: { ...custom, type: "money", control: "slider" } };
      expectRefusal(await caller.post(path, wrong), 400, "[invalidOption]field.control", "[invalidOption]field.type");
    });

    requirement("errors.all-at-once", "names every wrong field at once", async () => {
      const { caller } = await start();
      const types = { name: 7, confirm: "no", options: "a", required: 1, data: [], validator: "x", consentId: "x", key: [] };
      expectRefusal(
        await caller.post(path, { field: types }),
        400,
        "[couldNotConvert]field.consentId",
        ...["confirm", "data", "key", "name", "options", "required", "validator"].map((name) => `[invalidJSON]field.${name}`),
      );
      const rules = { name: "W", key: "user.color", control: "radio", validator: { enabled: true } };
      expectRefusal(await caller.post(path, { field: rules }), 400, "[empty]field.options", "[invalid]field.key");
    });
  });

  describe("a custom key", () => {
    requirement("field.key", "is a path below user.data or registration.data", async () => {
      const { caller } = await start();
      const keys = [
        "user.data.color",
        "registration.data.color",
        "user.data.a.b_c.D9",
        "user.data.preferences[0]",
        "user.data.preferences['color']",
        "user.data.a[0][12]['b'].c",
        "user.data._x",
      ];
      for (const [index, key] of keys.entries())
        expect(expectOk(await caller.post(path, { field: { name: `F${index}`, key } })).at("field.key")).toBe(key);
    });

    requirement("field.key", "is refused when it is missing or malformed", async () => {
      const { caller } = await start();
      for (const key of [undefined, null, "", " "])
        expectRefusal(await caller.post(path, { field: { name: "F", key } }), 400, "[blank]field.key");
      const malformed = [
        ..."user user.data user.data. user.color data.color User.data.a user.data.1a user.data.a.2 user.data['a'].b".split(" "),
        ..."user.data.a[] user.data.a[x] user.data.a[-1] user.data.a[99999] user.data.a['1'] user.data.a[b'] user.data.a..b".split(
          " ",
        ),
        ..."user.data.a-b user.data.a+b user.data.ä user.data.a. .user.data.a user.data.a['b user.data.a[0]b user.Email".split(
          " ",
        ),
        ..."user.data.__proto__ user.data.a.constructor user.data.a['prototype'] consents['x']".split(" "),
        ...["user.data.a b", " user.data.a", "user.data.a\n", "user.data.a['b c']", "user.data.a\u200b"],
      ];
      for (const key of malformed)
        expect([key, (await caller.post(path, { field: { name: "F", key } })).at("fieldErrors")]).toMatchObject([
          key,
          { "field.key": [{ code: "[invalid]field.key" }] },
        ]);
      expectRefusal(
        await caller.post(path, { field: { name: "F", key: `user.data.${"a".repeat(191)}` } }),
        400,
        "[tooLong]field.key",
      );
    });

    requirement("field.key", "may be that of several fields", async () => {
      const { caller } = await start();
      for (const name of ["One", "Two"]) expectOk(await caller.post(path, { field: { ...custom, name } }));
    });
  });

  describe("changing and removing a form field", () => {
    requirement("field.immutable", "keeps type, key and control through PUT and PATCH", async () => {
      const world = await start();
      const field = { ...custom, type: "number", control: "select", options: ["1"] };
      const one = `${path}/${await makeField(world, field)}`;
      const other = { name: "Renamed", key: "registration.data.other", type: "string", control: "text", options: ["2"] };
      for (const answer of [
        await world.caller.put(one, { field: other }),
        await world.caller.put(one, { field: { name: "Renamed", options: ["2"] } }),
        await world.caller.put(one, { field: { name: "Renamed", options: ["2"], key: "no key at all" } }),
        await world.caller.mergePatch(one, { field: other }),
        await world.caller.patch(one, { field: { ...other, options: [] } }),
        await world.caller.jsonPatch(one, [{ op: "replace", path: "/field/key", value: "user.data.x" }]),
      ])
        expect(expectOk(answer).at("field")).toMatchObject({ ...field, name: "Renamed", options: ["2"] });
    });

    requirement("field.in-use", "refuses to remove what a form uses, and names the form", async () => {
      const world = await start();
      const fieldId = await makeField(world, custom);
      const formId = await makeForm(world, "Sign-up", [fieldId]);
      const refused = await world.caller.delete(`${path}/${fieldId}`);
      expectRefusal(refused, 400, "[inUse]fieldId");
      expect(refused.text).toContain("form Sign-up");
      expectOk(await world.caller.get(`${path}/${fieldId}`));
      expectEmpty(await world.caller.delete(`/api/form/${formId}`), 200);
      expectEmpty(await world.caller.delete(`${path}/${fieldId}`), 200);
    });
  });

  requirement("field.list", "are listed in order of name, managed ones among them", async () => {
    const world = await start();
    for (const name of ["zebra", "Éclair", "apple"]) await makeField(world, { name, key: "user.data.x" });
    const names = (await world.caller.get(path)).each("fields", "name") as string[];
    expect(names.filter((name) => !name.includes("("))).toEqual(["apple", "zebra", "Éclair"]);
    expect(names.length).toBeGreaterThan(10);
    expect(names[0]).toBe("apple");
  });

  requirement("field.global", "are closed to keys of a tenant and to calls for a tenant", async () => {
    const world = await start();
    const bound = await callerOfTenant(world, world.defaultTenantId);
    for (const caller of [bound, world.caller.inTenant(world.defaultTenantId)])
      for (const base of [path, "/api/form"])
        for (const [method, url] of [
          ["GET", base],
          ["POST", base],
          ["POST", `${base}/${uuid(1)}`],
          ["GET", `${base}/${uuid(1)}`],
          ["PUT", `${base}/${uuid(1)}`],
          ["PATCH", `${base}/${uuid(1)}`],
          ["DELETE", `${base}/${uuid(1)}`],
        ] as const)
          expectEmpty(await caller.send(method, url, method === "GET" ? undefined : {}), 401);
    expectEmpty(await world.as("unknown").get(path), 401);
  });
});
