/** A million users as NDJSON, and what the races of users ask and answer. */

/** How many users there are. */
export const userCount = Number(process.env.BENCH_USERS ?? 1_000_000);

export const applicationId = "10000000-0000-4000-8000-000000000001";

/** How many rows a page has. */
export const pageSize = 25;

// The public vector of bcrypt's authors for the password "U*U".
const passwordHash = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";

const firstNames = "Ada Ben Cleo Dora Emil Finn Gwen Hugo Ines Jan Kira Leo Mia Nils Olga Paul".split(" ");
const lastNames = "Adler Brandt Cohen Diaz Evans Fischer Garcia Haas Ito Jensen Klein Lopez Meyer Novak Olsen Peters".split(" ");

/** The email of the user at a place. */
export const emailOf = (index: number): string => `user.${(index * 7_919) % 1_000_003}.${index}@mail.example`;

/** The line of the user at a place. */
export const lineOf = (index: number): string => {
  const user = {
    active: true,
    data: { plan: index % 3 === 0 ? "pro" : "free" },
    email: emailOf(index),
    firstName: firstNames[index % firstNames.length],
    lastName: lastNames[Math.floor(index / 16) % lastNames.length],
    passwordHash,
    registrations: [{ applicationId, roles: ["buyer"] }],
    username: `user-${index}`,
  };
  return `${JSON.stringify(user)}\n`;
};

/** How many users are imported once more when the others have been searched. */
export const moreUsers = Math.min(100_000, Math.ceil(userCount / 10));

/** All lines, or those between two places, in pieces as a file is read. */
export function* pieces(first = 0, end: number = userCount): Generator<Buffer> {
  const size = 500;
  for (let start = first; start < end; start += size) {
    const lines = Array.from({ length: Math.min(size, end - start) }, (_, offset) => lineOf(start + offset));
    yield Buffer.from(lines.join(""));
  }
}

/** The databases that users are raced on. */
export type UsersDatabase = "sqlite" | "postgres";

/** What is measured; orders are written as `order <field> <direction>`. */
export type UsersWork =
  | "import"
  | "figures"
  | "indexed"
  | "creates"
  | "email"
  | "loginId"
  | "block"
  | "export"
  | "exportMemory"
  | `order ${string}`;

export interface UsersJob {
  readonly work: UsersWork;
  readonly seconds: number;
}

/** How much each side did per second. */
export interface UsersReport {
  readonly ours: number;
  readonly base: number;
}

/** What was seen while the last import and the last export ran. */
export interface UsersFigures {
  /** The rate of the first tenth of the rows over that of the last. */
  readonly slowdown: number;
  /** The rate of the first tenth of the rows over that of an import into the same service once it has been searched. */
  readonly indexed: number;
  /** How much more memory than before was in use, in MiB. */
  readonly importMemory: number;
  readonly exportMemory: number;
  /** The 99th percentile of other reads and writes meanwhile, over the same while nothing runs. */
  readonly reads: number;
  readonly writes: number;
  /** For how long one search kept everybody else from being served at most, in milliseconds. */
  readonly block: number;
}
