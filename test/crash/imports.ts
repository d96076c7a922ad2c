/**
 * `node test/crash/imports.ts [rows] [kills] [--storage postgres]`: a process that imports users by a job is killed at random moments, and
 * another one continues. In the end each row is one user and has one result. Ends non-zero otherwise. Default: 60,000 rows and 5 kills.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findFreePort, startThrowAwayPostgres } from "./throw-away-postgres.ts";

const { positionals, values: given } = parseArgs({
  allowPositionals: true,
  options: { storage: { type: "string", default: "sqlite" } },
});
const [rows = 60_000, kills = 5] = positionals.map(Number);
/** Longer than the lease of a process that died. */
const aheadMs = 11_000;

const folder = mkdtempSync(join(tmpdir(), "latchkey-imports-"));
const database = given.storage === "postgres" ? await startThrowAwayPostgres(await findFreePort()) : undefined;
let worker: ChildProcess | undefined;

process.on("exit", () => {
  worker?.kill("SIGKILL");
  database?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the worker until it has imported `until` rows, or to its end; answers its last line. */
async function run(number: number, until: number): Promise<string> {
  const script = fileURLToPath(new URL("import-worker.ts", import.meta.url));
  const place = database === undefined ? { CRASH_FILE: join(folder, "crash.db") } : { CRASH_URL: database.url };
  const env = { ...process.env, ...place, CRASH_AHEAD: String(number * aheadMs), CRASH_ROWS: String(rows) };
  const child = spawn(process.execPath, [script], { env, stdio: ["ignore", "pipe", "inherit"] });
  worker = child;
  const gone = once(child, "exit");
  let last = "";
  for await (const line of createInterface({ input: child.stdout })) {
    last = line;
    const created = Number(line.split(" ")[1]);
    // At a moment that has nothing to do with the steps of the work.
    if (created >= until && child.exitCode === null) setTimeout(() => child.kill("SIGKILL"), Math.random() * 60);
  }
  await gone;
  return last;
}

const begin = performance.now();
for (let number = 0; number < kills; number++) {
  const until = Math.floor(((number + Math.random()) / kills) * rows * 0.98);
  const last = await run(number, until);
  console.log(`killed ${number + 1} of ${kills}: ${last}`);
}
const last = await run(kills, Number.POSITIVE_INFINITY);
const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
const expected = JSON.stringify({ results: rows, lines: rows, ids: rows, users: rows });
console.log(`${rows} rows, ${kills} kills, ${seconds} s: ${last}`);
if (last !== `verified ${expected}`) {
  console.error(`expected: verified ${expected}`);
  process.exit(1);
}
