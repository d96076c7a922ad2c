/** Users by hand: what a careful author would write for a million of them (test/bench/README.md). */

/** A page and the number of all. */
export interface HandPage {
  readonly ids: readonly string[];
  readonly total: number;
}

/** An order by one column. */
export interface HandOrder {
  readonly column: "email" | "username" | "inserted" | "full_name" | "first_name" | "last_name" | "id";
  readonly direction: "asc" | "desc";
}

export interface HandUsers {
  /** Forgets all users, and stores those of the lines with their registrations. */
  import(pieces: Iterable<Buffer>): Promise<void>;
  /** Makes the indexes that pages are read with, once the users are there. */
  makeOrders(): Promise<void>;
  /** Stores users one by one in one transaction, which is undone. */
  create(emails: readonly string[]): Promise<void>;
  /** The user with an email or a username, and the registrations. */
  findBy(column: "email" | "username", value: string): Promise<unknown>;
  page(order: HandOrder, limit: number): Promise<HandPage>;
  /** Writes each user with its registrations as a line. */
  export(write: (text: string) => void): Promise<void>;
  close(): Promise<void>;
}

/** A row of each table, from a line. */
export interface HandRows {
  readonly user: readonly [
    id: string,
    tenantId: string,
    email: string,
    username: string,
    firstName: string,
    lastName: string,
    fullName: string,
    inserted: number,
    json: string,
  ];
  readonly registration: readonly [id: string, userId: string, applicationId: string, json: string];
}

const tenantId = "00000000-0000-4000-8000-000000000001";

/** What a line says, checked as little as one would dare. */
export const toRows = (line: string, newId: () => string, now: number): HandRows => {
  const { registrations, email, firstName, lastName, username, ...rest } = JSON.parse(line);
  if (typeof email !== "string" || typeof username !== "string") throw new TypeError("A user has an email and a username.");
  const [id, registrationId] = [newId(), newId()];
  const user = { ...rest, email, firstName, id, insertInstant: now, lastName, lastUpdateInstant: now, tenantId, username };
  const [given] = registrations;
  const registration = { ...given, id: registrationId, insertInstant: now, lastUpdateInstant: now, userId: id };
  const fullName = `${firstName} ${lastName}`.toLowerCase();
  const names = [String(firstName).toLowerCase(), String(lastName).toLowerCase(), fullName] as const;
  return {
    user: [id, tenantId, email.toLowerCase(), username.toLowerCase(), ...names, now, JSON.stringify(user)],
    registration: [registrationId, id, given.applicationId, JSON.stringify(registration)],
  };
};

/** The lines of pieces. */
export function* linesOf(pieces: Iterable<Buffer>): Generator<string> {
  let rest = "";
  for (const piece of pieces) {
    const lines = (rest + piece.toString()).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
