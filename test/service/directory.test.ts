import type { Kysely } from "kysely";
import { createIdentityService } from "latchkey";
import type { Directory, DirectoryContext, DirectoryRole, DirectoryUser } from "latchkey/ports";
import { sqliteStorage } from "latchkey/sqlite";
import { describe, expect, onTestFinished } from "vitest";
import { expectEmpty, expectOk, expectRefusal } from "../support/answer.js";
import { makeGroup } from "../support/families.js";
import { requirement } from "../support/requirement.js";
import { forEachStorage, type Start, testSecret, uuid, type World } from "../support/world.js";

const [app, ann, bob, stranger] = [uuid(1), uuid(11), uuid(12), uuid(13)];
const [editor, viewer] = [uuid(21), uuid(22)];

/** People and roles that a host keeps itself. */
interface HostData {
  tenantId: string;
  readonly asked: DirectoryContext[];
}

function isVisible(context: DirectoryContext, tenantId: string): boolean {
  return context.scope.kind === "global" || context.scope.tenantId === tenantId;
}

function hostDirectory(data: HostData): Directory {
  const users = (): DirectoryUser[] =>
    [ann, bob].map((id) => ({ id, tenantId: data.tenantId })).concat({ id: stranger, tenantId: uuid(99) });
  const roles = (): DirectoryRole[] => [
    { id: editor, applicationId: app, tenantId: data.tenantId, name: "Editor", isSuperRole: true },
    { id: viewer, applicationId: app, tenantId: data.tenantId, name: "viewer" },
  ];
  const visible = <T extends { readonly tenantId: string }>(context: DirectoryContext, records: readonly T[]): T[] => {
    data.asked.push(context);
    return records.filter((record) => isVisible(context, record.tenantId));
  };
  return {
    findUsers: async (context, ids) => visible(context, users()).filter((user) => ids.includes(user.id)),
    findApplications: async (context) => visible(context, [{ id: app, tenantId: data.tenantId, name: "Forum" }]),
    findRoles: async (context, by) =>
      visible(context, roles()).filter((role) =>
        "roleIds" in by ? by.roleIds.includes(role.id) : by.applicationIds.includes(role.applicationId),
      ),
    findRegistrations: async (_context, ids) =>
      ids.includes(ann) ? [{ userId: ann, applicationId: app, roles: ["viewer"] }] : [],
  };
}

async function startWithHost(start: Start): Promise<{ world: World; data: HostData }> {
  const data: HostData = { tenantId: "", asked: [] };
  const world = await start({ directory: hostDirectory(data) });
  data.tenantId = world.defaultTenantId;
  return { world, data };
}

forEachStorage((start) => {
  describe("a host's own directory", () => {
    requirement(["service.directory", "group.roles"], "knows the roles that groups carry", async () => {
      const { world } = await startWithHost(start);
      const groupId = await makeGroup(world, world.defaultTenantId, "G", [viewer, editor]);
      const shown = (await world.caller.get(`/api/group/${groupId}`)).at("group.roles");
      const defaults = { isDefault: false, isSuperRole: false, insertInstant: 0, lastUpdateInstant: 0 };
      expect(shown).toEqual({
        [app]: [
          { ...defaults, id: editor, name: "Editor", isSuperRole: true },
          { ...defaults, id: viewer, name: "viewer" },
        ],
      });
      const unknown = await world.caller.post("/api/group", { group: { name: "H" }, roleIds: [uuid(98)] });
      expectRefusal(unknown, 400, "[invalid]roleIds");
    });

    requirement("service.directory", "knows who can be a member", async () => {
      const { world } = await startWithHost(start);
      const groupId = await makeGroup(world, world.defaultTenantId, "G");
      expectOk(await world.caller.post("/api/group/member", { members: { [groupId]: [{ userId: ann }, { userId: bob }] } }));
      for (const userId of [stranger, uuid(97)]) {
        const answer = await world.caller.post("/api/group/member", { members: { [groupId]: [{ userId }] } });
        expectRefusal(answer, 400, `[invalid]members[${groupId}][0].userId`);
      }
      expect((await world.caller.get(`/api/group/member/search?groupId=${groupId}`)).at("total")).toBe(2);
      expectEmpty(await world.caller.delete(`/api/group/member?groupId=${groupId}&userId=${ann}`), 200);
    });

    requirement(["service.directory", "roles.effective"], "knows the registrations that effective roles begin with", async () => {
      const { world } = await startWithHost(start);
      const groupId = await makeGroup(world, world.defaultTenantId, "G", [editor]);
      expectOk(await world.caller.post("/api/group/member", { members: { [groupId]: [{ userId: ann }, { userId: bob }] } }));
      expect(await world.identity.effectiveRoles({ userId: ann, applicationId: app })).toEqual(["Editor", "viewer"]);
      expect(await world.identity.effectiveRoles({ userId: bob, applicationId: app })).toEqual([]);
    });

    requirement("service.directory", "is asked within the tenant of the group", async () => {
      const { world, data } = await startWithHost(start);
      const groupId = await makeGroup(world, world.defaultTenantId, "G");
      data.asked.length = 0;
      expectOk(await world.caller.post("/api/group/member", { members: { [groupId]: [{ userId: ann }] } }));
      expect(data.asked.map((context) => context.scope)).toEqual([{ kind: "tenant", tenantId: world.defaultTenantId }]);
    });
  });
});

interface HostDatabase {
  readonly people: { readonly id: string };
}

describe("a host's directory in the same SQLite database", () => {
  requirement(["service.directory", "service.transaction"], "sees the host's rows of the running transaction", async () => {
    const storage = sqliteStorage<HostDatabase>({ filename: ":memory:" });
    let tenantId = "";
    const directory: Directory = {
      ...hostDirectory({ tenantId, asked: [] }),
      async findUsers(context, ids) {
        const db = context.native as Kysely<HostDatabase>;
        const rows = await db
          .selectFrom("people")
          .select("id")
          .where("id", "in", [...ids])
          .execute();
        return rows.map((row) => ({ id: row.id, tenantId }));
      },
    };
    const identity = await createIdentityService({ storage, directory, secret: testSecret });
    onTestFinished(() => identity.close());
    await identity.transaction(({ db }) => db.schema.createTable("people").addColumn("id", "text").execute());
    const { group } = await identity.groups.create({ group: { name: "G" } });
    tenantId = group.tenantId;
    const add = { members: { [group.id]: [{ userId: ann }] } };
    const lost = identity.transaction(async (tx) => {
      await expect(tx.groupMembers.add(add)).rejects.toMatchObject({ status: 400 });
      await tx.db.insertInto("people").values({ id: ann }).execute();
      expect((await tx.groupMembers.add(add)).members[group.id]).toHaveLength(1);
      throw new Error("Undone.");
    });
    await expect(lost).rejects.toThrow("Undone.");
    expect((await identity.groupMembers.search()).total).toBe(0);
    await expect(identity.groupMembers.add(add)).rejects.toMatchObject({ status: 400 });
  });
});
