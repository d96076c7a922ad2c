import { describe, expect, test } from "vitest";
import { ScimError, toErrorBody } from "../../../adapters/scim/schema/errors.js";
import { readResource } from "../../../adapters/scim/schema/read-resource.js";
import { parseDate } from "../../../adapters/scim/schema/read-value.js";
import {
  createResourceTypes,
  enterpriseSchemaId,
  groupType,
  userSchemaId,
  userType,
} from "../../../adapters/scim/schema/schemas.js";
import { fc } from "../../support/properties.js";

const read = (body: unknown) => readResource(userType, body);

function refusal(body: unknown): unknown {
  try {
    read(body);
  } catch (error) {
    if (error instanceof ScimError) return toErrorBody(error);
    throw error;
  }
  return undefined;
}

const invalid = (detail: string) => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
  status: "400",
  scimType: "invalidValue",
  detail,
});

test("names and URNs count in any case and come out canonical", () => {
  const { resource, ignored } = read({
    SCHEMAS: [userSchemaId.toUpperCase()],
    username: "ann",
    NAME: { FAMILYNAME: "Other" },
    [enterpriseSchemaId.toUpperCase()]: { DEPARTMENT: "Ships" },
    [userSchemaId]: { nickname: "A" },
  });
  expect(resource).toEqual({
    schemas: [userSchemaId, enterpriseSchemaId],
    userName: "ann",
    name: { familyName: "Other" },
    nickName: "A",
    [enterpriseSchemaId]: { department: "Ships" },
  });
  expect(ignored).toEqual([]);
});

test("read-only and undeclared attributes are left out, and the undeclared named", () => {
  const { resource, ignored } = read({
    schemas: [userSchemaId, "urn:example:unknown"],
    id: "1",
    meta: { version: "2" },
    userName: "ann",
    shoeSize: 38,
    groups: [{ value: "g" }],
    emails: [
      { value: "a@b.example", verified: true },
      { value: "c@d.example", verified: false },
    ],
    [enterpriseSchemaId]: { manager: { displayName: "Bob" }, desk: 1 },
    "urn:example:unknown": { a: 1 },
  });
  expect(resource).toEqual({
    schemas: [userSchemaId],
    userName: "ann",
    emails: [{ value: "a@b.example" }, { value: "c@d.example" }],
  });
  expect(ignored).toEqual([
    "schemas: urn:example:unknown",
    "shoeSize",
    "emails.verified",
    `${enterpriseSchemaId}:desk`,
    "urn:example:unknown",
  ]);
});

test("null, an empty list and an object without values say that there is no value", () => {
  const { resource } = read({
    userName: "ann",
    title: null,
    emails: [],
    phoneNumbers: [null, {}],
    name: {},
    [enterpriseSchemaId]: { manager: null },
  });
  expect(resource).toEqual({ schemas: [userSchemaId], userName: "ann" });
});

test("dates come out in UTC with milliseconds, with any number of decimals", () => {
  const { user } = createResourceTypes([{ id: "urn:example:dates", attributes: [{ name: "hired", type: "dateTime" }] }]);
  const hired = (value: unknown) =>
    readResource(user, { userName: "ann", "urn:example:dates": { hired: value } }).resource["urn:example:dates"];
  expect(hired("2026-01-31T08:00:00.1234567Z")).toEqual({ hired: "2026-01-31T08:00:00.123Z" });
  expect(hired("2026-01-31t10:00:00+02:00")).toEqual({ hired: "2026-01-31T08:00:00.000Z" });
  expect(hired("2026-01-31T08:00")).toEqual({ hired: "2026-01-31T08:00:00.000Z" });
  for (const text of ["2026-01-31", "2026-13-31T08:00:00Z", "soon", "", 1, "2026-01-31T08:00:00Z\n"])
    expect(() => hired(text)).toThrow(ScimError);
});

test("every instant is read back from its text", () => {
  const check = (instant: Date) => {
    expect(parseDate(instant.toISOString())).toBe(instant.getTime());
  };
  fc.assert(fc.property(fc.date({ min: new Date(0), max: new Date("9999-01-01"), noInvalidDate: true }), check));
});

describe("values of another type are 400 invalidValue", () => {
  test.each([
    [{ userName: 5 }, '"userName" must be a text.'],
    [{ userName: ["a", "b"] }, '"userName" must be a text.'],
    [{ userName: { value: "a" } }, '"userName" must be a text.'],
    [{ userName: "a", active: "yes" }, '"active" must be true or false.'],
    [{ userName: "a", active: 1 }, '"active" must be true or false.'],
    [{ userName: "a", name: "Ann" }, '"name" must be an object.'],
    [{ userName: "a", emails: [["a@b.example"]] }, '"emails" must be an object.'],
    [{ userName: "a", emails: [{ value: {} }] }, '"emails.value" must be a text.'],
    [{ userName: "a", x509Certificates: [{ value: "ü" }] }, '"x509Certificates.value" must be a base64 text.'],
    [{ userName: "a", [enterpriseSchemaId]: "Ships" }, `"${enterpriseSchemaId}" must be an object.`],
    [{ userName: "a", USERNAME: "b" }, '"userName" is given twice, in different case.'],
    [{ userName: "a", name: { familyName: "b", FamilyName: "c" } }, '"name.familyName" is given twice, in different case.'],
    [
      {
        userName: "a",
        emails: [
          { value: "a", primary: true },
          { value: "b", primary: "True" },
        ],
      },
      '"emails" has more than one value with `primary: true`.',
    ],
    [{}, '"userName" is required.'],
    [{ userName: null }, '"userName" is required.'],
    [{ userName: "" }, '"userName" is required.'],
  ])("%j", (body, detail) => {
    expect(refusal(body)).toEqual(invalid(detail));
  });

  test("a member needs a value", () => {
    expect(() => readResource(groupType, { displayName: "Crew", members: [{ type: "User" }] })).toThrow(
      '"members.value" is required.',
    );
  });
});

test("what is no resource is 400 invalidSyntax", () => {
  for (const body of [null, [], "a", 5, undefined])
    expect(refusal(body)).toMatchObject({ scimType: "invalidSyntax", status: "400" });
  expect(refusal({ schemas: [5], userName: "a" })).toMatchObject({ scimType: "invalidSyntax" });
});

describe("hostile bodies", () => {
  test("no prototype is reached", () => {
    const body = JSON.parse(
      `{"userName":"a","__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"name":{"__proto__":{"x":1},"familyName":"b"},"${enterpriseSchemaId}":{"__proto__":{"x":1}}}`,
    );
    const { resource, ignored } = read(body);
    expect(resource).toEqual({ schemas: [userSchemaId], userName: "a", name: { familyName: "b" } });
    expect(Object.getPrototypeOf(resource)).toBe(Object.prototype);
    expect(ignored).toEqual(["__proto__", "constructor", "name.__proto__", `${enterpriseSchemaId}:__proto__`]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test("depth, length and many unknown names cost nothing", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`);
    const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`unknown${index}`, index]));
    const emails = Array.from({ length: 20_000 }, (_, index) => ({ value: `${index}@x.example`, type: "work" }));
    const start = performance.now();
    const { resource, ignored } = read({ userName: "a", deep, ["n".repeat(1_000_000)]: 1, ...names, emails });
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(resource.emails).toHaveLength(20_000);
    expect(ignored).toHaveLength(100);
    expect(Math.max(...ignored.map(({ length }) => length))).toBeLessThanOrEqual(200);
  });

  test("any JSON is read or refused, and read again as it came out", () => {
    const names = fc.constantFrom(
      "userName",
      "USERNAME",
      "emails",
      "name",
      "value",
      "familyName",
      "schemas",
      "active",
      "__proto__",
      enterpriseSchemaId,
      "manager",
      "x",
    );
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(fc.constantFrom(null, true, 5, "", "a", "True"), fc.array(tie("json"), { maxLength: 3 }), tie("object")),
      object: fc.array(fc.tuple(names, tie("json")), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
    }));
    const check = (body: unknown) => {
      if (refusal(body) !== undefined) return;
      const { resource } = read(body);
      expect(read(resource)).toEqual({ resource, ignored: [] });
    };
    fc.assert(
      fc.property(
        json.map((value) => (typeof value === "object" && !Array.isArray(value) ? { userName: "a", ...value } : value)),
        check,
      ),
      {
        numRuns: 3000,
      },
    );
  });
});
