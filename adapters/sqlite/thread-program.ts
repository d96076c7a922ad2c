/** A thread with its own connection: it runs long transactions and checkpoints the log, or runs long reads. */
import { readlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import {
  PreparedStatements,
  ready,
  type SqliteDatabaseLike,
  type ThreadCall,
  type ThreadOptions,
  type ThreadResult,
  type ThreadStatement,
  type ThreadWork,
} from "./prepared-statements.ts";

const { begin, driver, filename, niceness, pragmas } = workerData as ThreadOptions;
if (niceness !== undefined && process.platform === "linux") lowerPriority(niceness);
const database: SqliteDatabaseLike = new (createRequire(import.meta.url)(driver))(filename, { timeout: 0 });
for (const pragma of pragmas) database.pragma(pragma);
// The owner requests checkpoints between transactions, and gets the transaction's result first.
database.pragma("wal_autocheckpoint = 0");
const statements = new PreparedStatements(database);

// For speed only: while searches sort, the event loop waits a third as long for a core (goal 37 of
// docs/internals/performance.md). Only on Linux, a thread has its own priority.
function lowerPriority(niceness: number): void {
  try {
    setPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)), niceness);
  } catch {
    // Without /proc, the priority stays.
  }
}

function perform(work: ThreadWork): unknown {
  switch (work.kind) {
    case "begin":
      return statements.run(begin, []);
    case "rollback":
      return database.inTransaction ? statements.run("rollback", []) : 0;
    case "checkpoint":
      return writeBack(work.fromPages);
    case "close":
      return database.close();
    default:
      // SQLite rolls a transaction back by itself on a full disk: later writes must not commit without the earlier ones.
      if (!database.inTransaction) throw new Error("The database has undone the transaction.");
      return runInTransaction(work);
  }
}

// SQLite before 3.51 does not know NOOP: it runs a checkpoint instead.
function writeBack(fromPages: number): void {
  const [state] = database.pragma("wal_checkpoint(NOOP)") as readonly { readonly log: number }[];
  if (state !== undefined && state.log >= fromPages) database.pragma("wal_checkpoint(PASSIVE)");
}

function runInTransaction(work: ThreadStatement): unknown {
  if (work.kind === "commit") return statements.run("commit", []);
  if (work.kind === "each") return work.lists.map((parameters) => statements.run(work.sql, parameters));
  if (work.kind === "within") return statements.allWithin(work.sql, work.parameters, work.maxBytes);
  return statements[work.kind](work.sql, work.parameters);
}

parentPort?.on("message", (call: ThreadCall) => {
  const { id } = call;
  const answer = (content: ThreadResult): void => parentPort?.postMessage(content);
  try {
    answer({ id, value: perform(call) });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    answer({ id, error: { code, message } });
  }
  if (call.kind === "close") parentPort?.close();
});
parentPort?.postMessage(ready);
