import { describe, expect, test } from "vitest";
import { isReturned, projectResource } from "../../../adapters/scim/schema/project.js";
import {
  createResourceTypes,
  enterpriseSchemaId,
  groupType,
  userSchemaId,
  userType,
} from "../../../adapters/scim/schema/schemas.js";

const user = {
  schemas: [userSchemaId, enterpriseSchemaId],
  id: "1",
  userName: "ann",
  password: "secret",
  name: { familyName: "Other", givenName: "Ann" },
  emails: [{ value: "a@b.example", type: "work" }, { value: "c@d.example" }],
  meta: { created: "2026-01-31T08:00:00Z", version: "1" },
  [enterpriseSchemaId]: { department: "Ships", manager: { value: "7", displayName: "Bob" } },
};

const { password: _, ...shown } = user;
const always = { schemas: user.schemas, id: "1" };

test("without names, all but what is never returned", () => {
  expect(projectResource(userType, user)).toEqual(shown);
  expect(projectResource(userType, user, { attributes: [], excludedAttributes: [] })).toEqual(shown);
});

describe("attributes", () => {
  test.each([
    [["userName"], { userName: "ann" }],
    [["USERNAME", "nickName", "unknown"], { userName: "ann" }],
    [["name.familyName"], { name: { familyName: "Other" } }],
    [["name"], { name: user.name }],
    [["name", "name.familyName"], { name: user.name }],
    [["emails.value"], { emails: [{ value: "a@b.example" }, { value: "c@d.example" }] }],
    [["password"], {}],
    [["unknown"], {}],
    [[`${userSchemaId}:userName`], { userName: "ann" }],
    [[enterpriseSchemaId], { [enterpriseSchemaId]: user[enterpriseSchemaId] }],
    [[`${enterpriseSchemaId}:manager.value`], { [enterpriseSchemaId]: { manager: { value: "7" } } }],
    [[" meta.created "], { meta: { created: "2026-01-31T08:00:00Z" } }],
  ])("%j", (attributes, expected) => {
    expect(projectResource(userType, user, { attributes })).toEqual({ ...always, ...expected });
  });
});

describe("excludedAttributes", () => {
  test("names attributes, parts and extensions, but not what is always returned", () => {
    const excludedAttributes = ["emails", "name.givenName", "id", "schemas", `${enterpriseSchemaId}:department`, "unknown"];
    expect(projectResource(userType, user, { excludedAttributes })).toEqual({
      ...always,
      userName: "ann",
      name: { familyName: "Other" },
      meta: user.meta,
      [enterpriseSchemaId]: { manager: user[enterpriseSchemaId].manager },
    });
    expect(projectResource(userType, user, { excludedAttributes: [enterpriseSchemaId] })).not.toHaveProperty([
      enterpriseSchemaId,
    ]);
  });
});

test("both lists are 400", () => {
  expect(() => projectResource(userType, user, { attributes: ["id"], excludedAttributes: ["id"] })).toThrow("not both");
});

test("an attribute that is returned on request needs its name", () => {
  const { user: type } = createResourceTypes([
    { id: "urn:example:x", attributes: [{ name: "photo", returned: "request" }, { name: "b" }] },
  ]);
  const resource = { ...user, "urn:example:x": { photo: "p", b: "1" } };
  expect(projectResource(type, resource)["urn:example:x"]).toEqual({ b: "1" });
  expect(projectResource(type, resource, { attributes: ["urn:example:x:photo"] })["urn:example:x"]).toEqual({ photo: "p" });
});

test("a server can ask before it reads members", () => {
  expect(isReturned(groupType, "members")).toBe(true);
  expect(isReturned(groupType, "members", { excludedAttributes: ["Members"] })).toBe(false);
  expect(isReturned(groupType, "members", { attributes: ["displayName"] })).toBe(false);
  expect(isReturned(groupType, "members", { attributes: ["members.value"] })).toBe(true);
  expect(isReturned(userType, "password", { attributes: ["password"] })).toBe(false);
  expect(isReturned(userType, "unknown")).toBe(false);
});
