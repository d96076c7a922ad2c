import { expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { applicationId, countUsers, importUsers, logInto, makeShop } from "../support/bulk-users.js";
import { makeGroup } from "../support/families.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { isLong } from "../support/properties.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, readEvents, uuid } from "../support/world.js";

forEachStorage(
  (start) => {
    requirement("users.import", "an import stores users with registrations, memberships and passwords; empty 200", async () => {
      const world = await start();
      await makeShop(world);
      const groupId = await makeGroup(world, world.defaultTenantId, "Buyers");
      const registration = { applicationId, roles: ["seller"], username: "shopper", insertInstant: 5 };
      const ada = {
        id: uuid(1),
        email: "ADA@example.com",
        username: "Ada",
        active: true,
        password: "correct horse",
        insertInstant: 4,
        lastLoginInstant: 6,
        data: { plan: "gold" },
        registrations: [registration],
        memberships: [{ groupId, data: { seat: 1 } }],
      };
      expectEmpty(await importUsers(world, [ada, { username: "bob" }]), 200);
      const user = expectOk(await world.caller.get(`/api/user/${uuid(1)}`)).at("user");
      expect(user).toMatchObject({
        ...{ active: true, email: "ada@example.com", insertInstant: 4, lastLoginInstant: 6, username: "Ada", verified: true },
        data: { plan: "gold" },
        registrations: [{ applicationId, roles: ["Seller"], username: "shopper", insertInstant: 5 }],
        memberships: [{ groupId, data: { seat: 1 } }],
        identities: [{ type: "email", insertInstant: 4 }, { type: "username" }],
      });
      expectOk(await logInto(world, "ada@example.com", "correct horse"));
      const bob = expectOk(await world.caller.get("/api/user?username=bob"));
      expect(bob.at("user")).toMatchObject({ active: false, registrations: [] });
      // Default roles where none are named.
      expectEmpty(await importUsers(world, [{ email: "c@example.com", registrations: [{ applicationId }] }]), 200);
      const carol = expectOk(await world.caller.get("/api/user?email=c@example.com"));
      expect(carol.at("user.registrations.0.roles")).toEqual(["buyer"]);
    });

    requirement(
      "users.import-event",
      "an import publishes user.bulk.create once for the users of a tenant, and no other event",
      async () => {
        const world = await start();
        await makeShop(world);
        await importUsers(world, [
          { email: "a@example.com", password: "correct horse", registrations: [{ applicationId }] },
          { email: "b@example.com" },
        ]);
        const [event, ...others] = (await readEvents(world.storage)).filter(({ type }) => type.startsWith("user."));
        expect(others).toEqual([]);
        expect(event).toMatchObject({
          type: "user.bulk.create",
          tenantId: world.defaultTenantId,
          users: [
            { email: "a@example.com", registrations: [{ applicationId }] },
            { email: "b@example.com", registrations: [] },
          ],
        });
        expect(JSON.stringify(event)).not.toContain("argon2");
      },
    );

    requirement(
      "users.import-duplicates",
      "a duplicate in the body or in the storage is 400, names the values and stores nothing",
      async () => {
        const world = await start();
        expectEmpty(await importUsers(world, [{ id: uuid(1), email: "a@example.com", username: "ann" }]), 200);
        const twice = await importUsers(world, [
          { email: "b@example.com" },
          { email: "B@example.com" },
          { username: "x" },
          { username: "X" },
        ]);
        expectRefusal(twice, 400, "[duplicate]users[1].email", "[duplicate]users[3].username");
        const taken = await importUsers(world, [
          { email: "new@example.com" },
          { id: uuid(1), email: "A@example.com", username: "ANN" },
        ]);
        expectRefusal(taken, 400, "[duplicate]users[1].id", "[duplicate]users[1].email", "[duplicate]users[1].username");
        expect(taken.text).toContain("[a@example.com]");
        expect(await countUsers(world)).toBe(1);
      },
    );

    requirement(
      "users.import-tenants",
      "users go to the tenant of the caller, else to the one that they name; the same email in two",
      async () => {
        const world = await start();
        const other = await makeTenant(world, "Other");
        expect((await importUsers(world, [{ email: "a@example.com" }])).status).toBe(400);
        const users = [world.defaultTenantId, other].map((tenantId) => ({ email: "a@example.com", tenantId }));
        expectEmpty(await importUsers(world, users), 200);
        expect(await countUsers(world)).toBe(2);
        // A bound caller's users are its own, so that two of them meet.
        const bound = await world.caller
          .inTenant(other)
          .post("/api/user/import", { users: users.map((user) => ({ ...user, email: "b@example.com" })) });
        expectRefusal(bound, 400, "[duplicate]users[1].email");
        const stranger = await importUsers(world, [{ email: "c@example.com", tenantId: uuid(99) }]);
        expectRefusal(stranger, 400, "[invalid]users[0].tenantId");
      },
    );

    requirement(
      "users.import-references",
      "unknown and other tenants' applications, roles and groups are 400, all at once",
      async () => {
        const world = await start();
        await makeShop(world);
        const other = await makeTenant(world, "Other");
        const groupId = expectOk(await world.caller.inTenant(other).post("/api/group", { group: { name: "Theirs" } })).textAt(
          "group.id",
        );
        const tenantId = world.defaultTenantId;
        const answer = await importUsers(world, [
          { username: "ok", tenantId },
          { username: "a", tenantId: other, registrations: [{ applicationId }] },
          {
            username: "b",
            tenantId,
            registrations: [{ applicationId, roles: ["none"] }, { applicationId }, { applicationId: uuid(9) }],
          },
          { username: "c", tenantId, memberships: [{ groupId }] },
        ]);
        expectRefusal(
          answer,
          400,
          "[invalid]users[1].registrations[0].applicationId",
          "[invalid]users[2].registrations[0].roles",
          "[duplicate]users[2].registrations[1].applicationId",
          "[invalid]users[2].registrations[2].applicationId",
          "[invalid]users[3].memberships[0].groupId",
        );
        expect(await countUsers(world)).toBe(0);
      },
    );

    requirement("users.import-size", "an import has a limit of its own, and each of its users that of a body", async () => {
      const world = await start({ maxBodyBytes: 200_000, maxImportBytes: 1_000_000 });
      const many = (count: number, length: number): object[] =>
        Array.from({ length: count }, (_, index) => ({ username: `user${index}`, data: { text: "x".repeat(length) } }));
      expectEmpty(await importUsers(world, many(30, 20_000)), 200);
      expect((await importUsers(world, many(60, 20_000))).status).toBe(413);
      expectRefusal(await importUsers(world, many(1, 250_000)), 400, "[tooLong]users[0]");
      const groupId = await makeGroup(world, world.defaultTenantId, "Group");
      const user = expectOk(await world.caller.get("/api/user?username=user0")).textAt("user.id");
      const members = { [groupId]: [{ userId: user, data: { text: "x".repeat(250_000) } }] };
      expectRefusal(await world.caller.post("/api/group/member", { members }), 400, `[tooLong]members[${groupId}]`);
      expect((await world.caller.post("/api/user", { user: many(1, 250_000)[0] })).status).toBe(413);
    });

    requirement(
      "users.import",
      "an import of thousands of users is one transaction, and a dry run of it stores nothing",
      async () => {
        const world = await start();
        const users = Array.from({ length: 2_500 }, (_, index) => ({ username: `user${index}` }));
        expectEmpty(await world.caller.post("/api/user/import?dryRun=true", { users }), 200);
        expect(await countUsers(world)).toBe(0);
        expectRefusal(await importUsers(world, [...users, { username: "USER7" }]), 400, "[duplicate]users[2500].username");
        expectEmpty(await importUsers(world, users), 200);
        expect(await countUsers(world)).toBe(2_500);
        const last = await importUsers(world, [
          ...users.map((_, index) => ({ username: `other${index}` })),
          { username: "USER7" },
        ]);
        expectRefusal(last, 400, "[duplicate]users[2500].username");
        expect(await countUsers(world)).toBe(2_500);
      },
    );
  },
  isLong ? embeddedPostgres() : [],
);
