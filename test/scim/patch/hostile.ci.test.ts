import { describe, expect, test } from "vitest";
import { applyPatch } from "../../../adapters/scim/patch/apply-patch.js";
import { patchSchemaId, readPatch } from "../../../adapters/scim/patch/read-patch.js";
import { ScimError } from "../../../adapters/scim/schema/errors.js";
import { readResource } from "../../../adapters/scim/schema/read-resource.js";
import {
  createResourceTypes,
  enterpriseSchemaId,
  groupType,
  type ResourceType,
  userType,
} from "../../../adapters/scim/schema/schemas.js";
import { fc } from "../../support/properties.js";
import { quirkGroup, quirkUser } from "./quirks.js";

const body = (...operations: readonly unknown[]) => ({ schemas: [patchSchemaId], Operations: operations });

function patch(type: ResourceType, resource: Readonly<Record<string, unknown>>, ...operations: readonly unknown[]) {
  return applyPatch(type, resource, readPatch(type, body(...operations)).operations);
}

function refusal(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (error instanceof ScimError) return [error.status, error.scimType];
    throw error;
  }
  return undefined;
}

const user = { ...quirkUser, id: "1", emails: [{ value: "a@b.example", type: "work", primary: true }] };

describe("refused, with the cause", () => {
  test.each([
    [400, "invalidPath", { op: "replace", path: "shoeSize", value: 38 }],
    [400, "invalidPath", { op: "replace", value: { shoeSize: 38 } }],
    [400, "invalidPath", { op: "replace", path: `${enterpriseSchemaId}:desk`, value: 1 }],
    [400, "invalidPath", { op: "add", value: { [enterpriseSchemaId]: { desk: 1 } } }],
    [400, "invalidPath", { op: "add", value: { "urn:example:unknown": { desk: 1 } } }],
    [400, "invalidPath", { op: "replace", path: "emails[verified eq true].value", value: "x" }],
    [400, "invalidPath", { op: "replace", path: "emails[type eq 5].value", value: "x" }],
    [400, "invalidPath", { op: "replace", path: 'emails[type eq "work"].verified', value: "x" }],
    [400, "invalidPath", { op: "replace", path: 'emails[type eq "work"]value', value: "x" }],
    [400, "invalidPath", { op: "replace", path: 'emails[type eq "work"].value.x', value: "x" }],
    [400, "invalidPath", { op: "replace", path: 'name[familyName eq "x"].givenName', value: "x" }],
    [400, "invalidPath", { op: "replace", path: 'emails.value[type eq "work"]', value: "x" }],
    [400, "invalidPath", { op: "remove", path: userType.schema.id }],
    [400, "invalidPath", { op: "replace", path: 'emails["x"]', value: "x" }],
    [400, "invalidPath", { op: "replace", path: ["emails"], value: "x" }],
    [400, "invalidPath", { op: "replace", path: "a".repeat(5000), value: "x" }],
    [400, "mutability", { op: "replace", path: "id", value: "2" }],
    [400, "mutability", { op: "remove", path: "meta" }],
    [400, "mutability", { op: "add", path: "groups", value: [{ value: "g" }] }],
    [400, "mutability", { op: "add", value: { groups: [{ value: "g" }] } }],
    [400, "mutability", { op: "remove", path: "userName" }],
    [400, "mutability", { op: "replace", path: `${enterpriseSchemaId}:manager.displayName`, value: "x" }],
    [400, "noTarget", { op: "replace", path: 'emails[type eq "home"]', value: { value: "x" } }],
    [400, "noTarget", { op: "replace", path: 'emails[type ne "work"].value', value: "x" }],
    [400, "noTarget", { op: "replace", path: "phoneNumbers.value", value: "x" }],
    [400, "invalidValue", { op: "replace", path: "userName", value: null }],
    [400, "invalidValue", { op: "replace", path: "userName", value: "" }],
    [400, "invalidValue", { op: "replace", path: "emails", value: [{ verified: true }] }],
    [400, "invalidValue", { op: "remove", path: "emails", value: [{ verified: true }] }],
    [400, "invalidValue", { op: "replace", path: "active", value: "maybe" }],
    [400, "invalidValue", { op: "replace", value: "x" }],
    [400, "invalidValue", { op: "replace", value: { [enterpriseSchemaId]: "x" } }],
    [400, "invalidSyntax", { op: "move", path: "title", value: "x" }],
    [400, "invalidSyntax", { op: "__proto__", path: "title", value: "x" }],
    [400, "invalidSyntax", { path: "title", value: "x" }],
    [400, "invalidSyntax", "add"],
    [400, "invalidSyntax", null],
  ])("%s %s: %j", (status, cause, operation) => {
    expect(refusal(() => patch(userType, user, { op: "replace", path: "title", value: "Captain" }, operation))).toEqual([
      status,
      cause,
    ]);
    expect(user).not.toHaveProperty("title");
  });
});

describe("immutable attributes", () => {
  const { user: type } = createResourceTypes([{ id: "urn:example:x", attributes: [{ name: "born", mutability: "immutable" }] }]);
  const path = "urn:example:x:born";

  test("are set once", () => {
    const born = patch(type, user, { op: "add", path, value: "1990" });
    expect(born["urn:example:x"]).toEqual({ born: "1990" });
    expect(patch(type, born, { op: "replace", path, value: "1990" })).toEqual(born);
    expect(refusal(() => patch(type, born, { op: "replace", path, value: "1991" }))).toEqual([400, "mutability"]);
    expect(refusal(() => patch(type, born, { op: "replace", path, value: null }))).toEqual([400, "mutability"]);
    expect(refusal(() => patch(type, born, { op: "remove", path }))).toEqual([400, "mutability"]);
  });

  test("the value of a member is one", () => {
    const group = { ...quirkGroup, members: [{ value: "1", type: "User" }] };
    const change = { op: "replace", path: 'members[value eq "1"].value', value: "2" };
    expect(refusal(() => patch(groupType, group, change))).toEqual([400, "mutability"]);
    expect(patch(groupType, group, { op: "add", path: "members", value: [{ value: "1", type: "Group" }] })).toMatchObject({
      members: group.members,
    });
  });
});

test("primary is true at most once after any operation", () => {
  const second = { value: "c@d.example", type: "home", primary: true };
  expect(patch(userType, user, { op: "add", path: "emails", value: [second] }).emails).toEqual([
    { value: "a@b.example", type: "work", primary: false },
    second,
  ]);
  const both = { ...user, emails: [...user.emails, { ...second, primary: false }] };
  expect(patch(userType, both, { op: "replace", path: 'emails[type eq "home"].primary', value: "True" }).emails).toEqual([
    { value: "a@b.example", type: "work", primary: false },
    second,
  ]);
});

describe("prototypes are out of reach", () => {
  test.each([
    "__proto__.x",
    "constructor.prototype.x",
    "__proto__",
    "constructor",
    "toString",
    "emails.__proto__",
    "name.constructor",
    'emails[type eq "work"].__proto__',
    'emails[__proto__ eq "x"].value',
  ])("%s", (path) => {
    for (const op of ["add", "replace", "remove"]) {
      expect(refusal(() => patch(userType, user, { op, path, value: "x" }))).toEqual([400, "invalidPath"]);
    }
    expect(refusal(() => patch(userType, user, { op: "add", value: JSON.parse(`{${JSON.stringify(path)}:"x"}`) }))).toEqual([
      400,
      "invalidPath",
    ]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test("in values", () => {
    const patched = patch(userType, user, {
      op: "add",
      path: "name",
      value: JSON.parse('{"__proto__":{"familyName":"x"},"givenName":"Ann"}'),
    });
    expect(patched.name).toEqual({ givenName: "Ann" });
    expect((patched.name as { familyName?: string }).familyName).toBeUndefined();
  });

  test("in filters that create a value", () => {
    const patched = patch(userType, user, { op: "add", path: 'phoneNumbers[type eq "__proto__"].value', value: "constructor" });
    expect(patched.phoneNumbers).toEqual([{ type: "__proto__", value: "constructor" }]);
  });
});

describe("size and time", () => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => ({ value: `id-${index}` }));

  test("more than 1,000 operations are 413, counted by attribute", () => {
    const operation = { op: "replace", path: "title", value: "x" };
    const operations = (count: number) => Array.from({ length: count }, () => operation);
    expect(patch(userType, user, ...operations(1000)).title).toBe("x");
    expect(refusal(() => patch(userType, user, ...operations(1001)))).toEqual([413, undefined]);
    const keys = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`emails[type eq "${index}"].value`, "x"]));
    expect(refusal(() => patch(userType, user, { op: "add", value: keys }))).toEqual([413, undefined]);
  });

  test("1,000 changes of very many members take linear time", () => {
    const count = 100_000;
    const group = { ...quirkGroup, members: ids(count) };
    const operations = Array.from({ length: 1000 }, (_, index) =>
      index % 2 === 0
        ? { op: "remove", path: `members[value eq "id-${index}"]` }
        : { op: "add", path: "members", value: [{ value: `new-${index}` }] },
    );
    const start = performance.now();
    const { members } = patch(groupType, group, ...operations);
    expect(members).toHaveLength(count);
    expect(patch(groupType, group, { op: "Remove", path: "members", value: ids(count - 1) }).members).toEqual([
      { value: `id-${count - 1}` },
    ]);
    expect(performance.now() - start).toBeLessThan(30_000);
  });

  test("filters that compare too much are 413", () => {
    const emails = Array.from({ length: 10_000 }, (_, index) => ({ value: `${index}@x.example` }));
    const path = `emails[${Array.from({ length: 100 }, () => 'type co "x"').join(" or ")}].display`;
    const operations = Array.from({ length: 6 }, () => ({ op: "remove", path }));
    const start = performance.now();
    expect(refusal(() => patch(userType, { ...user, emails }, ...operations))).toEqual([413, undefined]);
    expect(performance.now() - start).toBeLessThan(30_000);
  });

  test("a URN in a URN is no depth", () => {
    const urn = String(userType.schema.id);
    const deep = JSON.parse(`${`{"${urn}":`.repeat(5000)}{}${"}".repeat(5000)}`);
    expect(refusal(() => patch(userType, user, { op: "add", value: deep }))).toEqual([400, "invalidPath"]);
    expect(
      refusal(() => patch(userType, user, { op: "add", value: { [enterpriseSchemaId]: { [enterpriseSchemaId]: deep } } })),
    ).toEqual([400, "invalidPath"]);
    expect(patch(userType, user, { op: "add", value: { [urn]: { title: "Captain" } } }).title).toBe("Captain");
    expect(readResource(userType, { userName: "ann", [urn]: deep }).ignored).toEqual([urn]);
  });

  test("any body is read or refused", () => {
    const text = fc.constantFrom(
      "add",
      "Remove",
      "replace",
      "emails",
      "members",
      "emails[",
      '[type eq "a"]',
      ".value",
      "__proto__",
      "name.givenName",
      "id",
      "",
      enterpriseSchemaId,
      ":manager",
    );
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.dictionary(text, fc.jsonValue({ maxDepth: 1 })));
    const operation = fc.record(
      { op: text, path: fc.array(text, { maxLength: 3 }).map((parts) => parts.join("")), value },
      { requiredKeys: [] },
    );
    const check = (operations: readonly unknown[]) => {
      const found = refusal(() => patch(userType, user, ...operations));
      if (found !== undefined)
        expect(found).toEqual([400, expect.stringMatching(/^(invalid(Syntax|Path|Value)|noTarget|mutability)$/)]);
    };
    fc.assert(fc.property(fc.array(operation, { maxLength: 3 }), check), { numRuns: 2000 });
  });
});

test("what is left out is named once", () => {
  const { ignored, operations } = readPatch(
    groupType,
    body(
      {
        op: "add",
        path: "members",
        value: [
          { value: "1", display: "a" },
          { value: "2", display: "b", age: 5 },
        ],
      },
      { op: "replace", value: { id: "1", displayName: "x" } },
    ),
  );
  expect(ignored).toEqual(["members.age"]);
  expect(operations).toHaveLength(2);
});
