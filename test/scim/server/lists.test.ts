// RFC 7644 on lists: filters, order, pages, .search.
import { describe, expect } from "vitest";
import { expectOk } from "../../support/answer.js";
import { isLong } from "../../support/properties.js";
import { requirement } from "../../support/requirement.js";
import type { Start } from "../../support/world.js";
import {
  createGroup,
  createUser,
  type Directory,
  enterpriseSchema,
  expectStatus,
  listPath,
  refusalOf,
  startDirectory,
} from "../support/directory.js";
import { forEachStorageInFull } from "../support/storages.js";

interface Staff extends Directory {
  readonly ids: Readonly<Record<string, string>>;
}

const people: Readonly<Record<string, object>> = {
  ann: {
    title: "Captain",
    externalId: "e1",
    name: { givenName: "Ann", familyName: "Zed" },
    emails: [{ value: "ann@a.example", type: "work" }],
    [enterpriseSchema]: { department: "Ships" },
  },
  Bob: {
    title: "mate",
    externalId: "E1",
    name: { givenName: "Bob", familyName: "Old" },
    emails: [
      { value: "bob@b.example", type: "home" },
      { value: "b2@a.example", type: "work" },
    ],
  },
  cid: { name: { givenName: "Cid" }, active: false, phoneNumbers: [{ value: "1", type: "mobile" }] },
  'd"x\\': { displayName: "Dee", title: "Cook", roles: [{ value: "chef", primary: true }] },
};

/** Four users and two groups. */
async function startStaff(start: Start): Promise<Staff> {
  const directory = await startDirectory(start);
  const ids: Record<string, string> = {};
  for (const [name, more] of Object.entries(people)) {
    directory.world.clock.advance(1_000);
    ids[name] = await createUser(directory.call, name, more);
  }
  ids.Crew = await createGroup(directory.call, "Crew", [ids.ann ?? "", ids.Bob ?? ""]);
  directory.world.clock.advance(1_000);
  ids.staff = await createGroup(directory.call, "staff", [ids.ann ?? ""]);
  return { ...directory, ids };
}

type Query = Readonly<Record<string, string | number>>;

async function listNames({ call }: Directory, path: string, query: Query = {}): Promise<readonly unknown[]> {
  const { Resources = [] } = await expectStatus(call("GET", listPath(path, query)), 200);
  return (Resources as Record<string, unknown>[]).map((one) => one.userName ?? one.displayName);
}

const dee = 'd"x\\';

const userFilters: readonly (readonly [filter: string, names: readonly string[]])[] = [
  ['userName eq "ann"', ["ann"]],
  ['USERNAME EQ "ANN"', ["ann"]],
  ['userName eq "d\\"x\\\\"', [dee]],
  ['userName ne "ann"', ["Bob", "cid", dee]],
  ['userName co "n"', ["ann"]],
  ['userName sw "b"', ["Bob"]],
  ['userName ew "D"', ["cid"]],
  ['userName gt "bob"', ["cid", dee]],
  ['userName ge "bob"', ["Bob", "cid", dee]],
  ['userName lt "bob"', ["ann"]],
  ['userName le "bob"', ["ann", "Bob"]],
  ["title pr", ["ann", "Bob", dee]],
  ["not (title pr)", ["cid"]],
  ['title eq "captain"', ["ann"]],
  ['title co "a"', ["ann", "Bob"]],
  ["title eq null", ["cid"]],
  ['externalId eq "e1"', ["ann"]],
  ['externalId eq "E1"', ["Bob"]],
  ["active eq false", ["cid"]],
  ['active eq "True"', ["ann", "Bob", dee]],
  ["ActiVe eq true", ["ann", "Bob", dee]],
  ['name.familyName eq "zed"', ["ann"]],
  ['name.FamilyName eq "zed" and (emails.Value co "a." or emails.value co "x")', ["ann"]],
  ['emails.value eq "B2@a.example"', ["Bob"]],
  ['emails eq "bob@b.example"', ["Bob"]],
  ['emails[type eq "work" and value co "@a."]', ["ann", "Bob"]],
  ['emails[type eq "work" and value co "@b."]', []],
  ['emails[type eq "work"].value eq "b2@a.example"', ["Bob"]],
  ['emails[type eq "work"].value co "@b."', []],
  ['emails.type eq "home" or title eq "Cook"', ["Bob", dee]],
  ["roles[primary eq true]", [dee]],
  [`${enterpriseSchema}:department eq "ships"`, ["ann"]],
  [`${enterpriseSchema}:department pr`, ["ann"]],
  ['meta.created gt "2023-11-14T22:13:22.000Z"', ["cid", dee]],
  ['meta.created lt "2023-11-14T22:13:21.5Z"', ["ann"]],
  ['meta.resourceType eq "User" and userName sw "c"', ["cid"]],
  ['schemas eq "urn:ietf:params:scim:schemas:core:2.0:User" and title pr', ["ann", "Bob", dee]],
  ['groups.display eq "crew"', ["ann", "Bob"]],
];

const badFilters = [
  "",
  "(",
  "userName",
  "userName eq",
  'userName xx "a"',
  'unknown eq "a"',
  'userName eq "a',
  "userName eq a",
  'userName eq "a" and',
  'password eq "x"',
  "password pr",
  "active eq 5",
  "active gt true",
  "userName eq 5",
  'emails[type eq "a"',
  "emails[[]]",
  'meta.created eq "never"',
  "not title pr",
  'title eq "a" title eq "b"',
];

forEachStorageInFull(isLong, (start) => {
  describe("filters", () => {
    requirement("scim.lists", "of users find those that match, with and without an index", async () => {
      const staff = await startStaff(start);
      for (const [filter, names] of userFilters) {
        const list = await expectStatus(staff.call("GET", listPath("/Users", { filter })), 200);
        const found = ((list.Resources ?? []) as Record<string, unknown>[]).map(({ userName }) => userName);
        expect([filter, list.totalResults, found]).toEqual([filter, names.length, names]);
      }
    });

    requirement("scim.lists", "of groups find those that match", async () => {
      const staff = await startStaff(start);
      const { ids } = staff;
      const rows: readonly (readonly [string, readonly string[]])[] = [
        ['displayName eq "crew"', ["Crew"]],
        ['displayName co "ta"', ["staff"]],
        ['displayName sw "C"', ["Crew"]],
        ['displayName ew "FF"', ["staff"]],
        [`members.value eq "${ids.ann}"`, ["Crew", "staff"]],
        [`members[value eq "${ids.Bob}"]`, ["Crew"]],
        [`members eq "${ids.Bob}" and displayName sw "s"`, []],
        [`id eq "${ids.staff}"`, ["staff"]],
        ["externalId pr", []],
        ["members pr", ["Crew", "staff"]],
        ['not (displayName eq "crew")', ["staff"]],
      ];
      for (const [filter, names] of rows)
        expect([filter, await listNames(staff, "/Groups", { filter, excludedAttributes: "members" })]).toEqual([filter, names]);
      expect(await listNames(staff, "/Users", { filter: `groups.value eq "${ids.Crew}"` })).toEqual(["ann", "Bob"]);
    });

    requirement("scim.lists", "that are none are refused with their cause", async () => {
      const { call } = await startStaff(start);
      for (const filter of badFilters.slice(1))
        expect([filter, ...(await refusalOf(call("GET", listPath("/Users", { filter }))))]).toEqual([
          filter,
          400,
          "invalidFilter",
        ]);
      expect((await call("GET", listPath("/Users", { filter: "" }))).status).toBe(200);
    });
  });

  requirement("scim.lists", "sorting puts absent values last, and first when descending", async () => {
    const staff = await startStaff(start);
    const ascending = { sortBy: "title", sortOrder: "ascending" };
    expect(await listNames(staff, "/Users", { sortBy: "title" })).toEqual(["ann", dee, "Bob", "cid"]);
    expect(await listNames(staff, "/Users", ascending)).toEqual(["ann", dee, "Bob", "cid"]);
    expect(await listNames(staff, "/Users", { sortBy: "title", sortOrder: "descending" })).toEqual(["cid", "Bob", dee, "ann"]);
    expect(await listNames(staff, "/Users", { sortBy: "USERNAME" })).toEqual(["ann", "Bob", "cid", dee]);
    expect((await listNames(staff, "/Users", { sortBy: "name.familyName" })).slice(0, 2)).toEqual(["Bob", "ann"]);
    expect((await listNames(staff, "/Users", { sortBy: "emails" })).slice(0, 2)).toEqual(["ann", "Bob"]);
    expect(await listNames(staff, "/Users", { sortBy: "meta.created", sortOrder: "descending" })).toEqual([
      dee,
      "cid",
      "Bob",
      "ann",
    ]);
    expect(await listNames(staff, "/Groups", { sortBy: "displayName", sortOrder: "descending" })).toEqual(["staff", "Crew"]);
    expect(await refusalOf(staff.call("GET", "/Users?sortBy=unknown"))).toEqual([400, "invalidPath"]);
  });

  requirement("scim.lists", "startIndex and count choose the page, and total counts all", async () => {
    const { call } = await startStaff(start);
    const rows: readonly (readonly [Query, startIndex: number, names: number])[] = [
      [{}, 1, 4],
      [{ startIndex: 0 }, 1, 4],
      [{ startIndex: -5 }, 1, 4],
      [{ startIndex: 2, count: 2 }, 2, 2],
      [{ startIndex: 4 }, 4, 1],
      [{ startIndex: 5 }, 5, 0],
      [{ startIndex: 999_999_999 }, 999_999_999, 0],
      [{ count: 0 }, 1, 0],
      [{ count: -1 }, 1, 0],
      [{ count: 999_999 }, 1, 4],
    ];
    for (const extra of [{}, { filter: "userName pr" }, { sortBy: "title" }, { filter: "not (title eq null) or title eq null" }])
      for (const [query, startIndex, count] of rows) {
        const list = await expectStatus(call("GET", listPath("/Users", { ...query, ...extra } as Query)), 200);
        const { Resources = [] } = list as { Resources?: unknown[] };
        expect([query, extra, list.startIndex, list.itemsPerPage, Resources.length, list.totalResults]).toEqual([
          query,
          extra,
          startIndex,
          count,
          count,
          4,
        ]);
      }
    for (const query of [{ count: "x" }, { startIndex: "1.5" }, { count: "1e3" }, { startIndex: "99999999999999" }] as Query[])
      expect([query, (await call("GET", listPath("/Users", query))).status]).toEqual([query, 400]);
  });

  requirement("scim.lists", "pages of all users and of a filter come to each user once", async () => {
    const staff = await startStaff(start);
    for (const query of [{}, { filter: 'userName co "" or userName pr' }, { sortBy: "title" }] as Query[]) {
      const names: unknown[] = [];
      for (let startIndex = 1; startIndex <= 4; startIndex += 3)
        for (const name of await listNames(staff, "/Users", { ...query, startIndex, count: 3 })) names.push(name);
      expect(names.toSorted()).toEqual(Object.keys(people).toSorted());
    }
  });

  requirement("scim.lists", ".search answers as a GET does, at a type and at the root", async () => {
    const staff = await startStaff(start);
    const { call } = staff;
    const schemas = ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"];
    const search = (path: string, body: object) => expectStatus(call("POST", path, { schemas, ...body }), 200);
    const query = { filter: "title pr", sortBy: "title", sortOrder: "descending", startIndex: 2, count: 1 };
    expect(await search("/Users/.search", query)).toEqual(await expectStatus(call("GET", listPath("/Users", query)), 200));
    const named = await search("/Groups/.search", { attributes: ["displayName"], filter: 'displayName eq "crew"' });
    expect(named.Resources).toEqual([{ schemas: expect.anything(), id: staff.ids.Crew, displayName: "Crew" }]);
    const all = await search("/.search", { attributes: ["userName", "displayName"] });
    expect([all.totalResults, (all.Resources as object[]).length]).toEqual([6, 6]);
    const middle = await search("/.search", { startIndex: 4, count: 2, attributes: ["userName", "displayName"] });
    expect([middle.totalResults, middle.startIndex, middle.Resources]).toEqual([6, 4, (all.Resources as object[]).slice(3, 5)]);
    expect((await search("/.search", { filter: 'displayName co "e"' })).totalResults).toBe(2);
    expect((await search("/.search", { filter: "title pr" })).totalResults).toBe(3);
    expect((await search("/.search", { count: 0 })).totalResults).toBe(6);
    expect(await refusalOf(call("POST", "/.search", { schemas, filter: "unknown pr" }))).toEqual([400, "invalidFilter"]);
    expect(await refusalOf(call("POST", "/Users/.search", { schemas, filter: 5 }))).toEqual([400, "invalidFilter"]);
    expect(await refusalOf(call("POST", "/Users/.search", []))).toEqual([400, "invalidSyntax"]);
  });

  requirement("scim.lists", "users whom the API made are listed too", async () => {
    const { call, world } = await startDirectory(start);
    expectOk(await world.caller.post("/api/user", { user: { email: "x@example.com" } }));
    const { Resources } = await expectStatus(call("GET", listPath("/Users", { filter: 'userName eq "X@example.com"' })), 200);
    expect(Resources).toMatchObject([{ userName: "x@example.com", emails: [{ value: "x@example.com" }] }]);
  });
});
