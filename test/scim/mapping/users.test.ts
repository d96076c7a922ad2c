import type { User } from "latchkey/types";
import { describe, expect, test } from "vitest";
import { toScimUser } from "../../../adapters/scim/mapping/show-user.js";
import { toUserChange } from "../../../adapters/scim/mapping/user-change.js";
import { userFieldPaths } from "../../../adapters/scim/mapping/user-fields.js";
import { enterpriseSchemaId, userSchemaId, userType } from "../../../adapters/scim/schema/schemas.js";
import { userFields } from "../../../src/records/users/schema.js";
import { toUser } from "./records.js";

const place = { location: "https://id.example/Users/1", type: userType };
const show = (fields: Partial<User>) => toScimUser(toUser(fields), place);
const change = (resource: Readonly<Record<string, unknown>>, current?: User) =>
  toUserChange(userType, { userName: "ann", ...resource }, current);

test("a user with every field is a resource with every attribute", () => {
  const user = toUser({
    username: "ann",
    email: "ann@x.example",
    firstName: "Ann",
    middleName: "B.",
    lastName: "Lee",
    fullName: "Dr. Ann Lee",
    mobilePhone: "+1 555",
    imageUrl: "https://x.example/ann.png",
    timezone: "Europe/Berlin",
    preferredLanguages: ["de_DE", "en"],
    data: {
      city: "Rome",
      scim: {
        externalId: "e1",
        name: { honorificPrefix: "Dr." },
        title: "Boss",
        roles: [{ value: "admin" }],
        enterprise: { department: "Tools", manager: { value: "m" } },
      },
    },
  });
  const groups = [{ id: "g1", name: "Crew", location: "https://id.example/Groups/g1" }];
  expect(toScimUser(user, { ...place, groups })).toEqual({
    schemas: [userSchemaId, enterpriseSchemaId],
    id: user.id,
    externalId: "e1",
    userName: "ann",
    name: { formatted: "Dr. Ann Lee", givenName: "Ann", middleName: "B.", familyName: "Lee", honorificPrefix: "Dr." },
    active: true,
    timezone: "Europe/Berlin",
    preferredLanguage: "de-DE",
    title: "Boss",
    emails: [{ value: "ann@x.example", type: "work", primary: true }],
    phoneNumbers: [{ value: "+1 555", type: "mobile" }],
    photos: [{ value: "https://x.example/ann.png", type: "photo" }],
    roles: [{ value: "admin" }],
    groups: [{ value: "g1", $ref: "https://id.example/Groups/g1", display: "Crew", type: "direct" }],
    [enterpriseSchemaId]: { department: "Tools", manager: { value: "m" } },
    meta: {
      resourceType: "User",
      created: "2026-01-01T00:00:00.000Z",
      lastModified: "2026-01-02T00:00:00.000Z",
      location: place.location,
    },
  });
});

test("a resource becomes the fields of the API; what has none is in data.scim", () => {
  const current = toUser({ data: { city: "Rome", scim: { title: "Old" } } });
  const resource = {
    userName: " Ann ",
    externalId: "e1",
    name: { givenName: "Ann", familyName: " Lee ", middleName: "", honorificSuffix: "Jr." },
    active: false,
    password: "secret word",
    timezone: "Europe/Berlin",
    preferredLanguage: "de-DE",
    displayName: "Annie",
    emails: [{ value: "Ann@X.example", type: "home" }],
    [enterpriseSchemaId]: { department: "Tools" },
  };
  expect(change(resource, current)).toEqual({
    user: {
      username: "Ann",
      email: "ann@x.example",
      firstName: "Ann",
      lastName: "Lee",
      timezone: "Europe/Berlin",
      preferredLanguages: ["de_DE"],
      data: {
        city: "Rome",
        scim: {
          externalId: "e1",
          name: { honorificSuffix: "Jr." },
          preferredLanguage: "de-DE",
          displayName: "Annie",
          emails: [{ value: "Ann@X.example", type: "home" }],
          enterprise: { department: "Tools" },
        },
      },
    },
    active: false,
    password: "secret word",
  });
});

test("a resource with little leaves nothing in data.scim", () => {
  const emails = [{ value: "ann@x.example", type: "work", primary: true }];
  const current = toUser({ firstName: "Ann", data: { city: "Rome", scim: { title: "Old" } } });
  expect(change({ emails }, current)).toEqual({
    user: { username: "ann", email: "ann@x.example", data: { city: "Rome" } },
    active: undefined,
  });
});

test("each path of an error is a field of the API, and an attribute of the schema", () => {
  const names = Object.keys(userFieldPaths).map((path) => path.replace("user.", ""));
  const { error } = userFields.safeParse(Object.fromEntries(names.map((name) => [name, 1])));
  expect(new Set(error?.issues.map(({ path }) => path[0]))).toEqual(new Set(names));
  for (const path of Object.values(userFieldPaths)) {
    const [name, sub] = path.split(".");
    const attribute = userType.schema.attributes.find((known) => known.name === name);
    expect(attribute).toBeDefined();
    if (sub !== undefined) expect(attribute?.subAttributes?.map((part) => part.name)).toContain(sub);
  }
});

describe("userName", () => {
  const current = toUser({ email: "ann@x.example" });
  const emails = [{ value: "ann@x.example" }];

  test("is the email address of a user without username", () => {
    expect(show({ email: "ann@x.example" }).userName).toBe("ann@x.example");
  });

  test("that is the email address gives such a user no username", () => {
    expect(change({ userName: "Ann@X.example", emails }, current).user).not.toHaveProperty("username");
  });

  test("that is another text gives it one", () => {
    expect(change({ userName: "ann", emails }, current).user.username).toBe("ann");
    expect(change({ userName: "ann@x.example", emails: [{ value: "b@x.example" }] }, current).user.username).toBe(
      "ann@x.example",
    );
  });

  test("of a new user is its username", () => {
    expect(change({ userName: "ann@x.example", emails }).user.username).toBe("ann@x.example");
  });

  test("must not be blank", () => {
    expect(() => change({ userName: " " })).toThrow(expect.objectContaining({ status: 400, scimType: "invalidValue" }));
  });
});

describe("emails", () => {
  const work = { value: "w@x.example", type: "work" };
  const home = { value: "h@x.example", type: "home", primary: true };
  const stored = { email: "h@x.example", data: { scim: { emails: [work, home] } } };

  test("the primary one is the address of the user, else the first", () => {
    expect(change({ emails: [work, home] }).user).toEqual({ username: "ann", ...stored });
    expect(change({ emails: [work, { ...home, primary: false }] }).user.email).toBe("w@x.example");
    expect(change({ emails: [{ type: "work" }, home] }).user.email).toBe("h@x.example");
  });

  test("an address that the API changed is shown in place of the one that it was", () => {
    expect(show({ ...stored, email: "new@x.example" }).emails).toEqual([work, { ...home, value: "new@x.example" }]);
    expect(
      show({ ...stored, email: "w@x.example", data: { scim: { emails: [work, { ...home, type: "work" }] } } }).emails,
    ).toEqual([{ ...home, value: "w@x.example", type: "work" }]);
  });

  test("an address that the API added is shown first", () => {
    const emails = [{ display: "none yet", primary: true }];
    expect(show({ email: "a@x.example", data: { scim: { emails } } }).emails).toEqual([
      { value: "a@x.example", type: "work" },
      ...emails,
    ]);
  });

  test("an address that the API removed is not shown, and another change does not bring one back", () => {
    const current = toUser({ username: "ann", data: stored.data });
    const shown = toScimUser(current, place);
    expect(shown.emails).toEqual([work]);
    const { user } = change({ ...shown, title: "Boss" }, current);
    expect(user).toEqual({ username: "ann", data: { scim: { title: "Boss", emails: [work, home] } } });
    expect(change({ ...shown, emails: [work, { value: "n@x.example" }] }, current).user.email).toBe("w@x.example");
  });

  test("the order of members in the request does not matter", () => {
    const current = toUser({ username: "ann", data: stored.data });
    expect(change({ emails: [{ type: "work", value: "w@x.example" }] }, current).user).not.toHaveProperty("email");
  });
});

describe("phoneNumbers and photos", () => {
  test("the mobile number counts before the primary one, and that before the first", () => {
    const [fax, work, mobile] = [
      { value: "1", type: "fax" },
      { value: "2", type: "work", primary: true },
      { value: " 3 ", type: "Mobile" },
    ];
    expect(change({ phoneNumbers: [fax, work, mobile] }).user.mobilePhone).toBe("3");
    expect(change({ phoneNumbers: [fax, work] }).user.mobilePhone).toBe("2");
    expect(change({ phoneNumbers: [fax] }).user.mobilePhone).toBe("1");
  });

  test("the photo counts before the thumbnail", () => {
    const photos = [
      { value: "https://x.example/t", type: "thumbnail", primary: true },
      { value: "https://x.example/p", type: "photo" },
    ];
    const { user } = change({ photos });
    expect(user.imageUrl).toBe("https://x.example/p");
    expect(toScimUser(toUser(user), place).photos).toEqual(photos);
  });
});

describe("preferredLanguage", () => {
  test.each([
    ["de", ["de"]],
    ["DE-de", ["de_DE"]],
    ["en_US, de;q=0.5", ["en_US"]],
    ["es-419;q=1", ["es_419"]],
    ["zh-Hans-CN", undefined],
    ["*", undefined],
    ["", undefined],
  ])("%s becomes %s, and is shown as it was sent", (preferredLanguage, preferredLanguages) => {
    const { user } = change({ preferredLanguage });
    expect(user.preferredLanguages).toEqual(preferredLanguages);
    expect(toScimUser(toUser(user), place).preferredLanguage).toBe(preferredLanguage);
  });

  test("is that of the API where it changed since", () => {
    const data = { scim: { preferredLanguage: "de-DE, en" } };
    expect(show({ preferredLanguages: ["fr_CA", "de_DE"], data }).preferredLanguage).toBe("fr-CA");
    expect(show({ preferredLanguages: [], data })).not.toHaveProperty("preferredLanguage");
  });

  test("leaves the further languages of the user when it stays the same", () => {
    const current = toUser({ preferredLanguages: ["de", "fr"] });
    expect(change({ preferredLanguage: "de" }, current).user.preferredLanguages).toEqual(["de", "fr"]);
    expect(change({ preferredLanguage: "en" }, current).user.preferredLanguages).toEqual(["en"]);
    expect(change({}, current).user).not.toHaveProperty("preferredLanguages");
  });
});
