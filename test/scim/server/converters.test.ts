// The four converter lambdas at their trigger points.
import { expect } from "vitest";
import { expectOk } from "../../support/answer.js";
import { makeApplication } from "../../support/families.js";
import { withRunner } from "../../support/lambda-places.js";
import { requirement } from "../../support/requirement.js";
import { forEachStorage, type World } from "../../support/world.js";
import { convert } from "../support/converters.js";
import {
  createGroup,
  createUser,
  enterpriseSchema,
  expectStatus,
  membersOf,
  patchOf,
  startDirectory,
  userSchema,
} from "../support/directory.js";

const retrieve = async ({ caller }: World, id: string) =>
  expectOk(await caller.get(`/api/user/${id}`)).at("user") as Record<string, unknown>;

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
    // The preview of a change is one of this group, whose id and name are taken.
    const replaced = await expectStatus(call("PUT", `/Groups/${id}`, { displayName: "Crew", members: [] }), 200);
    expect(replaced).toMatchObject({ id, displayName: "Crew0" });
  });
});
