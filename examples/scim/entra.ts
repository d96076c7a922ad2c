/** What Entra ID sends: operations with capitals, booleans as texts, dotted keys, lists in `Remove`, the schema of an older product. */
import { type Connection, enterpriseSchema, type Found, groupSchema, KnownIds, type Resource, userSchema } from "./connection.ts";
import type { Directory, Person, Team } from "./plan.ts";

const legacyGroupSchema = "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group";
const membersOfOnePatch = 100;

/** A directory that behaves like Entra ID. */
export class EntraLikeDirectory implements Directory {
  readonly #server: Connection;
  readonly #ids = new KnownIds();

  constructor(server: Connection) {
    this.#server = server;
  }

  /** The button *Test Connection*: a search for a random user, which nobody is. */
  async testConnection(): Promise<void> {
    await this.#assertAbsent("/Users", "userName", crypto.randomUUID());
  }

  async createPerson(person: Person): Promise<void> {
    const { department, externalId, familyName, givenName, title, userName } = person;
    await this.#assertAbsent("/Users", "userName", userName);
    const user = {
      schemas: [userSchema, enterpriseSchema],
      externalId,
      userName,
      active: true,
      displayName: `${givenName} ${familyName}`,
      emails: [{ primary: true, type: "work", value: userName }],
      meta: { resourceType: "User" },
      name: { familyName, givenName },
      roles: [],
      title,
      [enterpriseSchema]: { department },
    };
    this.#ids.set(userName, (await this.#server.send<Resource>("POST", "/Users", user)).id);
  }

  async changePerson({ department, familyName, givenName, manager, mobilePhone, userName }: Person): Promise<void> {
    const operations = [
      { op: "Add", path: 'phoneNumbers[type eq "mobile"].value', value: mobilePhone },
      { op: "Replace", path: 'emails[type eq "work"].value', value: userName },
      { op: "Replace", value: { displayName: `${givenName} ${familyName}`, "name.familyName": familyName } },
      { op: "Replace", value: { [`${enterpriseSchema}:department`]: department } },
      ...(manager === undefined ? [] : [{ op: "Add", path: `${enterpriseSchema}:manager`, value: this.#ids.get(manager) }]),
    ];
    await this.#server.patch(`/Users/${this.#ids.get(userName)}`, operations);
  }

  async setActive(userName: string, active: boolean): Promise<void> {
    const value = active ? "True" : "False";
    await this.#server.patch(`/Users/${this.#ids.get(userName)}`, [{ op: "Replace", path: "active", value }]);
  }

  async removePerson(userName: string): Promise<void> {
    await this.#server.send("DELETE", `/Users/${this.#ids.get(userName)}`);
  }

  async createTeam({ name, members }: Team): Promise<void> {
    await this.#assertAbsent("/Groups", "displayName", name, "excludedAttributes=members&");
    const externalId = crypto.randomUUID();
    const meta = { resourceType: "Group" };
    const group = { schemas: [groupSchema, legacyGroupSchema], externalId, displayName: name, meta };
    this.#ids.set(name, (await this.#server.send<Resource>("POST", "/Groups", group)).id);
    await this.addMembers(name, members);
  }

  async addMembers(name: string, userNames: readonly string[]): Promise<void> {
    for (let start = 0; start < userNames.length; start += membersOfOnePatch) {
      const some = userNames.slice(start, start + membersOfOnePatch);
      await this.#patchTeam(
        name,
        some.map((userName) => ({ op: "Add", path: "members", value: this.#toMembers([userName]) })),
      );
    }
  }

  async removeMembers(name: string, userNames: readonly string[]): Promise<void> {
    await this.#patchTeam(name, [{ op: "Remove", path: "members", value: this.#toMembers(userNames) }]);
  }

  async renameTeam(name: string, newName: string): Promise<void> {
    await this.#patchTeam(name, [{ op: "Replace", path: "displayName", value: newName }]);
    this.#ids.set(newName, this.#ids.get(name));
  }

  async removeTeam(name: string): Promise<void> {
    await this.#server.send("DELETE", `/Groups/${this.#ids.get(name)}`);
  }

  #patchTeam(name: string, operations: readonly object[]): Promise<void> {
    return this.#server.patch(`/Groups/${this.#ids.get(name)}`, operations);
  }

  #toMembers(userNames: readonly string[]): readonly object[] {
    return userNames.map((userName) => ({ value: this.#ids.get(userName) }));
  }

  async #assertAbsent(path: string, attribute: string, value: string, more = ""): Promise<void> {
    const filter = encodeURIComponent(`${attribute} eq "${value}"`);
    const { totalResults } = await this.#server.send<Found>("GET", `${path}?${more}filter=${filter}`);
    if (totalResults > 0) throw new Error(`${value} exists already.`);
  }
}
