import type { IdentityService } from "latchkey";

/** Records that tests of screens begin with. */
export interface Seed {
  readonly applicationId: string;
  readonly groupId: string;
  /** Users, of whom the first is Ada: registered as `buyer`, and a member of the group that gives `editor`. */
  readonly userIds: readonly string[];
}

/** Makes an application with roles, a group that gives one, and some users. */
export async function seed(identity: IdentityService, users: number = 30): Promise<Seed> {
  const roles = [{ name: "buyer", isDefault: true }, { name: "editor" }, { name: "owner" }];
  const { application } = await identity.applications.create({ application: { name: "Shop", roles } });
  const editor = application.roles.find(({ name }) => name === "editor")?.id ?? "";
  const { group } = await identity.groups.create({ group: { name: "Editors" }, roleIds: [editor] });
  const userIds: string[] = [];
  for (let number = 0; number < users; number++) userIds.push(await createUser(identity, application.id, number));
  await identity.groupMembers.add({ members: { [group.id]: [{ userId: userIds[0] ?? "" }] } });
  return { applicationId: application.id, groupId: group.id, userIds };
}

async function createUser(identity: IdentityService, applicationId: string, number: number): Promise<string> {
  const [firstName, lastName] = number === 0 ? ["Ada", "Lovelace"] : ["User", `Number ${number}`];
  const email = number === 0 ? "ada@example.com" : `user${String(number).padStart(3, "0")}@example.com`;
  const user = {
    email,
    firstName,
    lastName,
    fullName: `${firstName} ${lastName}`,
    data: { department: number % 2 ? "sales" : "engineering" },
  };
  const created = await identity.registrations.create({ user, registration: { applicationId } });
  return created.user.id;
}
