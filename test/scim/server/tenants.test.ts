// Two tenants with SCIM in one service: neither sees, finds, changes or takes in anything of the other.
import { expect } from "vitest";
import { expectOk } from "../../support/answer.js";
import { isLong } from "../../support/properties.js";
import { requirement } from "../../support/requirement.js";
import { makeTenant, readEvents, type Start } from "../../support/world.js";
import {
  createGroup,
  createUser,
  type Directory,
  enableScim,
  expectStatus,
  groupSchema,
  listPath,
  membersOf,
  openDirectory,
  patchOf,
  refusalOf,
  startDirectory,
  userSchema,
} from "../support/directory.js";
import { forEachStorageInFull } from "../support/storages.js";

interface Neighbors {
  readonly own: Directory;
  readonly other: Directory;
  readonly ann: string;
  readonly staff: string;
}

/** A tenant with a user and a group, and another one. */
async function startNeighbors(start: Start): Promise<Neighbors> {
  const own = await startDirectory(start);
  const tenantId = await makeTenant(own.world, "Neighbor");
  await enableScim(own.world, tenantId);
  const other = await openDirectory(own.world, tenantId);
  const ann = await createUser(own.call, "ann@example.com", { externalId: "a1", title: "Captain" });
  return { own, other, ann, staff: await createGroup(own.call, "Staff", [ann]) };
}

const changes = (id: string) =>
  [
    ["GET", undefined],
    ["PUT", { schemas: [userSchema], userName: "mallory@example.com", displayName: "Mallory" }],
    ["PATCH", patchOf({ op: "replace", path: "externalId", value: "m" })],
    ["PATCH", patchOf({ op: "add", path: "members", value: [{ value: id }] })],
    ["DELETE", undefined],
  ] as const;

forEachStorageInFull(isLong, (start) => {
  requirement("scim.tenants", "ids of another tenant are 404 for each method", async () => {
    const { ann, other, own, staff } = await startNeighbors(start);
    const readChanges = async () => (await readEvents(own.world.storage)).filter(({ type }) => !type.startsWith("event-log"));
    const before = (await readChanges()).length;
    for (const [path, type] of [
      [`/Users/${ann}`, "User"],
      [`/EnterpriseUsers/${ann}`, "User"],
      [`/Groups/${staff}`, "Group"],
    ] as const)
      for (const [method, body] of changes(ann)) {
        if (type === "User" && JSON.stringify(body ?? "").includes("members")) continue;
        expect([path, method, (await other.call(method, path, body)).status]).toEqual([path, method, 404]);
      }
    expect((await readChanges()).length).toBe(before);
    expect(await membersOf(own.call, staff)).toEqual([ann]);
  });

  requirement("scim.tenants", "lists and filters find nothing of another tenant", async () => {
    const { ann, other, staff } = await startNeighbors(start);
    const filters = {
      "/Users": [
        `id eq "${ann}"`,
        'userName eq "ann@example.com"',
        'userName co "a"',
        'externalId eq "a1"',
        'title eq "Captain"',
        `groups.value eq "${staff}"`,
        "userName pr",
      ],
      "/Groups": [
        'displayName eq "Staff"',
        'displayName ne "x"',
        `members.value eq "${ann}"`,
        `members[value eq "${ann}"]`,
        `id eq "${staff}"`,
        "displayName pr",
      ],
    };
    for (const [path, ofPath] of Object.entries(filters))
      for (const filter of ofPath) {
        const list = await expectStatus(other.call("GET", listPath(path, { filter })), 200);
        expect([filter, list.totalResults, list.Resources]).toEqual([filter, 0, []]);
      }
    for (const path of ["/Users", "/EnterpriseUsers", "/Groups", listPath("/Users", { sortBy: "title" })])
      expect((await expectStatus(other.call("GET", path), 200)).totalResults).toBe(0);
    for (const path of ["/.search", "/Users/.search", "/Groups/.search"])
      expect((await expectStatus(other.call("POST", path, {}), 200)).totalResults).toBe(0);
  });

  requirement("scim.tenants", "a user of another tenant is no member, however it is sent", async () => {
    const { ann, other, own } = await startNeighbors(start);
    const bob = await createUser(other.call, "bob@example.com");
    const crew = await createGroup(other.call, "Crew", [bob]);
    const body = { schemas: [groupSchema], displayName: "Spies", members: [{ value: ann }] };
    const add = { op: "add", path: "members", value: [{ value: ann }] };
    const refusals = [
      other.call("POST", "/Groups", body),
      other.call("PUT", `/Groups/${crew}`, body),
      other.call("PATCH", `/Groups/${crew}`, patchOf(add)),
      other.call(
        "PATCH",
        `/Groups/${crew}`,
        patchOf({ op: "replace", value: { displayName: "X", members: [{ value: ann }, { value: bob }] } }),
      ),
      other.call("PATCH", `/Groups/${crew}`, patchOf(add), { "if-match": "*" }),
    ];
    for (const refused of refusals) expect(await refusalOf(refused)).toEqual([400, "invalidValue"]);
    expect(await membersOf(other.call, crew)).toEqual([bob]);
    expect((await expectStatus(other.call("GET", "/Groups"), 200)).totalResults).toBe(1);
    const { memberships } = expectOk(await own.world.caller.get(`/api/user/${ann}`)).at("user") as { memberships: unknown[] };
    expect(memberships).toHaveLength(1);
  });

  requirement("scim.tenants", "removing a member of another tenant changes nothing there", async () => {
    const { ann, other, own, staff } = await startNeighbors(start);
    const crew = await createGroup(other.call, "Crew");
    for (const path of [`members[value eq "${ann}"]`, "members"])
      await expectStatus(other.call("PATCH", `/Groups/${crew}`, patchOf({ op: "remove", path, value: [{ value: ann }] })), 204);
    expect(await membersOf(own.call, staff)).toEqual([ann]);
  });

  requirement("scim.tenants", "bulk operations stay within the tenant", async () => {
    const { ann, other, own, staff } = await startNeighbors(start);
    const Operations = [
      { method: "DELETE", path: `/Users/${ann}` },
      { method: "PATCH", path: `/Groups/${staff}`, data: patchOf({ op: "remove", path: "members" }) },
      { method: "POST", path: "/Groups", bulkId: "g", data: { displayName: "Spies", members: [{ value: ann }] } },
    ];
    const schemas = ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"];
    const answer = await other.call("POST", "/Bulk", { schemas, Operations });
    expect(answer.each("Operations", "status")).toEqual(["404", "404", "400"]);
    expect(await membersOf(own.call, staff)).toEqual([ann]);
  });

  requirement("scim.tenants", "both tenants have a user and a group of the same name", async () => {
    const { other } = await startNeighbors(start);
    const ann = await createUser(other.call, "ann@example.com", { externalId: "a1" });
    expect(await membersOf(other.call, await createGroup(other.call, "Staff", [ann]))).toEqual([ann]);
  });
});
