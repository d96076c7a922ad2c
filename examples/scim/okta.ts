/** What Okta sends: a search before each create, whole users by PUT, `active` without a path, members one by one or as a list. */
import { type Connection, enterpriseSchema, type Found, groupSchema, KnownIds, type Resource, userSchema } from "./connection.ts";
import type { Directory, Person, Team } from "./plan.ts";

const paging = "startIndex=1&count=100";

/** A directory that behaves like Okta. */
export class OktaLikeDirectory implements Directory {
  readonly #server: Connection;
  readonly #deleteUser: (id: string) => Promise<unknown>;
  readonly #ids = new KnownIds();

  /** Okta deactivates users and never deletes them: `deleteUser` is what the application does with those who left long ago. */
  constructor(server: Connection, deleteUser: (id: string) => Promise<unknown>) {
    this.#server = server;
    this.#deleteUser = deleteUser;
  }

  async createPerson(person: Person): Promise<void> {
    const filter = encodeURIComponent(`userName eq "${person.userName}"`);
    const { totalResults } = await this.#server.send<Found>("GET", `/Users?filter=${filter}&${paging}`);
    if (totalResults > 0) throw new Error(`${person.userName} exists already.`);
    const { id } = await this.#server.send<Resource>("POST", "/Users", { ...this.#toUser(person), active: true, groups: [] });
    this.#ids.set(person.userName, id);
  }

  async changePerson(person: Person): Promise<void> {
    const path = `/Users/${this.#ids.get(person.userName)}`;
    const current = await this.#server.send<Resource>("GET", path);
    await this.#server.send("PUT", path, { ...current, ...this.#toUser(person) });
  }

  async setActive(userName: string, active: boolean): Promise<void> {
    await this.#server.patch(`/Users/${this.#ids.get(userName)}`, [{ op: "replace", value: { active } }]);
  }

  async removePerson(userName: string): Promise<void> {
    await this.#deleteUser(this.#ids.get(userName));
  }

  async createTeam({ name, members }: Team): Promise<void> {
    const filter = encodeURIComponent(`displayName eq "${name}"`);
    const { totalResults } = await this.#server.send<Found>("GET", `/Groups?filter=${filter}&${paging}`);
    if (totalResults > 0) throw new Error(`${name} exists already.`);
    const group = { schemas: [groupSchema], displayName: name, members: this.#toMembers(members) };
    this.#ids.set(name, (await this.#server.send<Resource>("POST", "/Groups", group)).id);
  }

  async addMembers(name: string, userNames: readonly string[]): Promise<void> {
    await this.#patchTeam(name, [{ op: "add", path: "members", value: this.#toMembers(userNames) }]);
  }

  async removeMembers(name: string, userNames: readonly string[]): Promise<void> {
    const toPath = (userName: string): string => `members[value eq "${this.#ids.get(userName)}"]`;
    await this.#patchTeam(
      name,
      userNames.map((userName) => ({ op: "remove", path: toPath(userName) })),
    );
  }

  async renameTeam(name: string, newName: string): Promise<void> {
    const id = this.#ids.get(name);
    await this.#patchTeam(name, [{ op: "replace", value: { id, displayName: newName } }]);
    this.#ids.set(newName, id);
  }

  async removeTeam(name: string): Promise<void> {
    await this.#server.send("DELETE", `/Groups/${this.#ids.get(name)}`);
  }

  #patchTeam(name: string, operations: readonly object[]): Promise<void> {
    return this.#server.patch(`/Groups/${this.#ids.get(name)}`, operations);
  }

  #toUser({ department, externalId, familyName, givenName, manager, mobilePhone, title, userName }: Person): object {
    return {
      schemas: [userSchema, enterpriseSchema],
      userName,
      externalId,
      name: { givenName, familyName },
      displayName: `${givenName} ${familyName}`,
      emails: [{ primary: true, value: userName, type: "work" }],
      ...(mobilePhone !== undefined && { phoneNumbers: [{ value: mobilePhone, type: "mobile" }] }),
      title,
      [enterpriseSchema]: { department, ...(manager !== undefined && { manager: { value: this.#ids.get(manager) } }) },
    };
  }

  #toMembers(userNames: readonly string[]): readonly object[] {
    return userNames.map((userName) => ({ value: this.#ids.get(userName), display: userName }));
  }
}
