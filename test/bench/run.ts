/** `npm run bench [-- goal numbers | yardsticks] [--pairs n] [--seconds n] [--connections n]`; see README.md beside this file. */
import type { ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  type CostGoal,
  type FigureGoal,
  type Goal,
  goals,
  type LoadGoal,
  type MemberBlockGoal,
  postgresRaces,
  postgresSearches,
  postgresUsersGoals,
  type ServerSide,
  type UsersFigureGoal,
  usersGoals,
  yardstickRaces,
} from "./goals.ts";
import { raceBundled } from "./harness/bundled.ts";
import { raceColdStart } from "./harness/cold-start.ts";
import { raceEvents } from "./harness/events.ts";
import { measureFigure, raceLambda } from "./harness/lambda.ts";
import { checkAnswers, createLoadContestant, startLoadClient } from "./harness/load.ts";
import { measureMemberBlock, raceMembers } from "./harness/members.ts";
import { assertBuilt } from "./harness/paths.ts";
import { endProcess, endProcesses } from "./harness/processes.ts";
import { alternate, type RaceResult, race } from "./harness/race.ts";
import { toFigureLine, toReportLine } from "./harness/report-line.ts";
import { raceSearch } from "./harness/search.ts";
import { type RunningServer, startServer } from "./harness/server.ts";
import { raceTestKit } from "./harness/test-kit.ts";
import { measureUsers, raceUsers } from "./harness/users.ts";
import { installPeers } from "./peers/install.ts";
import { drawProfiles } from "./profile/draw-profiles.ts";

interface RunOptions {
  readonly pairs: number;
  readonly seconds: number;
  readonly connections: number;
}

const coldStartPairs = 15;
const bundled = {
  patch: { source: "../../src/json/json-patch.ts", worker: "subjects/patch-worker.ts" },
  proof: { source: "../../src/sessions/tokens/proof-verifier.ts", worker: "subjects/proof-worker.ts" },
  "key-check": { source: "../../src/http/authenticate/authenticate-request.ts", worker: "subjects/key-check-worker.ts" },
} as const;

const readOptions = (): { selected: readonly string[]; options: RunOptions } => {
  const string = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { pairs: string, seconds: string, connections: string, profile: string },
  });
  if (values.profile !== undefined) process.env.BENCH_PROFILE = values.profile;
  const { env } = process;
  const options = {
    pairs: Number(values.pairs ?? env.BENCH_PAIRS ?? 7),
    seconds: Number(values.seconds ?? env.BENCH_SECONDS ?? 2),
    connections: Number(values.connections ?? env.BENCH_CONNECTIONS ?? 64),
  };
  for (const [name, value] of Object.entries(options)) if (!(value > 0)) throw new Error(`--${name} must be a positive number`);
  return { selected: positionals, options };
};

const lambdaNumbers: readonly unknown[] = [9, 10, 11, 12, 13, 14, "L1"];
const eventNumbers: readonly unknown[] = [21, 22, 23, "E1", "E2", "E3"];

/** Goals that need a Postgres: those of users run with `TEST_POSTGRES_URL`, and are passed over without it. */
const usersOnPostgres = process.env.TEST_POSTGRES_URL === undefined ? [] : postgresUsersGoals;

/** Goals that go by a word. */
const groups: Readonly<Record<string, readonly Goal[]>> = {
  yardsticks: yardstickRaces,
  postgres: postgresRaces,
  lambda: goals.filter((goal) => lambdaNumbers.includes(goal.number)),
  search: [
    ...goals.filter((goal) => goal.measure === "search"),
    ...(process.env.TEST_POSTGRES_URL === undefined ? [] : postgresSearches),
  ],
  users: [...usersGoals, ...usersOnPostgres],
  events: goals.filter((goal) => eventNumbers.includes(goal.number)),
  members: goals.filter((goal) => goal.measure === "members" || goal.measure === "member-block"),
};

const selectGoals = (selected: readonly string[]): readonly Goal[] => {
  if (selected.length === 0) return goals;
  const chosen = selected.flatMap(
    (word) =>
      groups[word] ??
      [...goals, ...postgresRaces, ...postgresSearches, ...usersGoals, ...usersOnPostgres, ...yardstickRaces].filter(
        (goal) => String(goal.number) === word,
      ),
  );
  if (chosen.length === 0)
    throw new Error(
      `no such goal: ${selected.join(" ")}; there are ${[...new Set(goals.map((goal) => goal.number))].join(", ")}`,
    );
  return chosen;
};

const startChecked = async (
  side: ServerSide,
  servers: RunningServer[],
): Promise<{ server: RunningServer; request: ServerSide["request"]; settles?: boolean | undefined }> => {
  if (side.needs === "peers") installPeers();
  if (side.needs === "build") assertBuilt();
  const server = await startServer(side);
  servers.push(server);
  await checkAnswers(server, side.request);
  return { server, request: side.request, settles: side.settles };
};

const raceLoad = async (goal: LoadGoal, { pairs, seconds, connections }: RunOptions): Promise<RaceResult> => {
  const servers: RunningServer[] = [];
  const client: ChildProcess = startLoadClient();
  const job = { seconds, connections: goal.connections ?? connections };
  try {
    const ours = createLoadContestant(client, await startChecked(goal.ours, servers), job);
    const base = createLoadContestant(client, await startChecked(goal.base, servers), job);
    return await race(alternate(ours, base), pairs);
  } finally {
    await endProcess(client);
    for (const server of servers) await server.stop();
  }
};

const raceCost = (goal: CostGoal, { pairs, seconds }: RunOptions): Promise<RaceResult> => {
  if (goal.measure === "patch") return raceBundled(bundled.patch, pairs, seconds);
  assertBuilt();
  return raceColdStart(Math.max(pairs, coldStartPairs));
};

const raceProof = ({ pairs, seconds }: RunOptions): Promise<RaceResult> => {
  installPeers();
  return raceBundled(bundled.proof, pairs, seconds);
};

type RaceGoal = Exclude<Goal, FigureGoal | MemberBlockGoal | UsersFigureGoal>;

const raceGoal = (goal: RaceGoal, options: RunOptions): Promise<RaceResult> => {
  if (goal.measure === "load") return raceLoad(goal, options);
  if (goal.measure === "proof") return raceProof(options);
  if (goal.measure === "key-check") return raceBundled(bundled["key-check"], options.pairs, options.seconds);
  if (goal.measure === "test-kit") {
    assertBuilt();
    return raceTestKit(options.pairs, options.seconds);
  }
  if (goal.measure === "events") {
    assertBuilt();
    return raceEvents(goal.race, options.pairs, options.seconds);
  }
  if (goal.measure === "members") {
    assertBuilt();
    return raceMembers(goal.work, options.pairs, options.seconds);
  }
  if (goal.measure === "search") {
    assertBuilt();
    return raceSearch(goal, options.pairs, options.seconds);
  }
  if (goal.measure === "users") {
    assertBuilt();
    return raceUsers(goal, options.pairs, options.seconds);
  }
  if ("race" in goal) {
    assertBuilt();
    return raceLambda(goal.race, options.pairs, options.seconds);
  }
  return raceCost(goal, options);
};

const toLine = async (goal: Goal, options: RunOptions): Promise<string> => {
  if (goal.measure === "member-block") {
    assertBuilt();
    return toFigureLine(goal, await measureMemberBlock(goal.work, options.pairs));
  }
  if (goal.measure === "users-figure") return toFigureLine(goal, await measureUsers(goal.database, goal.figure));
  if (goal.measure !== "figure") return toReportLine(goal, await raceGoal(goal, options));
  assertBuilt();
  // All hostile bodies together take most of a minute.
  return toFigureLine(goal, await measureFigure(goal.figure, goal.figure === "growth" ? 1 : options.pairs));
};

const run = async (goal: Goal, options: RunOptions): Promise<void> => {
  try {
    console.log(await toLine(goal, options));
  } catch (error) {
    const [first, ...rest] = (error instanceof Error ? error.message : String(error)).split("\n");
    console.log(`goal ${goal.number}  ${goal.title}   FAILED: ${first}`);
    if (rest.length > 0) console.error(rest.join("\n"));
    process.exitCode = 1;
  }
};

const { selected, options } = readOptions();
const { BENCH_PROFILE: profiles } = process.env;
if (profiles !== undefined) mkdirSync(profiles, { recursive: true });
for (const goal of selectGoals(selected)) {
  process.env.BENCH_GOAL = String(goal.number);
  await run(goal, options);
}
await endProcesses();
if (profiles !== undefined) for (const drawn of drawProfiles(profiles)) console.log(`flame graph: ${drawn}`);
process.exit();
