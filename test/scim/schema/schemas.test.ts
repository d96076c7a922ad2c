import { describe, expect, test } from "vitest";
import { parseFilter } from "../../../adapters/scim/filter/parse-filter.js";
import { readResource } from "../../../adapters/scim/schema/read-resource.js";
import { resolvePath } from "../../../adapters/scim/schema/resolve-path.js";
import {
  createResourceTypes,
  enterpriseSchemaId,
  groupSchemaId,
  groupType,
  type ScimAttribute,
  userSchemaId,
  userType,
} from "../../../adapters/scim/schema/schemas.js";

const custom = {
  id: "urn:example:params:scim:schemas:Ship:2.0:User",
  name: "Ship",
  description: "Where people sail",
  attributes: [
    { name: "vessel", type: "string", caseExact: true, required: true },
    { name: "berths", type: "integer" },
    { name: "ports", type: "string", multiValued: true },
    {
      name: "papers",
      type: "complex",
      multiValued: true,
      subAttributes: [{ name: "value" }, { name: "valid", type: "boolean" }],
    },
  ],
};

const attributesOf = (attributes: readonly ScimAttribute[]): readonly ScimAttribute[] =>
  attributes.flatMap((attribute) => [attribute, ...(attribute.subAttributes ?? [])]);

test("the built-in schemas have the attributes of RFC 7643", () => {
  const names = ({ schema }: typeof userType) => schema.attributes.map(({ name }) => name);
  expect(names(userType)).toEqual(
    "userName name displayName nickName profileUrl title userType preferredLanguage locale timezone active password emails phoneNumbers ims photos addresses groups entitlements roles x509Certificates".split(
      " ",
    ),
  );
  expect(names(groupType)).toEqual(["displayName", "members"]);
  expect(userType.extensions.map(({ schema }) => schema.id)).toEqual([enterpriseSchemaId]);
  const all = attributesOf([...userType.schema.attributes, ...groupType.schema.attributes]);
  for (const attribute of all)
    expect([attribute.name, attribute.description !== "", attribute.type === "complex"]).toEqual([
      attribute.name,
      true,
      attribute.subAttributes !== undefined,
    ]);
});

describe("paths", () => {
  test.each([
    ["username", "userName"],
    ["NAME.FAMILYNAME", "name.familyName"],
    [`${userSchemaId.toUpperCase()}:emails.VALUE`, "emails.value"],
    [`${enterpriseSchemaId}:manager.value`, `${enterpriseSchemaId}:manager.value`],
    [`${enterpriseSchemaId}.department`, `${enterpriseSchemaId}:department`],
    ["department", `${enterpriseSchemaId}:department`],
    ["schemas.value", "schemas.value"],
    ["meta.lastmodified", "meta.lastModified"],
  ])("%s", (text, canonical) => {
    expect(resolvePath(userType, text)?.text).toBe(canonical);
  });

  test.each([
    "",
    ".",
    "a",
    "userName.x",
    "userName.value",
    "name.",
    "name.familyName.x",
    "constructor",
    "__proto__.x",
    `${enterpriseSchemaId}:userName`,
    enterpriseSchemaId,
  ])("no attribute: %s", (text) => {
    expect(resolvePath(userType, text)).toBeUndefined();
  });
});

describe("custom schemas", () => {
  test.each([
    ["a list", [custom]],
    ["one schema", custom],
    ["a response of /Schemas", { Resources: [custom] }],
    ["schemas by URN", { [custom.id]: { ...custom, id: undefined } }],
  ])("%s", (_, setting) => {
    const listed = JSON.parse(JSON.stringify(setting));
    const { user, enterpriseUser, group, schemas, problems } = createResourceTypes(listed);
    expect(problems).toEqual([]);
    expect(user.extensions.map(({ schema }) => schema.id)).toEqual([enterpriseSchemaId, custom.id]);
    expect(enterpriseUser.extensions).toEqual(user.extensions);
    expect(group.extensions).toEqual([]);
    expect(schemas.map(({ id }) => id)).toEqual([userSchemaId, groupSchemaId, enterpriseSchemaId, custom.id]);
  });

  test("their attributes are read, required and filtered like others", () => {
    const { user } = createResourceTypes([custom]);
    const read = (ship: unknown) => readResource(user, { userName: "ann", [custom.id.toUpperCase()]: ship });
    const ship = { vessel: "Argo", berths: 3, ports: ["Iolcus"], papers: [{ value: "1", valid: true }] };
    expect(read({ ...ship, ports: "Iolcus", papers: [{ value: "1", valid: "True" }] }).resource[custom.id]).toEqual(ship);
    expect(() => read({ berths: 1 })).toThrow(`"${custom.id}:vessel" is required.`);
    expect(() => read({ ...ship, berths: 1.5 })).toThrow("must be an integer");
    expect(parseFilter(user, `${custom.id}:papers[valid eq true]`)).toMatchObject({
      kind: "value",
      path: { extension: custom.id },
    });
  });

  test("a schema of groups extends groups", () => {
    const { user, group } = createResourceTypes([{ ...custom, id: "urn:example:Ship:Group" }]);
    expect([user.extensions.length, group.extensions.length]).toEqual([1, 1]);
  });

  test.each([
    ["no object", 5, "must be an object"],
    ["no URN", { ...custom, id: "ship" }, "is not the URN"],
    ["a built-in URN", { ...custom, id: userSchemaId.toUpperCase() }, "exists already"],
    ["no attributes", { ...custom, attributes: [] }, "has no attributes"],
    ["a name twice", { ...custom, attributes: [{ name: "a" }, { name: "A" }] }, "twice"],
    ["an unknown type", { ...custom, attributes: [{ name: "a", type: "map" }] }, "of an unknown type"],
    ["a name with a dot", { ...custom, attributes: [{ name: "a.b" }] }, "not valid"],
    ["an inherited name", { ...custom, attributes: [{ name: "constructor" }] }, "not valid"],
    ["a prototype", { ...custom, attributes: [{ name: "__proto__" }] }, "not valid"],
    [
      "complex in complex",
      {
        ...custom,
        attributes: [
          { name: "a", type: "complex", subAttributes: [{ name: "b", type: "complex", subAttributes: [{ name: "c" }] }] },
        ],
      },
      "inside another",
    ],
    [
      "501 attributes",
      { ...custom, attributes: Array.from({ length: 501 }, (_, index) => ({ name: `a${index}` })) },
      "more than 500",
    ],
  ])("left out with a reason: %s", (_, schema, reason) => {
    const { user, problems } = createResourceTypes([schema, custom]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(reason);
    expect(user.extensions.map((extension) => extension.schema.id)).toEqual([enterpriseSchemaId, custom.id]);
  });

  test("any other setting is no schema", () => {
    for (const setting of [undefined, null, 5, "x", {}, []]) expect(createResourceTypes(setting)).toMatchObject({ problems: [] });
    expect(createResourceTypes([custom, custom]).problems).toEqual([`The schema "${custom.id}" exists already.`]);
  });
});
