import { describe, expect } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeApplication, makeGroup, makeUser } from "../support/families.js";
import { embeddedPostgres } from "../support/postgres-worlds.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, makeTenant, readEvents, uuid } from "../support/world.js";

const editor = uuid(900);
const viewer = uuid(901);

forEachStorage((start) => {
  describe("making a group", () => {
    requirement(["group.create", "group.fields"], "shows exactly the fields of the reference", async () => {
      const { caller, clock, defaultTenantId } = await start();
      const answer = expectOk(await caller.post(`/api/group/${uuid(1)}`, { group: { name: "Editors", data: { a: [1] } } }));
      expect(answer.body).toEqual({
        group: {
          id: uuid(1),
          name: "Editors",
          data: { a: [1] },
          roles: {},
          tenantId: defaultTenantId,
          insertInstant: clock.instant,
          lastUpdateInstant: clock.instant,
        },
      });
      expect((await caller.get(`/api/group/${uuid(1)}`)).text).toBe(answer.text);
    });

    requirement("group.name-required", "refuses an absent, null, empty or blank name with [blank]group.name", async () => {
      const { caller } = await start();
      for (const group of [{}, { name: null }, { name: "" }, { name: " \t\n" }])
        expectRefusal(await caller.post("/api/group", { group }), 400, "[blank]group.name");
    });

    requirement("group.missing", "refuses a body without a group with [missing]group", async () => {
      const { caller } = await start();
      for (const body of [undefined, {}, { group: null }, { roleIds: [] }])
        expectRefusal(await caller.post("/api/group", body), 400, "[missing]group");
    });

    requirement("record.name-length", "takes a name of 191 characters and refuses one of 192 with [tooLong]", async () => {
      const { caller } = await start();
      expectOk(await caller.post("/api/group", { group: { name: "n".repeat(191) } }));
      expectRefusal(await caller.post("/api/group", { group: { name: "n".repeat(192) } }), 400, "[tooLong]group.name");
    });

    requirement(["group.name-unique-per-tenant", "record.name-folding"], "refuses a taken name in any case", async () => {
      const { caller } = await start();
      for (const name of ["Editors", "ÄRZTE", "Σίσυφος"]) expectOk(await caller.post("/api/group", { group: { name } }));
      for (const name of ["editors", "EDITORS", "ärzte", "σίσυφοσ"])
        expectRefusal(await caller.post("/api/group", { group: { name } }), 400, "[duplicate]group.name");
      expectOk(await caller.post("/api/group", { group: { name: "Arzte" } }));
    });

    requirement("group.name-unique-per-tenant", "takes the same name in another tenant", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      await makeGroup(world, world.defaultTenantId, "Editors");
      await makeGroup(world, other, "Editors");
    });

    requirement("group.name-unique-per-tenant", "refuses a taken name on PUT and PATCH, but not the group's own", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      await makeGroup(world, defaultTenantId, "Editors");
      const id = await makeGroup(world, defaultTenantId, "Viewers");
      const taken = { group: { name: "editors" } };
      expectRefusal(await caller.put(`/api/group/${id}`, taken), 400, "[duplicate]group.name");
      expectRefusal(await caller.patch(`/api/group/${id}`, taken), 400, "[duplicate]group.name");
      expectOk(await caller.put(`/api/group/${id}`, { group: { name: "VIEWERS" } }));
    });

    requirement("group.data", "keeps any JSON object as data, and refuses anything else", async () => {
      const { caller } = await start();
      const data = { n: 1.5, t: true, s: "ü🙂", o: { deep: [{ x: null }, [], {}] }, constructor: "c", "": "empty" };
      const kept = { ...data, o: { deep: [{}, [], {}] } };
      const { group } = expectOk(await caller.post("/api/group", { group: { name: "A", data } })).body as never as {
        group: { data: object };
      };
      expect(group.data).toEqual(kept);
      for (const wrong of [[], "x", 1, true])
        expectRefusal(await caller.post("/api/group", { group: { name: "B", data: wrong } }), 400, "[invalidJSON]group.data");
    });
  });

  describe("the roles of a group", () => {
    requirement("group.roles", "are shown by application, each in full, in order of name", async () => {
      const world = await start();
      const { caller, clock, defaultTenantId } = world;
      const roles = [{ name: "viewer", description: "sees", isDefault: true }, { name: "editor" }];
      const applicationId = await makeApplication(world, defaultTenantId, "Forum", roles);
      const id = await makeGroup(world, defaultTenantId, "Editors", [uuid(900), uuid(901)]);
      const instants = { insertInstant: clock.instant, lastUpdateInstant: clock.instant };
      expect((await caller.get(`/api/group/${id}`)).at("group.roles")).toEqual({
        [applicationId]: [
          { id: uuid(901), name: "editor", isDefault: false, isSuperRole: false, ...instants },
          { id: uuid(900), name: "viewer", description: "sees", isDefault: true, isSuperRole: false, ...instants },
        ],
      });
    });

    requirement("group.roles-mixed", "may be of several applications of the tenant", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      const forum = await makeApplication(world, defaultTenantId, "Forum", [{ name: "editor" }]);
      const shop = await makeApplication(world, defaultTenantId, "Shop", [{ id: viewer, name: "viewer" }]);
      const id = await makeGroup(world, defaultTenantId, "Editors", [editor, viewer, editor]);
      const shown = (await caller.get(`/api/group/${id}`)).at("group.roles") as Record<string, unknown[]>;
      expect(Object.keys(shown).sort()).toEqual([forum, shop].sort());
      expect(Object.values(shown).map((roles) => roles.length)).toEqual([1, 1]);
    });

    requirement("group.roles-mixed", "are refused when unknown or of another tenant", async () => {
      const world = await start();
      const other = await makeTenant(world, "Other");
      await makeApplication(world, other, "Forum", [{ name: "editor" }]);
      const caller = world.caller.inTenant(world.defaultTenantId);
      for (const roleId of [editor, uuid(7)])
        expectRefusal(await caller.post("/api/group", { group: { name: "A" }, roleIds: [roleId] }), 400, "[invalid]roleIds");
      expect((await caller.get("/api/group")).at("groups")).toEqual([]);
    });

    requirement("errors.paths", "are refused by their index when they are no ids", async () => {
      const { caller } = await start();
      const body = { group: { name: "A" }, roleIds: [uuid(1), "no", 3] };
      expectRefusal(await caller.post("/api/group", body), 400, "[couldNotConvert]roleIds[1]", "[invalidJSON]roleIds[2]");
      expectRefusal(await caller.post("/api/group", { ...body, roleIds: "x" }), 400, "[invalidJSON]roleIds");
    });

    requirement("group.put-clears-roles", "are cleared by PUT without roleIds", async () => {
      const world = await start();
      await makeApplication(world, world.defaultTenantId, "Forum", [{ name: "editor" }]);
      const id = await makeGroup(world, world.defaultTenantId, "Editors", [editor]);
      const answer = expectOk(await world.caller.put(`/api/group/${id}`, { group: { name: "Editors" } }));
      expect(answer.at("group.roles")).toEqual({});
      expect((await world.caller.get(`/api/group/${id}`)).at("group.roles")).toEqual({});
    });

    requirement(["group.patch-roles", "patch.sets"], "are appended, replaced and edited by the three patches", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      const roles = [{ name: "editor" }, { name: "viewer" }, { name: "writer" }];
      const applicationId = await makeApplication(world, defaultTenantId, "Forum", roles);
      const path = `/api/group/${await makeGroup(world, defaultTenantId, "Editors", [editor])}`;
      const namesAfter = async (): Promise<unknown[]> => (await caller.get(path)).each(`group.roles.${applicationId}`, "name");
      expectOk(await caller.patch(path, { roleIds: [editor, viewer] }));
      expect(await namesAfter()).toEqual(["editor", "viewer"]);
      expectOk(await caller.patch(path, { group: { data: { a: 1 } } }));
      expect(await namesAfter()).toEqual(["editor", "viewer"]);
      expectOk(await caller.mergePatch(path, { roleIds: [uuid(902)] }));
      expect(await namesAfter()).toEqual(["writer"]);
      expectOk(await caller.jsonPatch(path, [{ op: "add", path: "/roleIds/-", value: editor }]));
      expect(await namesAfter()).toEqual(["editor", "writer"]);
      expectOk(await caller.patch(path, { roleIds: null }));
      expect((await caller.get(path)).at("group.roles")).toEqual({});
      expectRefusal(await caller.patch(path, { roleIds: [uuid(7)] }), 400, "[invalid]roleIds");
    });

    requirement("roles.removed", "go when the role goes, or its application", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      const applicationId = await makeApplication(world, defaultTenantId, "Forum", [{ name: "editor" }, { name: "viewer" }]);
      const path = `/api/group/${await makeGroup(world, defaultTenantId, "Editors", [editor, viewer])}`;
      expectOk(await caller.delete(`/api/application/${applicationId}/role/${editor}`));
      expect((await caller.get(path)).each(`group.roles.${applicationId}`, "name")).toEqual(["viewer"]);
      expectOk(await caller.delete(`/api/application/${applicationId}?hardDelete=true`));
      expect((await caller.get(path)).at("group.roles")).toEqual({});
      expectOk(await caller.patch(path, { group: { name: "Still" } }));
    });
  });

  describe("lists, removal and events of groups", () => {
    requirement("group.list", "lists all groups in order of name, or none", async () => {
      const world = await start();
      expect((await world.caller.get("/api/group")).body).toEqual({ groups: [] });
      for (const name of ["beta", "Gamma", "Alpha"]) await makeGroup(world, world.defaultTenantId, name);
      expect((await world.caller.get("/api/group")).each("groups", "name")).toEqual(["Alpha", "beta", "Gamma"]);
    });

    requirement("group.delete", "removes a group with its memberships and leaves everything else", async () => {
      const world = await start();
      const { caller, defaultTenantId } = world;
      const userId = await makeUser(world, defaultTenantId, "a@example.com");
      const gone = await makeGroup(world, defaultTenantId, "Gone");
      const kept = await makeGroup(world, defaultTenantId, "Kept");
      expectOk(await caller.post("/api/group/member", { members: { [gone]: [{ userId }], [kept]: [{ userId }] } }));
      expectEmpty(await caller.delete(`/api/group/${gone}`), 200);
      expectEmpty(await caller.get(`/api/group/${gone}`), 404);
      expect((await caller.get("/api/group/member/search")).each("members", "groupId")).toEqual([kept]);
      expect((await caller.get(`/api/user/${userId}`)).each("user.memberships", "groupId")).toEqual([kept]);
    });

    requirement("group.events", "publishes each change with the group as the wire shows it", async () => {
      const world = await start();
      const { caller, defaultTenantId, storage } = world;
      await makeApplication(world, defaultTenantId, "Forum", [{ name: "editor" }]);
      const id = await makeGroup(world, defaultTenantId, "Editors", [editor]);
      const before = (await caller.get(`/api/group/${id}`)).at("group");
      const after = expectOk(await caller.put(`/api/group/${id}`, { group: { name: "Writers" } })).at("group");
      expectOk(await caller.delete(`/api/group/${id}`));
      const envelope = { tenantId: defaultTenantId, linkedObjectId: id, createInstant: world.clock.instant };
      for (const suffix of ["", ".complete"]) {
        expect(await readEvents(storage, `group.create${suffix}`)).toEqual([
          expect.objectContaining({ ...envelope, group: before }),
        ]);
        const updated = await readEvents(storage, `group.update${suffix}`);
        expect(updated).toEqual([expect.objectContaining({ ...envelope, group: after, original: before })]);
        expect(await readEvents(storage, `group.delete${suffix}`)).toEqual([
          expect.objectContaining({ ...envelope, group: after }),
        ]);
      }
    });
  });
}, embeddedPostgres());
