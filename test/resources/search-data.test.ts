import { createIdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import { expect } from "vitest";
import { families } from "../../src/families/index.js";
import { searchableFamilies } from "../../src/operations/family/searchable-members.js";
import { expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, type Start, testSecret, uuid, type World } from "../support/world.js";

const searchableData = { users: ["department", "address.city"], groups: ["kind"] };

async function found(world: World, kind: "user" | "group", search: object): Promise<number[]> {
  const answer = expectOk(await world.caller.post(`/api/${kind}/search`, { search }));
  const ids = answer.each(`${kind}s`, "id") as string[];
  expect(answer.at("total")).toBe(ids.length);
  return ids.map((id) => Number(id.slice(-4))).sort();
}

async function startWithData(start: Start): Promise<World> {
  const world = await start({ searchableData });
  const people: object[] = [
    { department: "Sales", address: { city: "Oslo" } },
    { department: "sales", address: { city: 7 } },
    { department: "Support", address: "Oslo", secret: "sales" },
    { department: ["sales"], address: { city: true } },
  ];
  for (const [index, data] of people.entries())
    expectOk(await world.caller.post(`/api/user/${uuid(index + 1)}`, { user: { email: `u${index}@example.com`, data } }));
  return world;
}

forEachStorage((start) => {
  requirement("search.data", "finds records by the members of data that the host names, in each form of a search", async () => {
    const world = await startWithData(start);
    const cases: [object, number[]][] = [
      [{ queryString: "data.department:SALES" }, [1, 2]],
      [{ queryString: "data.department:s*" }, [1, 2, 3]],
      [{ queryString: "data.department:sale" }, []],
      [{ queryString: "data.address.city:oslo AND email:u0" }, [1]],
      [{ queryString: "NOT data.department:sales" }, [3, 4]],
      [{ query: { term: { "data.address.city": 7 } } }, [2]],
      [{ query: { match: { "data.address.city": true } } }, [4]],
      [{ query: { prefix: { "data.address.city": "os" } } }, [1]],
      [{ query: { terms: { "data.department": ["sales", "support"] } } }, [1, 2, 3]],
      [{ "data.department": "support" }, [3]],
    ];
    for (const [search, numbers] of cases)
      expect({ search, numbers: await found(world, "user", search) }).toEqual({ search, numbers });
    expectOk(await world.caller.patch(`/api/user/${uuid(3)}`, { user: { data: { department: "Sales" } } }));
    expect(await found(world, "user", { queryString: "data.department:sales" })).toEqual([1, 2, 3]);
  });

  requirement("search.data", "finds records of families with criteria, by GET and POST", async () => {
    const world = await start({ searchableData });
    for (const [index, kind] of ["Team", "Class", undefined].entries())
      expectOk(await world.caller.post(`/api/group/${uuid(index + 1)}`, { group: { name: `G${index}`, data: { kind } } }));
    expect(await found(world, "group", { "data.kind": "team" })).toEqual([1]);
    expect(await found(world, "group", { "data.kind": "c*", name: "g" })).toEqual([2]);
    expect(expectOk(await world.caller.get("/api/group/search?data.kind=CLASS")).at("total")).toBe(1);
    expectRefusal(await world.caller.get("/api/group/search?data.kind=*ass"), 400, "[invalid]data.kind");
  });

  requirement(
    "search.tenant-data",
    "finds records by the members of data that their tenant declares, within it alone",
    async () => {
      const world = await start({ searchableData: { users: ["department"] } });
      const tenants = [world.defaultTenantId, await makeTenant(world, "South")] as const;
      const own = world.caller.inTenant(tenants[0]);
      const other = world.caller.inTenant(tenants[1]);
      const searchableData = { users: ["city", "department", "address.zip"], groups: ["kind"] };
      expectOk(await world.caller.patch(`/api/tenant/${tenants[0]}`, { tenant: { searchConfiguration: { searchableData } } }));
      for (const [index, caller] of [own, other].entries()) {
        const user = { email: `u${index}@example.com`, data: { city: "Oslo", department: "Sales", address: { zip: 7 } } };
        expectOk(await caller.post(`/api/user/${uuid(index + 1)}`, { user }));
        expectOk(await caller.post(`/api/group/${uuid(index + 1)}`, { group: { name: "A", data: { kind: "Team" } } }));
      }
      const searches = [
        { queryString: "data.city:oslo" },
        { query: { term: { "data.city": "OSLO" } } },
        { query: '{"prefix":{"d\\u0061ta.city":"os"}}' },
        { "data.address.zip": "7" },
        { queryString: "data.department:sales AND data.city:os*" },
      ];
      for (const search of searches) {
        expect(expectOk(await own.post("/api/user/search", { search })).each("users", "id")).toEqual([uuid(1)]);
        const name = Object.keys(search)[0] ?? "";
        const isIgnored = name.startsWith("data.");
        // Another tenant and a search of all tenants know no such member: a criterion is then one of many unknown ones.
        for (const caller of [other, world.caller]) {
          const answer = await caller.post("/api/user/search", { search: { ...search, ...(isIgnored && { ids: [uuid(2)] }) } });
          if (isIgnored) expectOk(answer);
          else expectRefusal(answer, 400, `[invalid]${name}`);
        }
      }
      expect(expectOk(await own.get("/api/group/search?data.kind=team")).at("total")).toBe(1);
      const deletion = await own.delete("/api/user/bulk?hardDelete=true", { queryString: "data.city:oslo" });
      expect(expectOk(deletion).at("total")).toBe(1);
      expectRefusal(await other.delete("/api/user/bulk", { queryString: "data.city:oslo" }), 400, "[invalid]queryString");
      expectOk(
        await world.caller.patch(`/api/tenant/${tenants[0]}`, {
          tenant: { searchConfiguration: { searchableData: { users: null } } },
        }),
      );
      expectRefusal(await own.post("/api/user/search", { search: { queryString: "data.city:x" } }), 400, "[invalid]queryString");
    },
  );

  requirement("search.tenant-data", "refuses declarations that are none", async () => {
    const world = await start();
    const wrong: readonly (readonly [object, string])[] = [
      [{ users: ["a b"] }, "[invalid]tenant.searchConfiguration.searchableData.users[0]"],
      [{ users: ["a", "a..b"] }, "[invalid]tenant.searchConfiguration.searchableData.users[1]"],
      [{ groups: ["a'b"] }, "[invalid]tenant.searchConfiguration.searchableData.groups[0]"],
      [{ users: ["a".repeat(65)] }, "[invalid]tenant.searchConfiguration.searchableData.users[0]"],
      [
        { users: Array.from({ length: 9 }, (_, index) => `m${index}`) },
        "[tooMany]tenant.searchConfiguration.searchableData.users",
      ],
      [{ users: [5] }, "[invalidJSON]tenant.searchConfiguration.searchableData.users[0]"],
      [{ users: "city" }, "[invalidJSON]tenant.searchConfiguration.searchableData.users"],
    ];
    for (const [searchableData, code] of wrong) {
      const tenant = { name: "North", searchConfiguration: { searchableData } };
      expectRefusal(await world.caller.post("/api/tenant", { tenant }), 400, code);
    }
  });

  requirement("search.data", "refuses members that the host does not name", async () => {
    const world = await startWithData(start);
    for (const queryString of ["data.secret:sales", "data.address:x", "data:x", "data.department:*ales", "data.department:s*l"])
      expectRefusal(await world.caller.post("/api/user/search", { search: { queryString } }), 400, "[invalid]queryString");
  });

  requirement("search.roles", "finds users by role, and by the role of one registration within nested", async () => {
    const world = await start();
    const applications: string[] = [];
    for (const [index, name] of ["Forum", "Shop"].entries()) {
      const roles = ["Admin", "Reader"].map((role, place) => ({ id: uuid(10 * index + place + 500), name: role }));
      applications.push(await makeApplication(world, world.defaultTenantId, name, roles));
    }
    const register = async (number: number, registrations: readonly (readonly string[])[]): Promise<void> => {
      expectOk(await world.caller.post(`/api/user/${uuid(number)}`, { user: { email: `u${number}@example.com` } }));
      for (const [index, names] of registrations.entries()) {
        const registration = { applicationId: applications[index], roles: names };
        expectOk(await world.caller.post(`/api/user/registration/${uuid(number)}`, { registration }));
      }
    };
    await register(1, [["Admin"], ["Reader"]]);
    await register(2, [["Reader"], ["Admin", "Reader"]]);
    await register(3, [["Reader"]]);
    const [forum = "", shop = ""] = applications;
    const nested = (applicationId: string, role: string): object => {
      const must = [{ match: { "registrations.applicationId": applicationId } }, { match: { "registrations.roles": role } }];
      return { query: { nested: { path: "registrations", query: { bool: { must } } } } };
    };
    const cases: [object, number[]][] = [
      [{ queryString: "registrations.roles:admin" }, [1, 2]],
      [{ queryString: "registrations.roles:READER" }, [1, 2, 3]],
      [{ queryString: "registrations.roles:adm" }, []],
      [nested(forum, "admin"), [1]],
      [nested(shop, "Admin"), [2]],
      [nested(shop, "reader"), [1, 2]],
      [{ queryString: `registrations.applicationId:${forum} AND registrations.roles:admin` }, [1, 2]],
    ];
    for (const [search, numbers] of cases)
      expect({ search, numbers: await found(world, "user", search) }).toEqual({ search, numbers });
    const changed = { registration: { applicationId: forum, roles: ["Reader"] } };
    expectOk(await world.caller.put(`/api/user/registration/${uuid(1)}/${forum}`, changed));
    expect(await found(world, "user", { queryString: "registrations.roles:admin" })).toEqual([2]);
  });
});

requirement("search.data", "searchableData names families that can be searched, and paths", async () => {
  const wrong: Readonly<Record<string, readonly string[]>>[] = [
    { people: ["a"] },
    { registrations: ["a"] },
    { users: ["a b"] },
    { users: ["a..b"] },
    { users: ["a'b"] },
    { users: ["a.b.c.d.e.f"] },
    { users: Array.from({ length: 21 }, (_, index) => `m${index}`) },
    { users: ["a".repeat(65)] },
  ];
  for (const one of wrong) {
    const options = { storage: memoryStorage(), secret: testSecret, searchableData: one };
    await expect(createIdentityService(options)).rejects.toThrow(TypeError);
  }
});

requirement("search.tenant-data", "tenants can declare members of each family of theirs that has data and is searched", () => {
  const ofTenants = Object.values(families).flatMap(({ row }) => {
    const isSearched = "search" in row && "operations" in row && "search" in row.operations;
    const isOfTenants = row.tables?.some(({ name, tenancy }) => name === row.name && tenancy === "tenant") === true;
    return isSearched && isOfTenants && !withoutData.includes(row.name) ? [row.name] : [];
  });
  expect(ofTenants.toSorted()).toEqual([...searchableFamilies]);
});

/** They have no member of that name, belong to everybody, or are searched by what they join alone. */
const withoutData = ["identityProviderLinks", "loginRecords", "tenants", "userComments"];
