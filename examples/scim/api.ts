/** The same changes by the API, in process: what the default mapping makes of the attributes of SCIM. */
import type { IdentityService } from "latchkey";
import { KnownIds } from "./connection.ts";
import type { Directory, Person, Team } from "./plan.ts";

/** Makes the changes of a directory by calls of the API. */
export class ApiDirectory implements Directory {
  readonly #identity: IdentityService;
  readonly #options: { readonly tenantId: string };
  readonly #ids = new KnownIds();

  constructor(identity: IdentityService, tenantId: string) {
    this.#identity = identity;
    this.#options = { tenantId };
  }

  async createPerson(person: Person): Promise<void> {
    const { user } = await this.#identity.users.create({ user: { ...this.#toUser(person), verified: true } }, this.#options);
    this.#ids.set(person.userName, user.id);
  }

  async changePerson(person: Person): Promise<void> {
    const userId = this.#ids.get(person.userName);
    await this.#identity.users.update({ userId, user: this.#toUser(person) }, this.#options);
  }

  async setActive(userName: string, active: boolean): Promise<void> {
    const userId = this.#ids.get(userName);
    if (active) await this.#identity.users.update({ userId, reactivate: true }, this.#options);
    else await this.#identity.users.remove({ userId }, this.#options);
  }

  async removePerson(userName: string): Promise<void> {
    await this.#identity.users.remove({ userId: this.#ids.get(userName), hardDelete: true }, this.#options);
  }

  async createTeam({ name, members }: Team): Promise<void> {
    const { group } = await this.#identity.groups.create({ group: { name } }, this.#options);
    this.#ids.set(name, group.id);
    await this.addMembers(name, members);
  }

  async addMembers(name: string, userNames: readonly string[]): Promise<void> {
    const members = userNames.map((userName) => ({ userId: this.#ids.get(userName) }));
    await this.#identity.groupMembers.add({ members: { [this.#ids.get(name)]: members } }, this.#options);
  }

  async removeMembers(name: string, userNames: readonly string[]): Promise<void> {
    const userIds = userNames.map((userName) => this.#ids.get(userName));
    await this.#identity.groupMembers.remove({ members: { [this.#ids.get(name)]: userIds } }, this.#options);
  }

  async renameTeam(name: string, newName: string): Promise<void> {
    const groupId = this.#ids.get(name);
    await this.#identity.groups.update({ groupId, group: { name: newName } }, this.#options);
    this.#ids.set(newName, groupId);
  }

  async removeTeam(name: string): Promise<void> {
    await this.#identity.groups.remove({ groupId: this.#ids.get(name) }, this.#options);
  }

  #toUser({ department, externalId, familyName, givenName, manager, mobilePhone, title, userName }: Person) {
    const enterprise = { department, ...(manager !== undefined && { manager: { value: this.#ids.get(manager) } }) };
    return {
      username: userName,
      email: userName,
      firstName: givenName,
      lastName: familyName,
      ...(mobilePhone !== undefined && { mobilePhone }),
      data: { scim: { externalId, displayName: `${givenName} ${familyName}`, title, enterprise } },
    };
  }
}
