import type { User } from "latchkey/types";
import { describe, expect, test } from "vitest";
import { toScimUser } from "../../../adapters/scim/mapping/show-user.js";
import { toUserChange } from "../../../adapters/scim/mapping/user-change.js";
import { createResourceTypes, enterpriseSchemaId, userSchemaId, userType } from "../../../adapters/scim/schema/schemas.js";
import { toUser } from "./records.js";

const place = { location: "https://id.example/Users/1", type: userType };
const show = (fields: Partial<User>) => toScimUser(toUser(fields), place);

describe("extensions", () => {
  const urn = "urn:example:2.0:User";
  const attributes = [
    { name: "badge", type: "integer" },
    { name: "level", mutability: "readOnly" },
  ];
  const { user: type } = createResourceTypes([{ id: urn, name: "Example", attributes }]);

  test("of the tenant are in data.scim.extensions", () => {
    const { user } = toUserChange(type, { userName: "ann", [urn]: { badge: 7 } });
    expect(user.data).toEqual({ scim: { extensions: { [urn]: { badge: 7 } } } });
    expect(toScimUser(toUser(user), { ...place, type })).toMatchObject({ schemas: [userSchemaId, urn], [urn]: { badge: 7 } });
  });

  test("keep read-only attributes, which the data of the user may hold", () => {
    const current = toUser({ data: { scim: { extensions: { [urn]: { badge: 7, level: "high" } } } } });
    const { user } = toUserChange(type, { userName: "ann" }, current);
    expect(user.data).toEqual({ scim: { extensions: { [urn]: { level: "high" } } } });
  });
});

describe("data.scim that somebody wrote by hand", () => {
  const minimal = Object.keys(show({ username: "ann" }));

  test.each(
    [null, 5, "text", [], [{ title: "x" }], { title: 5 }, { title: ["x"] }, { emails: {} }, { emails: ["a@x.example"] }].map(
      (scim) => ({ scim }),
    ),
  )("$scim shows nothing", ({ scim }) => {
    expect(Object.keys(show({ username: "ann", data: { scim } }))).toEqual(minimal);
  });

  test("shows what fits, without what does not", () => {
    const scim = JSON.parse(
      `{"__proto__": {"title": "x"}, "password": "secret", "id": "other", "userName": "bob", "active": false,
        "roles": [null, "admin", {"value": 1}, {"value": "a", "primary": true}, {"value": "A"}, {"value": "b", "primary": true}],
        "enterprise": {"department": "Tools", "costCenter": 5, "manager": "m"}, "extensions": {"urn:unknown": {"a": 1}}}`,
    );
    const shown = show({ username: "ann", data: { scim } });
    expect(shown).toMatchObject({ userName: "ann", active: true, id: toUser().id });
    expect(shown).not.toHaveProperty("password");
    expect(shown).not.toHaveProperty("title");
    expect(shown.roles).toEqual([
      { value: "a", primary: true },
      { value: "b", primary: false },
    ]);
    expect(shown[enterpriseSchemaId]).toEqual({ department: "Tools" });
  });

  test("shows an instant that no date text has as the last one", () => {
    const shown = show({ username: "ann", insertInstant: Number.MAX_SAFE_INTEGER });
    expect(shown.meta).toMatchObject({ created: "9999-12-31T23:59:59.999Z" });
  });
});
