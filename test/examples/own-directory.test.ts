import type { IdentityService } from "latchkey";
import { beforeEach, describe, expect, test } from "vitest";
import { acme, ada, bob, createService, editor, wiki } from "../../examples/own-directory.js";

describe("examples/own-directory.ts", () => {
  let identity: IdentityService;
  let groupId: string;

  beforeEach(async () => {
    identity = await createService();
    const { group } = await identity.groups.create({ group: { name: "Editors", tenantId: acme }, roleIds: [editor] });
    groupId = group.id;
  });

  test("shows the app's roles on groups", async () => {
    const { group } = await identity.groups.retrieve({ groupId });
    expect(group.roles[wiki]).toMatchObject([{ id: editor, name: "editor" }]);
    const unknown = identity.groups.create({ group: { name: "Other", tenantId: acme }, roleIds: [ada] });
    await expect(unknown).rejects.toMatchObject({ code: "[invalid]roleIds" });
  });

  test("lets the app's people join groups, and nobody else", async () => {
    await identity.groupMembers.add({ members: { [groupId]: [{ userId: ada }, { userId: bob }] } });
    const { members, total } = await identity.groupMembers.search({ search: { groupId, orderBy: "userId" } });
    expect([total, members.map((member) => member.userId)]).toEqual([2, [ada, bob]]);
    const unknown = identity.groupMembers.add({ members: { [groupId]: [{ userId: editor }] } });
    await expect(unknown).rejects.toMatchObject({ code: expect.stringMatching(/^\[invalid\]members.*userId$/) });
  });

  test("keeps people within their tenant", async () => {
    const { tenant } = await identity.tenants.create({ tenant: { name: "Other" } });
    const { group } = await identity.groups.create({ group: { name: "Editors", tenantId: tenant.id } });
    const foreign = identity.groupMembers.add({ members: { [group.id]: [{ userId: ada }] } });
    await expect(foreign).rejects.toMatchObject({ status: 400 });
  });

  test("adds the roles of a person's groups to those given in person", async () => {
    const rolesOf = (userId: string): Promise<readonly string[]> => identity.effectiveRoles({ userId, applicationId: wiki });
    expect([await rolesOf(ada), await rolesOf(bob)]).toEqual([["reader"], []]);
    await identity.groupMembers.add({ members: { [groupId]: [{ userId: ada }, { userId: bob }] } });
    expect([await rolesOf(ada), await rolesOf(bob)]).toEqual([["editor", "reader"], ["editor"]]);
    await identity.groupMembers.remove({ groupId, userId: ada });
    expect([await rolesOf(ada), await rolesOf(editor)]).toEqual([["reader"], []]);
  });
});
