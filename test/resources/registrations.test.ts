import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication, makeUser } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, readEvents, type Start, uuid, type World } from "../support/world.js";

const path = "/api/user/registration";

interface Forum {
  readonly world: World;
  readonly applicationId: string;
  readonly userId: string;
  /** The path of the registration. */
  readonly own: string;
}

async function startForum(start: Start): Promise<Forum> {
  const world = await start();
  const roles = [{ name: "Editor" }, { name: "viewer", isDefault: true }, { name: "reader", isDefault: true }];
  const applicationId = await makeApplication(world, world.defaultTenantId, "Forum", roles);
  const userId = await makeUser(world, world.defaultTenantId, "a@example.com");
  return { world, applicationId, userId, own: `${path}/${userId}/${applicationId}` };
}

forEachStorage((start) => {
  describe("registering a user", () => {
    requirement(["registration.create", "registration.fields"], "shows the registration and the user", async () => {
      const { world, applicationId, userId, own } = await startForum(start);
      const { instant } = world.clock;
      const fields = {
        applicationId,
        data: { a: [1] },
        preferredLanguages: ["en"],
        roles: ["Editor"],
        timezone: "UTC",
        username: "annie",
      };
      const made = expectOk(
        await world.caller.post(`${path}/${userId}`, { registration: { ...fields, verified: false, tokens: { a: "b" } } }),
      );
      const registration = {
        ...fields,
        id: expect.any(String),
        insertInstant: instant,
        lastUpdateInstant: instant,
        tokens: {},
        usernameStatus: "ACTIVE",
        verified: false,
        verifiedReason: "Pending",
      };
      expect(made.at("registration")).toEqual(registration);
      expect(made.at("user")).toMatchObject({ id: userId, registrations: [registration] });
      expect((await world.caller.get(own)).body).toEqual({ registration: made.at("registration") });
      expect((await world.caller.get(`/api/user/${userId}`)).at("user")).toEqual(made.at("user"));
    });

    requirement("registration.create", "makes the user along when the body brings one", async () => {
      const { world, applicationId } = await startForum(start);
      const user = { email: "new@example.com", password: "long enough" };
      const fresh = expectOk(await world.caller.post(path, { registration: { applicationId }, user }));
      expectOk(await world.caller.get(`${path}/${fresh.textAt("user.id")}/${applicationId}`));
      expect(fresh.text).not.toContain("long enough");
      const chosen = await world.caller.post(`${path}/${uuid(5)}`, {
        registration: { applicationId },
        user: { username: "chosen" },
      });
      expect(expectOk(chosen).at("user")).toMatchObject({ id: uuid(5), username: "chosen" });
    });

    requirement("registration.create", "leaves a user who is there already as it is", async () => {
      const { world, applicationId, userId } = await startForum(start);
      const answer = expectOk(
        await world.caller.post(`${path}/${userId}`, { registration: { applicationId }, user: { email: "other@example.com" } }),
      );
      expect(answer.at("user.email")).toBe("a@example.com");
    });

    requirement(["registration.create", "errors.nothing-half-done"], "makes neither when one of the two is refused", async () => {
      const { world, applicationId } = await startForum(start);
      const before = (await world.caller.get("/api/user/search")).text;
      const user = { email: "new@example.com" };
      const unknownRole = await world.caller.post(path, { registration: { applicationId, roles: ["pope"] }, user });
      expectRefusal(unknownRole, 400, "[invalid]registration.roles");
      const takenEmail = await world.caller.post(path, { registration: { applicationId }, user: { email: "A@example.com" } });
      expectRefusal(takenEmail, 400, "[duplicate]user.email");
      const wrong = await world.caller.post(path, { registration: { applicationId, data: 7 }, user: { email: "x" } });
      expectRefusal(wrong, 400, "[invalidJSON]registration.data", "[notEmail]user.email");
      expect((await world.caller.get("/api/user/search")).text).toBe(before);
    });

    requirement("registration.application", "needs an application of the user's tenant", async () => {
      const { world, userId } = await startForum(start);
      const foreign = await makeApplication(world, await makeTenant(world, "Other"), "Foreign");
      const post = (registration: object): ReturnType<typeof world.caller.post> =>
        world.caller.post(`${path}/${userId}`, { registration });
      expectRefusal(await post({}), 400, "[missing]registration.applicationId");
      expectRefusal(await post({ applicationId: "x" }), 400, "[couldNotConvert]registration.applicationId");
      for (const applicationId of [foreign, uuid(99)])
        expectRefusal(await post({ applicationId }), 400, "[invalid]registration.applicationId");
    });

    requirement("registration.user", "needs a user who is there or comes along", async () => {
      const { world, applicationId } = await startForum(start);
      expectRefusal(await world.caller.post(path, { registration: { applicationId } }), 400, "[missing]userId");
      expectRefusal(await world.caller.post(`${path}/${uuid(99)}`, { registration: { applicationId } }), 400, "[invalid]userId");
      expectRefusal(await world.caller.post(`${path}/x`, { registration: { applicationId } }), 400, "[couldNotConvert]userId");
    });

    requirement(["registration.create", "tenant-scope.inferred"], "makes the user in the tenant of the application", async () => {
      const { world } = await startForum(start);
      const other = await makeTenant(world, "Other");
      const applicationId = await makeApplication(world, other, "Shop");
      const user = { email: "new@example.com" };
      const made = expectOk(await world.caller.post(path, { registration: { applicationId }, user }));
      expect(made.at("user.tenantId")).toBe(other);
      const stranger = world.caller.inTenant(world.defaultTenantId);
      const refused = await stranger.post(path, { registration: { applicationId }, user: { email: "b@example.com" } });
      expectRefusal(refused, 400, "[invalid]registration.applicationId");
    });

    requirement("registration.unique", "works once for each user and application", async () => {
      const { world, applicationId, userId } = await startForum(start);
      expectOk(await world.caller.post(`${path}/${userId}`, { registration: { applicationId } }));
      expectRefusal(
        await world.caller.post(`${path}/${userId}`, { registration: { applicationId } }),
        400,
        "[duplicate]registration",
      );
      const shop = await makeApplication(world, world.defaultTenantId, "Shop", [{ id: uuid(5), name: "x" }]);
      expectOk(await world.caller.post(`${path}/${userId}`, { registration: { applicationId: shop } }));
    });
  });

  describe("the roles of a registration", () => {
    requirement("registration.roles", "are found in any case, shown as the application spells them, once each", async () => {
      const { world, applicationId, userId, own } = await startForum(start);
      const registration = { applicationId, roles: ["EDITOR", "editor", "Viewer"] };
      expect(expectOk(await world.caller.post(`${path}/${userId}`, { registration })).at("registration.roles")).toEqual([
        "Editor",
        "viewer",
      ]);
      const appended = await world.caller.patch(own, { registration: { roles: ["READER", "VIEWER"] } });
      expect(expectOk(appended).at("registration.roles")).toEqual(["Editor", "viewer", "reader"]);
      for (const roles of [["pope"], ["Editor", "pope"], [""]])
        expectRefusal(await world.caller.put(own, { registration: { roles } }), 400, "[invalid]registration.roles");
      expectRefusal(await world.caller.put(own, { registration: { roles: [7] } }), 400, "[invalidJSON]registration.roles[0]");
    });

    requirement("registration.default-roles", "are the default ones when none are named at registration", async () => {
      const { world, applicationId, userId } = await startForum(start);
      for (const [index, roles] of [undefined, null, []].entries()) {
        const body = { registration: { applicationId, roles }, user: { username: `u${index}` } };
        const answer = expectOk(await world.caller.post(path, body));
        expect((answer.at("registration.roles") as string[]).sort()).toEqual(["reader", "viewer"]);
      }
      const named = await world.caller.post(`${path}/${userId}`, { registration: { applicationId, roles: ["Editor"] } });
      expect(expectOk(named).at("registration.roles")).toEqual(["Editor"]);
    });

    requirement(
      ["registration.default-roles", "patch.defaults"],
      "can be taken away and do not come back by themselves",
      async () => {
        const { world, applicationId, userId, own } = await startForum(start);
        const rolesAfter = async (change: ReturnType<typeof world.caller.put>): Promise<unknown> =>
          expectOk(await change).at("registration.roles");
        expectOk(await world.caller.post(`${path}/${userId}`, { registration: { applicationId } }));
        expect(await rolesAfter(world.caller.mergePatch(own, { registration: { roles: [] } }))).toEqual([]);
        expect(await rolesAfter(world.caller.patch(own, { registration: { data: { a: 1 } } }))).toEqual([]);
        expect(await rolesAfter(world.caller.put(own, { registration: {} }))).toEqual([]);
      },
    );
  });

  describe("changing a registration", () => {
    requirement("registration.application", "takes the application of PUT from the path or the body", async () => {
      const { world, applicationId, userId, own } = await startForum(start);
      expectOk(await world.caller.post(`${path}/${userId}`, { registration: { applicationId } }));
      const inBody = await world.caller.put(`${path}/${userId}`, { registration: { applicationId, timezone: "UTC" } });
      expect(expectOk(inBody).at("registration.timezone")).toBe("UTC");
      const other = await world.caller.put(own, { registration: { applicationId: uuid(99) } });
      expect(expectOk(other).at("registration.applicationId")).toBe(applicationId);
      for (const call of [world.caller.patch, world.caller.delete])
        expectRefusal(await call.call(world.caller, `${path}/${userId}`, {}), 400, "[missing]applicationId");
      expectRefusal(await world.caller.put(`${path}/${userId}`, { registration: {} }), 400, "[missing]applicationId");
      expectRefusal(await world.caller.get(`${path}/${userId}`), 400, "[missing]applicationId");
      expectEmpty(await world.caller.get(`${path}/${userId}/${uuid(99)}`), 404);
    });

    requirement("registration.events", "publishes each change with the user", async () => {
      const { world, applicationId, userId, own } = await startForum(start);
      expectOk(await world.caller.post(`${path}/${userId}`, { registration: { applicationId } }));
      const before = (await world.caller.get(own)).at("registration");
      const after = expectOk(await world.caller.patch(own, { registration: { timezone: "UTC" } })).at("registration");
      expectEmpty(await world.caller.delete(own), 200);
      const common = {
        tenantId: world.defaultTenantId,
        linkedObjectId: userId,
        applicationId,
        user: expect.objectContaining({ id: userId, registrations: [expect.objectContaining({ applicationId })] }),
      };
      for (const suffix of ["", ".complete"]) {
        const eventOf = async (verb: string): Promise<unknown> =>
          (await readEvents(world.storage, `user.registration.${verb}${suffix}`))[0];
        expect(await eventOf("create")).toMatchObject({ ...common, registration: before });
        expect(await eventOf("update")).toMatchObject({ ...common, registration: after, original: before });
        expect(await eventOf("delete")).toMatchObject({ ...common, registration: after });
      }
    });
  });
});
