// The four converter lambdas at their trigger points.
import type { LambdaType } from "latchkey";
import { describe, expect } from "vitest";
import { expectOk } from "../../support/answer.js";
import { makeApplication } from "../../support/families.js";
import { failings, giveTenant, withRunner } from "../../support/lambda-places.js";
import { requirement } from "../../support/requirement.js";
import { forEachStorage, readEvents, type World } from "../../support/world.js";
import {
  createGroup,
  createUser,
  type Directory,
  enterpriseSchema,
  expectStatus,
  membersOf,
  patchOf,
  refusalOf,
  startDirectory,
  userSchema,
} from "../support/directory.js";

type Place = "User" | "EnterpriseUser" | "Group";

/** Gives the default tenant a converter. */
function convert(world: World, place: Place, direction: "Request" | "Response", statements: string): Promise<string> {
  const type: LambdaType = `SCIM${place === "Group" ? "Group" : "User"}${direction}Converter`;
  return giveTenant(world, `lambdaConfiguration.scim${place}${direction}ConverterId`, type, statements);
}

const retrieve = async ({ caller }: World, id: string) =>
  expectOk(await caller.get(`/api/user/${id}`)).at("user") as Record<string, unknown>;

/** What is stored: users and groups, with members. */
async function readState({ identity, storage }: World): Promise<unknown> {
  const { users } = await identity.users.search({ search: { query: { match_all: {} } } });
  const { groups } = await identity.groups.search();
  const events = (await readEvents(storage)).filter(({ type }) => /^(user|group)/.test(type));
  return [users, groups, events.length];
}

const garbageOfUsers = [
  "user.firstName = 5",
  "user.email = 'no address'",
  "delete user.username; delete user.email",
  "user.username = {}",
  "user.data = 5",
  "user.data = []",
  "user.preferredLanguages = 'x'",
  "user.unknown = 1; user.birthDate = 'never'",
  "user.username = 'a' + String.fromCharCode(0)",
  "user.username = String.fromCharCode(0xd800)",
  "user.username = 'x'.repeat(1e5)",
  "for (const name of Object.keys(user)) delete user[name]",
  "options.applicationId = 'none'",
  "options.applicationId = '00000000-0000-4000-8000-000000000999'",
  "throw new Error('out of order')",
  "user.self = user",
] as const;

const garbageOfGroups = [
  "group.name = 5",
  "group.name = ''",
  "delete group.name",
  "group.data = 'x'",
  "members.push(5)",
  "members.push({ userId: 'none' })",
  "members.push({ userId: '00000000-0000-4000-8000-000000000999' })",
  "members.push({})",
  "options.roleIds = ['none']",
  "options.roleIds = ['00000000-0000-4000-8000-000000000999']",
  "throw new Error('out of order')",
] as const;

const garbageOfResources = [
  "x.active = 'maybe'",
  "x.emails = [{ value: 5 }]",
  "x.name = 'text'",
  "delete x.userName; delete x.displayName",
  "x.members = [{ value: 5 }]; x.userName = {}",
  "throw new Error('out of order')",
] as const;

/** Expects each write to be refused with 400, and to change nothing. */
async function expectNoWrite(
  { call, world }: Directory,
  path: string,
  resources: readonly [made: object, changed: object],
  id: string,
): Promise<void> {
  const before = await readState(world);
  const [made, changed] = resources;
  for (const [method, at, body] of [
    ["POST", path, made],
    ["PUT", `${path}/${id}`, changed],
    ["PATCH", `${path}/${id}`, patchOf({ op: "replace", value: { externalId: "2" } })],
  ] as const) {
    const [status, scimType] = await refusalOf(call(method, at, body, path === "/Groups" ? { "if-match": "*" } : {}));
    expect([method, body, status, scimType]).toEqual([method, body, 400, "invalidValue"]);
  }
  expect(await readState(world)).toEqual(before);
}

forEachStorage((start) => {
  requirement("scim.converters", "a request converter of users changes the user and registers it", async () => {
    const { call, world } = await startDirectory(start, withRunner);
    const applicationId = await makeApplication(world, world.defaultTenantId, "Shop");
    await convert(
      world,
      "User",
      "Request",
      `user.lastName = scimUser.userName + context.tenant.id; user.data.color = "red"; options.applicationId = "${applicationId}"; user.id = "x"; user.tenantId = "x";`,
    );
    const id = await createUser(call, "ann", { active: true });
    expect(await retrieve(world, id)).toMatchObject({
      id,
      lastName: `ann${world.defaultTenantId}`,
      data: { color: "red" },
      registrations: [{ applicationId }],
      active: true,
    });
    await expectStatus(call("PATCH", `/Users/${id}`, patchOf({ op: "replace", value: { userName: "anna" } })), 200);
    expect(await retrieve(world, id)).toMatchObject({
      username: "anna",
      lastName: `anna${world.defaultTenantId}`,
      registrations: [{ applicationId }],
    });
    const other = await expectStatus(call("POST", "/EnterpriseUsers", { userName: "bob" }), 201);
    expect(await retrieve(world, String(other.id))).not.toHaveProperty("lastName");
  });

  requirement("scim.converters", "a request converter says whether the user is active", async () => {
    const { call, world } = await startDirectory(start, withRunner);
    await convert(world, "User", "Request", 'user.active = scimUser.title !== "Gone";');
    const id = await createUser(call, "ann", { title: "Gone" });
    expect((await retrieve(world, id)).active).toBe(false);
    await expectStatus(call("PATCH", `/Users/${id}`, patchOf({ op: "replace", value: { title: "Back" } })), 200);
    expect((await retrieve(world, id)).active).toBe(true);
  });

  requirement("scim.converters", "a response converter of users changes what is shown, and not who it is", async () => {
    const { call, world } = await startDirectory(start, withRunner);
    await convert(
      world,
      "User",
      "Response",
      'scimUser.title = user.username + "!"; scimUser.id = "x"; scimUser.meta = {}; scimUser.schemas = []; scimUser.password = "secret"; scimUser.undeclared = 1;',
    );
    const created = await expectStatus(call("POST", "/Users", { userName: "ann" }), 201);
    expect(created).toMatchObject({
      schemas: [userSchema],
      title: "ann!",
      meta: { resourceType: "User", location: expect.stringContaining(String(created.id)) },
    });
    expect(created).not.toHaveProperty("password");
    expect(created).not.toHaveProperty("undeclared");
    const list = await expectStatus(call("GET", "/Users"), 200);
    expect(list.Resources).toEqual([created]);
    expect(await expectStatus(call("GET", `/EnterpriseUsers/${created.id}`), 200)).not.toHaveProperty("title");
    expect(await retrieve(world, String(created.id))).not.toHaveProperty("data.scim.title");
  });

  requirement("scim.converters", "converters of enterprise users run at /EnterpriseUsers", async () => {
    const { call, world } = await startDirectory(start, withRunner);
    await convert(world, "EnterpriseUser", "Request", 'user.firstName = "In";');
    await convert(world, "EnterpriseUser", "Response", `scimUser["${enterpriseSchema}"] = { department: user.firstName };`);
    const { id, ...shown } = await expectStatus(call("POST", "/EnterpriseUsers", { userName: "ann" }), 201);
    expect(shown).toMatchObject({ name: { givenName: "In" }, [enterpriseSchema]: { department: "In" } });
    expect(await expectStatus(call("GET", `/Users/${id}`), 200)).not.toHaveProperty(enterpriseSchema);
  });

  requirement("scim.converters", "a request converter of groups changes the group, its members and its roles", async () => {
    const { call, world } = await startDirectory(start, withRunner);
    const roleId = "00000000-0000-4000-8000-000000000701";
    expectOk(
      await world.caller.post("/api/application", { application: { name: "Shop", roles: [{ id: roleId, name: "buyer" }] } }),
    );
    const users = [await createUser(call, "ann"), await createUser(call, "bob")];
    await convert(
      world,
      "Group",
      "Request",
      `group.name = "The " + scimGroup.displayName; members.pop(); options.roleIds = ["${roleId}"];`,
    );
    const id = await createGroup(call, "Crew", users);
    expect(await membersOf(call, id)).toEqual([users[0]]);
    const group = expectOk(await world.caller.get(`/api/group/${id}`));
    expect([group.textAt("group.name"), JSON.stringify(group.at("group.roles"))]).toEqual([
      "The Crew",
      expect.stringContaining(roleId),
    ]);
    await expectStatus(
      call("PATCH", `/Groups/${id}`, patchOf({ op: "add", path: "members", value: [{ value: users[1] }] })),
      204,
    );
    expect((await membersOf(call, id)).length).toBe(1);
  });

  requirement("scim.converters", "a response converter of groups changes what is shown", async () => {
    const { call, world } = await startDirectory(start, withRunner);
    const ann = await createUser(call, "ann");
    await convert(
      world,
      "Group",
      "Response",
      'scimGroup.displayName = group.name + members.length; scimGroup.id = "x"; scimGroup.meta = 1;',
    );
    const id = await createGroup(call, "Crew", [ann]);
    const shown = await expectStatus(call("GET", `/Groups/${id}`), 200);
    expect(shown).toMatchObject({ id, displayName: "Crew1", meta: { resourceType: "Group" }, members: [{ value: ann }] });
  });

  describe("output that is no record is refused, and nothing is written", () => {
    requirement("scim.converters-checked", "of request converters of users", async () => {
      const directory = await startDirectory(start, withRunner);
      const id = await createUser(directory.call, "bob");
      for (const statements of garbageOfUsers) {
        await convert(directory.world, "User", "Request", statements);
        const isCreate = statements.includes("applicationId");
        if (!isCreate) await expectNoWrite(directory, "/Users", [{ userName: "ann" }, { userName: "bob", title: "x" }], id);
        else
          expect([statements, ...(await refusalOf(directory.call("POST", "/Users", { userName: "ann" })))]).toEqual([
            statements,
            400,
            "invalidValue",
          ]);
      }
    });

    requirement("scim.converters-checked", "of request converters of groups", async () => {
      const directory = await startDirectory(start, withRunner);
      const members = [{ value: await createUser(directory.call, "bob") }];
      const id = await createGroup(directory.call, "Staff");
      for (const statements of garbageOfGroups) {
        await convert(directory.world, "Group", "Request", statements);
        const isOfMembers = statements.includes("members");
        if (!isOfMembers)
          await expectNoWrite(
            directory,
            "/Groups",
            [
              { displayName: "Crew", members },
              { displayName: "Staff", externalId: "x", members },
            ],
            id,
          );
        else
          expect([statements, ...(await refusalOf(directory.call("POST", "/Groups", { displayName: "Crew", members })))]).toEqual(
            [statements, 400, "invalidValue"],
          );
      }
    });

    requirement("scim.converters-checked", "of response converters", async () => {
      const directory = await startDirectory(start, withRunner);
      const [user, group] = [await createUser(directory.call, "bob"), await createGroup(directory.call, "Staff")];
      for (const statements of garbageOfResources) {
        await convert(directory.world, "User", "Response", statements.replaceAll("x.", "scimUser."));
        await convert(directory.world, "Group", "Response", statements.replaceAll("x.", "scimGroup."));
        await expectNoWrite(directory, "/Users", [{ userName: "ann" }, { userName: "bob", title: "x" }], user);
        if (/members|displayName|throw/.test(statements))
          await expectNoWrite(directory, "/Groups", [{ displayName: "Crew" }, { displayName: "Staff", externalId: "x" }], group);
      }
    });
  });

  describe("a converter that fails refuses the request", () => {
    for (const { name, options, spoil, statements } of failings)
      requirement("scim.converters-checked", `one that ${name}`, async () => {
        for (const direction of ["Request", "Response"] as const) {
          const directory = await startDirectory(start, options);
          const id = await createUser(directory.call, "bob");
          const lambdaId = await convert(directory.world, "User", direction, statements);
          await spoil?.(directory.world, lambdaId);
          await expectNoWrite(directory, "/Users", [{ userName: "ann" }, { userName: "bob", title: "x" }], id);
        }
      });
  });
});
