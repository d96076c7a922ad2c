/** The goals of the benchmarks, as data: what is raced against what, and what the ratio must be. */

import { callback, verifier } from "./harness/codes.ts";
import type { SearchDatabase } from "./harness/search.ts";
import { patterns } from "./harness/search-data.ts";
import type { UsersDatabase, UsersFigures, UsersWork } from "./harness/users-data.ts";
import type { FigureJob } from "./subjects/lambda-figures.ts";
import type { LambdaJob } from "./subjects/lambda-worker.ts";
import type { MemberWork } from "./subjects/member-worker.ts";

/** The one request a load race sends; `{id}`, `{credential}` and `{unique}` are filled in. */
export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A right answer is 200 and its JSON has this value at this path. */
  readonly answer: { readonly member: string; readonly value: string };
  /** Whether a wrong credential must get 401. */
  readonly isGuarded: boolean;
  /** Whether an id is good for one request: the server has more of them at `/codes`. */
  readonly isSingleUse?: boolean;
}

export interface ServerSide {
  readonly label: string;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  readonly request: LoadRequest;
  /** What must be there before it starts: the packages of `peers/`, or the built package. */
  readonly needs?: "peers" | "build";
  /** Whether it runs on whatever core is free, as several processes must. */
  readonly isUnpinned?: boolean;
  /** Whether it goes on working after its last answer: what it left undone must not slow the other side's sample. */
  readonly settles?: boolean;
}

interface GoalBase {
  /**
   * The number in the goals of test/bench/README.md, Y and a number for a race that only checks the yardsticks themselves, K1 for keys, L1 for
   * logins with a lambda, E1 and E2 for writes while events leave or wait, E3 for events against the same rows by hand, P1 for creates on
   * Postgres, P2 for two processes on one, S1 for walks through all records, M1 for members against a comparison by hand, T1 for the kit for tests.
   */
  readonly number: number | `Y${number}` | "K1" | "L1" | "M1" | "E1" | "E2" | "E3" | "P1" | "P2" | "S1" | "S2" | "T1";
  readonly title: string;
  readonly must: number;
  readonly ambitious: number;
}

/** Requests per second of ours over those of the base: higher is better. */
export interface LoadGoal extends GoalBase {
  readonly measure: "load";
  readonly ours: ServerSide;
  readonly base: ServerSide;
  /** Fixed for goals that name it; the option of the run otherwise. */
  readonly connections?: number;
}

/** Time of ours over the base's: lower is better. */
export interface CostGoal extends GoalBase {
  readonly measure: "patch" | "cold-start";
}

/** Searches per second of ours over those of the base: higher is better. */
export interface SearchGoal extends GoalBase {
  readonly measure: "search";
  readonly database: SearchDatabase;
  /** One of the patterns, or the name of a race. */
  readonly race: string;
}

/** Proofs per second of ours over those of the base: higher is better. */
export interface ProofGoal extends GoalBase {
  readonly measure: "proof";
}

/** Checks of an API key per second of ours over those of the base: higher is better. */
export interface KeyCheckGoal extends GoalBase {
  readonly measure: "key-check";
}

/** Services for tests, started and ended per second, over bare ones: higher is better. */
export interface TestKitGoal extends GoalBase {
  readonly measure: "test-kit";
}

/** Runs of a lambda per second of ours over those in one process by hand: higher is better, or for `lambda-time` less time is. */
export interface LambdaGoal extends GoalBase {
  readonly measure: "lambda" | "lambda-time";
  readonly race: Omit<LambdaJob, "seconds">;
}

/** A figure of our runner by itself: lower is better. */
export interface FigureGoal extends GoalBase {
  readonly measure: "figure";
  readonly figure: FigureJob["figure"];
  readonly unit: "ms" | "MiB";
}

/** Events per second from the call that makes them to their receiver, ours over those by hand: higher is better. */
export interface EventGoal extends GoalBase {
  readonly measure: "events";
  readonly race: {
    readonly base: "direct" | "each" | "batched" | "logged";
    readonly algorithm: "HS256" | "ES256" | "Ed25519";
    /** How our storage writes to the disk, and theirs where they have one. */
    readonly synchronous: "NORMAL" | "FULL";
  };
}

/** Members that are written, or roles that are found, per second, ours over those by hand: higher is better. */
export interface MemberGoal extends GoalBase {
  readonly measure: "members";
  readonly work: MemberWork;
}

/** For how long members that are written keep everybody else waiting: lower is better. */
export interface MemberBlockGoal extends GoalBase {
  readonly measure: "member-block";
  readonly work: MemberWork;
  readonly unit: "ms";
}

/** Users imported, looked up, listed or exported per second, ours over those by hand: higher is better. */
export interface UsersGoal extends GoalBase {
  readonly measure: "users";
  readonly database: UsersDatabase;
  readonly work: UsersWork;
}

/** What the import, the searches or the export before cost others: lower is better. */
export interface UsersFigureGoal extends GoalBase {
  readonly measure: "users-figure";
  readonly database: UsersDatabase;
  readonly figure: keyof UsersFigures;
  readonly unit: "ms" | "MiB" | "x";
}

export type Goal =
  | LoadGoal
  | CostGoal
  | SearchGoal
  | ProofGoal
  | KeyCheckGoal
  | TestKitGoal
  | LambdaGoal
  | FigureGoal
  | EventGoal
  | MemberGoal
  | MemberBlockGoal
  | UsersGoal
  | UsersFigureGoal;

const group: LoadRequest = {
  method: "GET",
  path: "/api/group/{id}",
  headers: { authorization: "{credential}" },
  answer: { member: "group.id", value: "{id}" },
  isGuarded: true,
};

const createGroup: LoadRequest = {
  method: "POST",
  path: "/api/group",
  headers: { authorization: "{credential}", "content-type": "application/json" },
  body: '{"group":{"name":"{unique}","data":{}}}',
  answer: { member: "group.name", value: "{unique}" },
  isGuarded: true,
};

const hello: LoadRequest = { ...group, path: "/", headers: {}, isGuarded: false };

const getOrganization: LoadRequest = {
  method: "GET",
  path: "/api/auth/organization/get-organization?organizationId={id}",
  headers: { cookie: "{credential}" },
  answer: { member: "id", value: "{id}" },
  isGuarded: true,
};

const verifyApiKey: LoadRequest = {
  method: "GET",
  path: "/verify",
  headers: { authorization: "{credential}" },
  answer: { member: "valid", value: "true" },
  isGuarded: true,
};

const getRow: LoadRequest = {
  method: "GET",
  path: "/groups/{id}",
  headers: {},
  answer: { member: "id", value: "{id}" },
  isGuarded: false,
};

const issueToken: LoadRequest = {
  method: "POST",
  path: "/oauth2/token",
  headers: { authorization: "{credential}", "content-type": "application/x-www-form-urlencoded" },
  body: "grant_type=client_credentials&scope={id}",
  answer: { member: "scope", value: "{id}" },
  isGuarded: true,
};

const latchkey = (framework: string, storage: string, request: LoadRequest, groups = 100_000): ServerSide => ({
  label: `latchkey on ${framework} and ${storage}`,
  script: "subjects/latchkey-server.ts",
  env: { BENCH_FRAMEWORK: framework, BENCH_STORAGE: storage, BENCH_GROUPS: String(groups) },
  request,
  needs: "build",
});

const skeleton = (framework: string): ServerSide => ({
  label: `C on ${framework}`,
  script: "yardsticks/core-skeleton.ts",
  env: { BENCH_FRAMEWORK: framework },
  request: group,
});

const fastifyRaw: ServerSide = { label: "F", script: "yardsticks/fastify-raw.ts", env: {}, request: group };
const fastifyHello: ServerSide = { label: "fastify hello", script: "yardsticks/fastify-hello.ts", env: {}, request: hello };

const pgRaw = (request: LoadRequest, groups: number): ServerSide => ({
  label: "pg by hand",
  script: "yardsticks/pg-raw.ts",
  env: { BENCH_GROUPS: String(groups) },
  request,
});

const postRaw = (synchronous: "FULL" | "NORMAL"): ServerSide => ({
  label: `POST raw ${synchronous}`,
  script: "yardsticks/post-raw.ts",
  env: { BENCH_SYNCHRONOUS: synchronous, BENCH_GROUPS: "1000" },
  request: createGroup,
});

const betterAuth = (request: LoadRequest): ServerSide => ({
  label: "better-auth",
  script: "peers/better-auth.ts",
  env: { BENCH_CREDENTIAL: request === verifyApiKey ? "api-key" : "session" },
  request,
  needs: "peers",
});

const readWith = (credential: "api-key" | "token"): ServerSide => ({
  ...latchkey("fastify", "sqlite", group),
  label: `latchkey, ${credential}`,
  env: { BENCH_FRAMEWORK: "fastify", BENCH_STORAGE: "sqlite", BENCH_GROUPS: "100000", BENCH_CREDENTIAL: credential },
});

const tokenEndpoint: ServerSide = {
  label: "latchkey, token endpoint",
  script: "subjects/token-server.ts",
  env: {},
  request: issueToken,
  needs: "build",
};

// A credential that is no HTTP Basic is a bad request to oidc-provider, and not a wrong client.
const tokenPeer = (script: string): ServerSide => ({
  label: script,
  script,
  env: {},
  request: { ...issueToken, isGuarded: false },
  needs: "peers",
});

const exchangeCode: LoadRequest = {
  method: "POST",
  path: "/oauth2/token",
  headers: { authorization: "{credential}", "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams({ grant_type: "authorization_code", redirect_uri: callback, code_verifier: verifier })
    .toString()
    .concat("&code={id}"),
  answer: { member: "token_type", value: "Bearer" },
  isGuarded: false,
  isSingleUse: true,
};

const codeServer: ServerSide = {
  label: "latchkey, codes",
  script: "subjects/code-server.ts",
  env: {},
  request: exchangeCode,
  needs: "build",
};

const bareProvider: ServerSide = {
  label: "oidc-provider, codes",
  script: "yardsticks/oidc-provider-codes.ts",
  env: {},
  request: exchangeCode,
};

const logIn: LoadRequest = {
  method: "POST",
  path: "/api/login",
  headers: { authorization: "{credential}", "content-type": "application/json" },
  body: '{"applicationId":"{id}","loginId":"ada@example.com","password":"a password of the benchmark"}',
  answer: { member: "user.email", value: "ada@example.com" },
  isGuarded: true,
};

const logins = (hasLambda: boolean): ServerSide => ({
  label: hasLambda ? "logins with a lambda" : "logins",
  script: "subjects/login-server.ts",
  env: { BENCH_LAMBDA: hasLambda ? "1" : "0" },
  request: logIn,
  needs: "build",
});

const jsonServer: ServerSide = {
  label: "json-server",
  script: "peers/json-server.ts",
  env: { BENCH_GROUPS: "1000" },
  request: getRow,
  needs: "peers",
};

const load = (
  number: Goal["number"],
  title: string,
  [must, ambitious]: readonly [number, number],
  [ours, base]: readonly [ServerSide, ServerSide],
  connections?: number,
): LoadGoal => ({ measure: "load", number, title, must, ambitious, ours, base, connections });

const search = (
  number: SearchGoal["number"],
  race: string,
  title: string,
  [must, ambitious]: readonly [number, number],
  database: SearchDatabase = "sqlite",
): SearchGoal => ({ measure: "search", number, title: `1,000,000 groups, ${title}`, must, ambitious, database, race });

const lambda = (
  number: 9 | 10,
  title: string,
  [must, ambitious]: readonly [number, number],
  base: LambdaJob["base"],
): LambdaGoal => ({ measure: "lambda", number, title, must, ambitious, race: { base, inFlight: 64 } });

const figure = (
  number: 12 | 13 | 14,
  title: string,
  [must, ambitious]: readonly [number, number],
  [name, unit]: readonly [FigureJob["figure"], FigureGoal["unit"]],
): FigureGoal => ({ measure: "figure", number, title, must, ambitious, figure: name, unit });

const events = (
  number: EventGoal["number"],
  title: string,
  [must, ambitious]: readonly [number, number],
  [base, algorithm, synchronous]: readonly [
    EventGoal["race"]["base"],
    EventGoal["race"]["algorithm"],
    EventGoal["race"]["synchronous"],
  ],
): EventGoal => ({ measure: "events", number, title, must, ambitious, race: { base, algorithm, synchronous } });

const members = (
  number: 27 | 28 | 29 | 40 | "M1",
  title: string,
  [must, ambitious]: readonly [number, number],
  work: MemberWork,
): MemberGoal => ({ measure: "members", number, title, must, ambitious, work });

const writes = (what: "none" | "webhook" | "waiting"): ServerSide => ({
  label: `writes, ${what}`,
  script: "subjects/event-server.ts",
  env: { BENCH_EVENTS: what },
  request: createGroup,
  needs: "build",
  settles: true,
});

const onPostgres = (processes: number): ServerSide => ({
  label: `${processes} on Postgres`,
  script: "subjects/postgres-processes.ts",
  env: { BENCH_PROCESSES: String(processes), BENCH_GROUPS: "5000" },
  request: group,
  needs: "build",
  isUnpinned: true,
});

const create = latchkey("fastify", "sqlite", createGroup, 1_000);
const read = latchkey("fastify", "sqlite", group);

export const goals: readonly Goal[] = [
  load(1, "GET group, Fastify+SQLite vs F", [0.85, 1], [read, fastifyRaw]),
  load(2, "GET group, Express+SQLite vs F", [0.75, 0.9], [latchkey("express", "sqlite", group), fastifyRaw]),
  load(2, "GET group, Koa+SQLite vs F", [0.75, 0.9], [latchkey("koa", "sqlite", group), fastifyRaw]),
  load(3, "GET group, Fastify+memory vs fastify hello", [0.65, 0.8], [latchkey("fastify", "memory", group), fastifyHello]),
  load(5, "POST group, 64 connections vs POST raw FULL", [1.5, 2.3], [create, postRaw("FULL")], 64),
  load(6, "POST group, 1 connection vs POST raw FULL", [0.8, 0.9], [create, postRaw("FULL")], 1),
  load(7, "GET group vs better-auth get-organization", [15, 30], [read, betterAuth(getOrganization)]),
  // test/bench/README.md gives 15x as the floor of the first of the two and 12x as the goal of the second, no floor of its own.
  load(7, "GET group vs better-auth verifyApiKey", [12, 12], [read, betterAuth(verifyApiKey)]),
  load(8, "GET group vs json-server GET by id", [2, 2.8], [read, jsonServer]),
  lambda(9, "lambda, 64 in flight, vs frozen realm in process", [0.6, 0.75], "frozen"),
  lambda(10, "lambda vs new context per call", [8, 15], "context"),
  // test/bench/README.md gives no floor of its own against this one.
  lambda(10, "lambda vs QuickJS, new runtime per call", [8, 15], "quickjs"),
  {
    measure: "lambda-time",
    number: 11,
    title: "lambda, one at a time, vs async in process",
    must: 2,
    ambitious: 1.4,
    race: { base: "frozenAsync", inFlight: 1 },
  },
  figure(12, "growth of the host while hostile bodies run", [20, 20], ["growth", "MiB"]),
  figure(13, "a kill after the time of a lambda is over", [100, 20], ["kill", "ms"]),
  figure(13, "the next run after a kill", [150, 10], ["respawn", "ms"]),
  figure(14, "memory per idle lambda", [0.1, 0.02], ["memory", "MiB"]),
  load("L1", "login with a JWTPopulate lambda vs without", [0.7, 0.9], [logins(true), logins(false)], 8),
  search(15, patterns.tens, "10 hits, vs LIKE by hand", [20, 50]),
  search(15, patterns.common, "some hits of common trigrams, vs LIKE", [20, 50]),
  search(15, patterns.thousand, "1,000 hits, vs LIKE", [20, 50]),
  search(15, patterns.half, "500,000 hits, vs LIKE", [0.9, 1.8]),
  search(15, patterns.twoRare, "two letters, 1,000 hits, vs LIKE", [0.9, 1]),
  search(15, patterns.twoHalf, "two letters, 500,000 hits, vs LIKE", [0.9, 1]),
  search(16, "next", "the next page vs the first, 500,000 hits", [20, 100]),
  search(18, "far", "startRow=900000 and the total vs OFFSET", [1.5, 2.3]),
  search("S1", "walk", "nextResults: a last page vs the second", [0.9, 1]),
  search("S2", "create 1", "a create with the index of names vs without", [0.85, 0.95]),
  search("S2", "create 100", "100 creates at a time, with the index vs without", [0.65, 0.8]),
  { measure: "key-check", number: "K1", title: "check of an API key vs one digest and a Map", must: 0.3, ambitious: 1 },
  { measure: "test-kit", number: "T1", title: "service of the test kit vs the bare one", must: 0.5, ambitious: 0.8 },
  { measure: "patch", number: 20, title: "PATCH 100 KB vs JSON.parse + JSON.stringify", must: 1.1, ambitious: 1.04 },
  events(21, "webhook, durable (NORMAL), vs sign + send", [0.5, 0.65], ["direct", "HS256", "NORMAL"]),
  events(21, "webhook, durable (FULL), vs sign + send", [0.35, 0.5], ["direct", "HS256", "FULL"]),
  events(22, "webhook vs a transaction per event, FULL", [4, 7], ["each", "HS256", "FULL"]),
  events(23, "webhook by ES256 vs jose + undici, NORMAL", [0.9, 1.15], ["batched", "ES256", "NORMAL"]),
  events("E3", "webhook, durable (NORMAL), vs the same rows by hand", [0.65, 1], ["logged", "HS256", "NORMAL"]),
  events("E3", "webhook, durable (FULL), vs the same rows by hand", [0.65, 1], ["logged", "HS256", "FULL"]),
  events(23, "webhook by Ed25519 vs jose + undici, NORMAL", [0.9, 1.15], ["batched", "Ed25519", "NORMAL"]),
  load("E1", "POST group, one webhook vs none, 64 connections", [0.85, 0.95], [writes("webhook"), writes("none")], 64),
  load("E1", "POST group, one webhook vs none, 1 connection", [0.85, 0.95], [writes("webhook"), writes("none")], 1),
  load("E2", "POST group, 100,000 events waiting vs none", [0.9, 1], [writes("waiting"), writes("none")], 64),
  members(27, "100,000 members into a group vs prepared inserts", [0.65, 0.9], "insert"),
  { measure: "member-block", number: 27, title: "longest wait meanwhile", must: 20, ambitious: 5, work: "insert", unit: "ms" },
  members(28, "PUT of the same members vs delete and insert", [8, 14], "identical"),
  members(28, "PUT with a tenth of others vs delete and insert", [2, 2.6], "tenth"),
  members(28, "PUT of others vs delete and insert", [0.9, 1], "all"),
  members("M1", "PUT of the same members vs comparing them by hand", [0.75, 1], "identicalByDifference"),
  members("M1", "PUT with a tenth of others vs by hand, by difference", [0.75, 1], "tenthByDifference"),
  members(29, "roles by 50 groups vs one join by hand", [0.85, 2.5], "roles"),
  members(40, "SCIM PATCH of one of 100,000 members vs /api/group/member", [0.5, 0.83], "scim"),
  { measure: "proof", number: 25, title: "DPoP proof vs jose EmbeddedJWK, one stream", must: 0.85, ambitious: 0.95 },
  load(24, "GET group with a cached token vs with an API key", [0.85, 0.95], [readWith("token"), readWith("api-key")]),
  load(26, "client credentials, EdDSA, vs node:http + jose", [0.65, 0.8], [tokenEndpoint, tokenPeer("peers/jose-token.ts")]),
  load(26, "client credentials, EdDSA, vs oidc-provider", [1.2, 1.5], [tokenEndpoint, tokenPeer("peers/oidc-provider.ts")]),
  load(41, "exchange of a code, ES256, vs oidc-provider in memory", [0.6, 0.9], [codeServer, bareProvider], 16),
  { measure: "cold-start", number: 30, title: "cold start vs fastify + better-sqlite3 alone", must: 1.25, ambitious: 1.1 },
];

/** Races on a Postgres server, which TEST_POSTGRES_URL names. */
export const postgresRaces: readonly Goal[] = [
  load(
    4,
    "GET group, Fastify+Postgres vs a named statement by hand",
    [0.85, 0.95],
    [latchkey("fastify", "postgres", group, 20_000), pgRaw(group, 20_000)],
  ),
  load(
    "P1",
    "POST group, Postgres, vs BEGIN, INSERT, COMMIT by hand",
    [1, 1],
    [latchkey("fastify", "postgres", createGroup, 1_000), pgRaw(createGroup, 1_000)],
  ),
  load("P2", "GET group, Postgres, two processes vs one", [1.6, 1.8], [onPostgres(2), onPostgres(1)]),
];

/** Searches on a Postgres server. Two letters and what half of the groups have must not be slower than without an index. */
export const postgresSearches: readonly Goal[] = [
  search(17, `indexed ${patterns.tens}`, "Postgres, pg_trgm, 10 hits, vs ILIKE", [20, 50], "postgres"),
  search(17, `indexed ${patterns.thousand}`, "Postgres, pg_trgm, 1,000 hits, vs ILIKE", [20, 50], "postgres"),
  search(17, `indexed ${patterns.half}`, "Postgres, pg_trgm, 500,000 hits, vs ILIKE", [0.9, 1.5], "postgres"),
  search(17, `indexed ${patterns.twoRare}`, "Postgres, pg_trgm, two letters, vs ILIKE", [0.9, 2], "postgres"),
  search(17, `plain ${patterns.tens}`, "Postgres, no pg_trgm, 10 hits, vs ILIKE", [2, 2.7], "postgres"),
  search(17, `plain ${patterns.thousand}`, "Postgres, no pg_trgm, 1,000 hits, vs ILIKE", [2, 2.7], "postgres"),
  search(17, `plain ${patterns.half}`, "Postgres, no pg_trgm, 500,000 hits, vs ILIKE", [2, 2.7], "postgres"),
];

/** Races of the yardsticks among themselves; `must` and `ambitious` are what test/bench/README.md saw, with and without 10% of slack. */
export const yardstickRaces: readonly Goal[] = [
  load("Y1", "C on fastify vs F", [1.09, 1.21], [skeleton("fastify"), fastifyRaw]),
  load("Y2", "C on node:http vs F", [1.02, 1.13], [skeleton("http"), fastifyRaw]),
  load("Y3", "C on express vs F", [0.95, 1.05], [skeleton("express"), fastifyRaw]),
  load("Y4", "C on koa vs F", [0.88, 0.98], [skeleton("koa"), fastifyRaw]),
  load("Y5", "fastify hello vs F", [2, 2.25], [fastifyHello, fastifyRaw]),
  load("Y6", "F vs better-auth get-organization", [32, 36], [fastifyRaw, betterAuth(getOrganization)]),
  load("Y7", "F vs better-auth verifyApiKey", [15, 17], [fastifyRaw, betterAuth(verifyApiKey)]),
  load("Y8", "F vs json-server GET by id", [2.4, 2.7], [fastifyRaw, jsonServer]),
  load("Y9", "POST raw NORMAL vs FULL, 64 connections", [1.8, 2.05], [postRaw("NORMAL"), postRaw("FULL")], 64),
];

type UsersRow = readonly [
  number: number,
  title: string,
  wanted: readonly [must: number, ambitious: number],
  work: UsersWork | readonly [figure: keyof UsersFigures, unit: UsersFigureGoal["unit"]],
];

const orders: readonly `order ${string}`[] = [
  "order default asc",
  "order insertInstant desc",
  "order email asc",
  "order username desc",
  "order lastName asc",
];

// Figures follow the work that they are about.
const usersRows: readonly UsersRow[] = [
  [34, "creates in one transaction vs an INSERT each", [0.45, 0.8], "creates"],
  [31, "import of 1,000,000 users vs a loop by hand", [0.45, 0.75], "import"],
  [33, "first tenth of the rows over the last", [1.25, 1.05], ["slowdown", "x"]],
  [33, "memory of the import", [200, 100], ["importMemory", "MiB"]],
  [33, "p99 of reads meanwhile over before", [3, 2], ["reads", "x"]],
  [33, "p99 of writes meanwhile over before", [3, 2], ["writes", "x"]],
  [35, "an email vs the unique index by hand", [0.25, 0.6], "email"],
  [35, "a login id vs the unique index by hand", [0.25, 0.6], "loginId"],
  ...orders.map((order): UsersRow => [36, `page and total, ${order}`, [0.9, 10], order]),
  [37, "longest block by a search", [20, 5], ["block", "ms"]],
  [38, "export vs reading and writing by hand", [0.4, 0.8], "export"],
  [38, "memory of the export", [150, 60], ["exportMemory", "MiB"]],
  // Behind the export, whose users these are not.
  [33, "import into an empty service over one with indexes", [2, 1.3], ["indexed", "x"]],
];

const toUsersGoals = (database: UsersDatabase): readonly Goal[] =>
  usersRows
    .filter(([number]) => number !== 34 || database === "postgres")
    .map(([number, title, [must, ambitious], work]): Goal => {
      const goal = {
        number: number === 31 && database === "postgres" ? 32 : number,
        title: `${database === "sqlite" ? "SQLite" : "Postgres"}, ${title}`,
        must,
        ambitious,
        database,
      };
      if (typeof work === "string") return { ...goal, measure: "users", work };
      const [figure, unit] = work;
      return { ...goal, measure: "users-figure", figure, unit };
    })
    .map((goal) => (goal.number === 32 ? { ...goal, must: 0.35, ambitious: 0.65 } : goal));

/** Goals 31 to 38: a million users on SQLite. */
export const usersGoals: readonly Goal[] = toUsersGoals("sqlite");

/** The same on Postgres, with goal 34. */
export const postgresUsersGoals: readonly Goal[] = toUsersGoals("postgres");
