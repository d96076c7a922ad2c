/** What happens in a company: who joins, who changes, who leaves. Each directory sends the same. */

/** A person as the directory knows them. */
export interface Person {
  readonly userName: string;
  readonly externalId: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly title: string;
  readonly department: string;
  readonly mobilePhone?: string;
  /** `userName` of the manager. */
  readonly manager?: string;
}

/** A group of people. */
export interface Team {
  readonly name: string;
  readonly members: readonly string[];
}

/** Whatever can make these changes: a client of SCIM, or the API. People are named by their `userName`. */
export interface Directory {
  createPerson(person: Person): Promise<void>;
  changePerson(person: Person): Promise<void>;
  setActive(userName: string, active: boolean): Promise<void>;
  removePerson(userName: string): Promise<void>;
  createTeam(team: Team): Promise<void>;
  addMembers(name: string, userNames: readonly string[]): Promise<void>;
  removeMembers(name: string, userNames: readonly string[]): Promise<void>;
  renameTeam(name: string, newName: string): Promise<void>;
  removeTeam(name: string): Promise<void>;
}

function toPerson(number: number): Person {
  return {
    userName: `person${number}@example.com`,
    externalId: `E${1_000 + number}`,
    givenName: `Given${number}`,
    familyName: `Family${number}`,
    title: number % 3 === 0 ? "Engineer" : "Analyst",
    department: `Department ${number % 12}`,
  };
}

/** Makes all changes of a company with `people` people in `teams` teams, one after the other. */
export async function provision(directory: Directory, people: number, teams: number): Promise<void> {
  const all = Array.from({ length: people }, (_, number) => toPerson(number));
  const names = (isMember: (number: number) => boolean): readonly string[] =>
    all.filter((_, number) => isMember(number)).map(({ userName }) => userName);

  for (const person of all) await directory.createPerson(person);
  await directory.createTeam({ name: "Everyone", members: names(() => true) });
  for (let team = 1; team < teams; team++)
    await directory.createTeam({ name: `Team ${team}`, members: names((number) => number % teams === team) });

  for (const [number, person] of all.entries()) {
    if (number % 5 !== 0 || number === 0) continue;
    const changed = { ...person, familyName: `Married${number}`, department: "Research", manager: "person0@example.com" };
    await directory.changePerson({ ...changed, mobilePhone: `+1555${100_000 + number}` });
  }
  await directory.renameTeam("Team 1", "Pioneers");
  await directory.removeMembers(
    "Pioneers",
    names((number) => number % (2 * teams) === 1),
  );
  await directory.addMembers(
    "Pioneers",
    names((number) => number % (2 * teams) === 2),
  );
  await directory.removeTeam("Team 2");

  for (const userName of names((number) => number % 10 === 3)) await directory.setActive(userName, false);
  for (const userName of names((number) => number % 100 === 53)) await directory.setActive(userName, true);
  for (const userName of names((number) => number % 100 === 13)) await directory.removePerson(userName);
}
