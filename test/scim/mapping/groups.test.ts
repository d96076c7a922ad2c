import { expect, test } from "vitest";
import { toGroupChange, toScimGroup } from "../../../adapters/scim/mapping/groups.js";
import { groupFieldPaths } from "../../../adapters/scim/mapping/user-fields.js";
import { createResourceTypes, groupSchemaId, groupType } from "../../../adapters/scim/schema/schemas.js";
import { toGroup } from "./records.js";

const place = { location: "https://id.example/Groups/1", type: groupType };

test("a group is a resource with the members that the server gives", () => {
  const group = toGroup({ data: { scim: { externalId: "e1", displayName: "Other" } } });
  const members = [
    { value: "u1", display: "Ann", location: "https://id.example/Users/u1" },
    { value: "u2", location: "https://id.example/Users/u2" },
  ];
  expect(toScimGroup(group, { ...place, members })).toEqual({
    schemas: [groupSchemaId],
    id: group.id,
    externalId: "e1",
    displayName: "Crew",
    members: [
      { value: "u1", $ref: "https://id.example/Users/u1", type: "User", display: "Ann" },
      { value: "u2", $ref: "https://id.example/Users/u2", type: "User" },
    ],
    meta: {
      resourceType: "Group",
      created: "2026-01-01T00:00:00.000Z",
      lastModified: "2026-01-02T00:00:00.000Z",
      location: place.location,
    },
  });
  expect(toScimGroup(group, place)).not.toHaveProperty("members");
});

test("a resource becomes a group; its members are distinct ids in order", () => {
  const current = toGroup({ data: { color: "red", scim: { externalId: "old" } } });
  const members = [{ value: "u2" }, { value: "u1", type: "User" }, { value: "u2", $ref: "../Users/u2" }];
  expect(toGroupChange(groupType, { displayName: "New", externalId: "e2", members }, current)).toEqual({
    group: { name: "New", data: { color: "red", scim: { externalId: "e2" } } },
    members: ["u2", "u1"],
  });
  expect(toGroupChange(groupType, { displayName: "New" }, current)).toEqual({ group: { name: "New", data: { color: "red" } } });
});

test.each([
  { value: "g1", type: "Group" },
  { value: "g1", type: "group" },
  { value: "g1", $ref: "https://id.example/scim/Groups/g1" },
])("the member %j is refused, as it is a group", (member) => {
  expect(() => toGroupChange(groupType, { displayName: "New", members: [member] })).toThrow(
    expect.objectContaining({ status: 400, scimType: "invalidValue", message: expect.stringMatching(/^A member .*\.$/) }),
  );
});

test("a blank name is refused", () => {
  expect(() => toGroupChange(groupType, { displayName: "  " })).toThrow(expect.objectContaining({ scimType: "invalidValue" }));
});

test("extensions of groups are in data.scim.extensions", () => {
  const urn = "urn:example:2.0:Group";
  const { group: type } = createResourceTypes([{ id: urn, name: "Example", attributes: [{ name: "code" }] }]);
  const { group } = toGroupChange(type, { displayName: "New", [urn]: { code: "c" } });
  expect(group.data).toEqual({ scim: { extensions: { [urn]: { code: "c" } } } });
  expect(toScimGroup(toGroup(group), { ...place, type })).toMatchObject({ schemas: [groupSchemaId, urn], [urn]: { code: "c" } });
});

test("each path of an error names an attribute", () => {
  expect(groupFieldPaths).toEqual({ "group.name": "displayName" });
});
