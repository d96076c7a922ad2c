/** People and applications stay in the app's own tables; groups, members and effective roles work on them. */
import { createIdentityService, type IdentityService } from "latchkey";
import { memoryStorage } from "latchkey/memory";
import type { Directory, DirectoryContext } from "latchkey/ports";

// What the app has already: its customers (our tenants), its staff, and one product with two roles.
export const acme = "0e3a1f6c-5b0d-4a51-9a6e-8f0f4c1d2b01";
export const wiki = "0e3a1f6c-5b0d-4a51-9a6e-8f0f4c1d2b02";
export const editor = "0e3a1f6c-5b0d-4a51-9a6e-8f0f4c1d2b03";
export const ada = "0e3a1f6c-5b0d-4a51-9a6e-8f0f4c1d2b04";
export const bob = "0e3a1f6c-5b0d-4a51-9a6e-8f0f4c1d2b05";
const staff = [
  { id: ada, tenantId: acme, email: "ada@acme.example", wikiRoles: ["reader"] },
  { id: bob, tenantId: acme, email: "bob@acme.example", wikiRoles: [] },
];
const products = [{ id: wiki, tenantId: acme, name: "Wiki" }];
const roles = [{ id: editor, applicationId: wiki, tenantId: acme, name: "editor" }];

// A question may be bound to a tenant: whoever is not in it is not there.
const isSeen =
  ({ scope }: DirectoryContext) =>
  (record: { readonly tenantId: string }): boolean =>
    scope.kind === "global" || scope.tenantId === record.tenantId;

const directory: Directory = {
  findUsers: async (context, ids) => staff.filter((person) => ids.includes(person.id)).filter(isSeen(context)),
  findApplications: async (context, ids) => products.filter(({ id }) => ids?.includes(id) ?? true).filter(isSeen(context)),
  findRoles: async (context, by) =>
    roles
      .filter((role) => ("roleIds" in by ? by.roleIds.includes(role.id) : by.applicationIds.includes(role.applicationId)))
      .filter(isSeen(context)),
  // Who has an account in a product, and the roles given there in person.
  findRegistrations: async (_context, userIds) =>
    staff
      .filter((person) => userIds.includes(person.id))
      .map((person) => ({ userId: person.id, applicationId: wiki, roles: person.wikiRoles })),
};

/** A service whose people are the app's. Each customer of the app is a tenant of the same id. */
export async function createService(): Promise<IdentityService> {
  const identity = await createIdentityService({ storage: memoryStorage(), directory });
  await identity.tenants.create({ tenantId: acme, tenant: { name: "Acme" } });
  return identity;
}

if (import.meta.main) {
  const identity = await createService();
  const { group } = await identity.groups.create({ group: { name: "Editors", tenantId: acme }, roleIds: [editor] });
  await identity.groupMembers.add({ members: { [group.id]: [{ userId: ada }] } });
  console.log(await identity.effectiveRoles({ userId: ada, applicationId: wiki })); // [ 'editor', 'reader' ]
  console.log(await identity.effectiveRoles({ userId: bob, applicationId: wiki })); // []
}
