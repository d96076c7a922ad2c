/** The process that the crash test of imports kills: the built package on SQLite or Postgres, which works on one import job. */
import { setTimeout as pause } from "node:timers/promises";
import { createIdentityService } from "latchkey";
import type { Logger, Storage } from "latchkey/ports";
import { postgresStorage } from "latchkey/postgres";
import { sqliteStorage } from "latchkey/sqlite";

const { CRASH_AHEAD: ahead, CRASH_FILE: filename = "", CRASH_ROWS: rows, CRASH_URL: connectionString } = process.env;

const storage: Storage = connectionString === undefined ? sqliteStorage({ filename }) : postgresStorage({ connectionString });
const silent = (): void => undefined;
const logger: Logger = { debug: silent, info: silent, warn: silent, error: console.error };

// The clock of each process is further ahead, so that the lease of the one before it is over.
const clock = (): number => Date.now() + Number(ahead);
const secret = "the secret of the crash test, of thirty-two characters";
const identity = await createIdentityService({ storage, secret, clock, logger, delivery: false });

function* users(): Generator<{ readonly username: string; readonly data: { readonly number: number } }> {
  for (let number = 0; number < Number(rows); number++) yield { username: `user${number}`, data: { number } };
}

let { jobs } = await identity.importJobs.list();
if (jobs.length === 0) jobs = [(await identity.importJobs.start({ users: users() })).job];
const jobId = jobs[0]?.id ?? "";
for (;;) {
  const { job } = await identity.importJobs.retrieve({ jobId });
  console.log(`${job.state} ${job.created} ${job.failed} ${job.rate ?? 0}`);
  if (job.state !== "Queued" && job.state !== "Running") break;
  await pause(50);
}

// Each line has one result, and each result a user of its own.
const [lines, ids] = [new Set<number>(), new Set<string>()];
let results = 0;
for await (const part of await identity.importJobs.results({ jobId }))
  for (const line of Buffer.from(part).toString().split("\n")) {
    if (line === "") continue;
    const result = JSON.parse(line) as { readonly line: number; readonly id: string };
    results++;
    lines.add(result.line);
    ids.add(result.id);
  }
const { total } = await identity.users.search({ search: { queryString: "*", numberOfResults: 1 } });
console.log(`verified ${JSON.stringify({ results, lines: lines.size, ids: ids.size, users: total })}`);
await identity.close();
