import { open } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import type { SqliteDatabaseLike } from "./sqlite-connection.js";

/** From how many pages of log on, 16 MiB, a commit writes them back: a page that changes often is written once, not every few commits. */
export const checkpointPages = 4_000;

/**
 * How long a log may become, in bytes. Beside transactions that follow one another a thread never comes to its end, so that from here on
 * the commit writes it back by itself; afterwards the file is cut to this length.
 */
export const maxLogBytes: number = 256 * 1_024 * 1_024;

/** From how many statements on a transaction is one whose log takes long to be written to the disk, and back to the database. */
const longFrom = 2_000;

// A connection of its own, in a thread of its own.
const program = `
const { driver, filename } = require("node:worker_threads").workerData;
const database = new (require(driver))(filename, { timeout: 0 });
database.pragma("wal_checkpoint(PASSIVE)");
database.close();
`;

/** Where the database is, and the module that opens it. */
export interface DatabasePlace {
  readonly filename: string;
  readonly driver: string;
}

/** What long transactions leave to do for the disk is done beside the event loop: their log is flushed before the commit, and written back after it. */
export class LongCommits {
  readonly #place: DatabasePlace;
  readonly #writer: SqliteDatabaseLike;
  readonly #countStatements: () => number;
  #counted = 0;
  #checkpoint: Promise<void> | undefined;

  /** `countStatements` tells how many statements the writing connection has run so far. */
  constructor(place: DatabasePlace, writer: SqliteDatabaseLike, countStatements: () => number) {
    this.#place = place;
    this.#writer = writer;
    this.#countStatements = countStatements;
  }

  /** Called before each commit; a promise where the transaction is long. */
  prepare(): Promise<void> | undefined {
    const count = this.#countStatements();
    const isLong = count - this.#counted > longFrom;
    this.#counted = count;
    return isLong ? this.#flush() : undefined;
  }

  /** Resolves when nothing is written back any more. */
  async idle(): Promise<void> {
    await this.#checkpoint;
  }

  async #flush(): Promise<void> {
    // The commit itself sees to what this leaves undone.
    const logBytes = await flushFile(`${this.#place.filename}-wal`).catch(() => 0);
    if (logBytes > maxLogBytes) return this.#checkpoint;
    if (this.#checkpoint !== undefined) return;
    this.#writer.pragma("wal_autocheckpoint = 0");
    this.#checkpoint = this.#writeBack().finally(() => {
      this.#checkpoint = undefined;
      this.#writer.pragma(`wal_autocheckpoint = ${checkpointPages}`);
    });
  }

  // Begins with the turn after the commit.
  async #writeBack(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise<void>((resolve) => {
      try {
        const thread = new Worker(program, { eval: true, execArgv: [], workerData: this.#place });
        thread.on("error", () => resolve());
        thread.on("exit", () => resolve());
      } catch {
        // Where there are no threads, the next commit writes back.
        resolve();
      }
    });
  }
}

/** Answers how long the file is, in bytes. */
async function flushFile(filename: string): Promise<number> {
  const file = await open(filename, "r+");
  try {
    await file.datasync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}
