// What converter lambdas leave behind is checked as a request is, and a converter that fails refuses the request.
import { describe, expect } from "vitest";
import { failings, withRunner } from "../../support/lambda-places.js";
import { requirement } from "../../support/requirement.js";
import { forEachStorage, readEvents, type World } from "../../support/world.js";
import { convert } from "../support/converters.js";
import { createGroup, createUser, type Directory, patchOf, refusalOf, startDirectory } from "../support/directory.js";

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
  `user.data = JSON.parse('{"__proto__":{"x":1}}')`,
  "user.data = { text: String.fromCharCode(0) }",
  "user.data = { text: 'x'.repeat(2e6) }",
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
