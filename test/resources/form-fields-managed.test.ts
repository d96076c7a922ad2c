import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { managedField } from "../support/families/forms-and-consents.js";
import { requirement } from "../support/requirement.js";
import { makeDirectory } from "../support/temporary.js";
import { forEachStorage, startWorld, type World } from "../support/world.js";

const path = "/api/form/field";

/** docs/reference/forms.md#form-fields, row by row: type, control and the icon in front. */
const managed: Readonly<Record<string, readonly [type: string, control: string, leftAddon: string]>> = {
  "registration.preferredLanguages": ["string", "select", "info"],
  "registration.roles": ["string", "checkbox", "info"],
  "registration.timezone": ["string", "select", "info"],
  "registration.username": ["string", "text", "user"],
  "user.birthDate": ["date", "text", "calendar"],
  "user.email": ["email", "text", "user"],
  "user.firstName": ["string", "text", "info"],
  "user.fullName": ["string", "text", "info"],
  "user.imageUrl": ["string", "text", "info"],
  "user.lastName": ["string", "text", "info"],
  "user.middleName": ["string", "text", "info"],
  "user.mobilePhone": ["string", "text", "mobile"],
  "user.parentEmail": ["email", "text", "user"],
  "user.password": ["string", "password", "lock"],
  "user.phoneNumber": ["phoneNumber", "text", "mobile"],
  "user.preferredLanguages": ["string", "select", "info"],
  "user.timezone": ["string", "select", "info"],
  "user.twoFactorEnabled": ["bool", "checkbox", "info"],
  "user.username": ["string", "text", "user"],
};

interface ListedField {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly type: string;
  readonly control: string;
  readonly data: { readonly leftAddon: string };
  readonly required: boolean;
}

async function listFields(world: World): Promise<readonly ListedField[]> {
  return expectOk(await world.caller.get(path)).at("fields") as readonly ListedField[];
}

forEachStorage((start) => {
  describe("a managed key", () => {
    requirement("field.managed", "forces type and control regardless of the body, and needs no options", async () => {
      const { caller } = await start();
      for (const [key, [type, control]] of Object.entries(managed))
        for (const [index, sent] of [{}, { type: "number", control: "textarea" }, { type: "bool", control: "radio" }].entries()) {
          const field = { name: `${key} ${index}`, key, ...sent };
          expect(expectOk(await caller.post(path, { field })).at("field")).toMatchObject({ key, type, control });
        }
    });

    requirement("field.firstname", "may be written user.firstname", async () => {
      const { caller } = await start();
      const answer = await caller.post(path, { field: { name: "First", key: "user.firstname" } });
      expect(expectOk(answer).at("field")).toMatchObject({ key: "user.firstName", type: "string", control: "text" });
      for (const key of ["user.FirstName", "user.lastname", "User.email", "user.shoeSize", "registration.email"])
        expectRefusal(await caller.post(path, { field: { name: "N", key } }), 400, "[invalid]field.key");
    });

    requirement("field.password", "of the password is required, and confirmed as sent", async () => {
      const { caller } = await start();
      for (const confirm of [true, false]) {
        const field = { name: `P ${confirm}`, key: "user.password", confirm, required: false };
        const made = expectOk(await caller.post(path, { field }));
        expect(made.at("field")).toMatchObject({ confirm, required: true });
        const changed = await caller.patch(`${path}/${made.textAt("field.id")}`, { field: { required: false } });
        expect(expectOk(changed).at("field")).toMatchObject({ confirm, required: true });
      }
    });
  });

  describe("the fields that the service makes", () => {
    requirement("field.managed-made", "are one for each managed key, there from the first start", async () => {
      const world = await start();
      const fields = await listFields(world);
      const shown = fields.map(({ key, type, control, data }) => [key, [type, control, data.leftAddon]] as const);
      expect(Object.fromEntries(shown)).toEqual(managed);
      expect(fields).toHaveLength(Object.keys(managed).length);
      for (const { key, name, required } of fields) {
        expect(name.endsWith(` (${key})`)).toBe(true);
        expect(required).toBe(key === "user.password");
      }
    });

    requirement("field.managed-made", "leave plain names to others, and are changed and removed like any", async () => {
      const world = await start();
      expectOk(await world.caller.post(path, { field: { name: "Email", key: "user.email" } }));
      const one = `${path}/${await managedField(world, "user.lastName")}`;
      const changed = await world.caller.patch(one, { field: { name: "Surname", required: true, type: "number" } });
      expect(expectOk(changed).at("field")).toMatchObject({ name: "Surname", required: true, type: "string" });
      expectEmpty(await world.caller.delete(one), 200);
      expectEmpty(await world.caller.get(one), 404);
    });

    requirement("field.managed-made", "are created with any plan, so that a later plan finds them", async () => {
      const world = await start({ plan: "community" });
      expect(await listFields(world)).toHaveLength(Object.keys(managed).length);
    });
  });

  requirement("field.plan", "needs the plan starter for every change", async () => {
    const world = await start({ plan: "community" });
    const one = `${path}/${await managedField(world, "user.email")}`;
    const body = { field: { name: "N", key: "user.data.x" } };
    for (const answer of [
      await world.caller.post(path, body),
      await world.caller.put(one, body),
      await world.caller.patch(one, body),
    ])
      expectRefusal(answer, 400, "[notLicensed]field");
    expectOk(await world.caller.get(one));
    expectOk(await (await start({ plan: "starter" })).caller.post(path, body));
  });

  describe("before a key or a type existed", () => {
    const added = Object.keys(managed).filter((key) => /preferredLanguages|roles|timezone|imageUrl/i.test(key));

    requirement("field.versions", "it is none of the allowed ones, and no field for it is made", async () => {
      for (const [version, missing] of [
        ["1.19.0", [...added, "user.phoneNumber"]],
        ["1.20.0", ["user.phoneNumber"]],
        ["1.58.0", ["user.phoneNumber"]],
        ["1.59.0", []],
      ] as const) {
        const world = await start({ version });
        const keys = (await listFields(world)).map((field) => field.key);
        expect(keys.sort()).toEqual(Object.keys(managed).filter((key) => !(missing as readonly string[]).includes(key)));
        for (const key of missing)
          expectRefusal(await world.caller.post(path, { field: { name: key, key } }), 400, "[invalidOption]field.key");
        for (const key of keys) expectOk(await world.caller.post(path, { field: { name: key, key } }));
      }
    });

    requirement("field.versions", "phoneNumber is no type before 1.59.0", async () => {
      const field = { name: "N", key: "user.data.x", type: "phoneNumber" };
      const before = await start({ version: "1.58.0" });
      expectRefusal(await before.caller.post(path, { field }), 400, "[invalidOption]field.type");
      expectOk(await (await start({ version: "1.59.0" })).caller.post(path, { field }));
    });
  });
});

requirement("field.managed-made", "stay away once removed, over restarts", async () => {
  const filename = `${makeDirectory()}/identity.db`;
  const first = await startWorld(sqliteStorage({ filename }));
  expectEmpty(await first.caller.delete(`${path}/${await managedField(first, "user.imageUrl")}`), 200);
  const before = await listFields(first);
  await first.identity.close();
  const second = await startWorld(sqliteStorage({ filename }));
  expect(await listFields(second)).toEqual(before);
});
