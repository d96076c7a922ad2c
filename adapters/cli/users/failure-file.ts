import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { Readable } from "node:stream";
import { UsageError } from "../command/command.js";
import type { ImportPlan } from "./import-plan.js";
import { readRows } from "./read-rows.js";
import { type Row, toText } from "./source.js";
import type { Upload } from "./upload.js";

interface Failure {
  readonly line: number;
  readonly id?: string | undefined;
  readonly errors: unknown;
}

/** A file for the failed rows. They contain hashes, so only the owner may read it. */
export class FailureFile {
  readonly #file: number;

  /**
   * @param name the file name as the user entered it; an existing file is replaced
   * @param path the absolute path
   * @throws UsageError when it cannot be written
   */
  constructor(name: string, path: string) {
    try {
      // Overwriting would keep the mode of an existing file.
      rmSync(path, { force: true });
      this.#file = openSync(path, "wx", 0o600);
    } catch (cause) {
      throw new UsageError(`The file ${name} cannot be written.`, { cause });
    }
  }

  /** Writes the failed rows in file order, with one row in memory at a time. */
  async write(plan: ImportPlan, upload: Upload, results: AsyncIterable<Uint8Array>): Promise<void> {
    const refused = upload.refused;
    const failures = failedRows(upload, results);
    if (plan.file === "-") {
      for (const line of refused.keys()) this.#add(refusalOf(upload, line));
      for await (const failure of failures) this.#add(failure);
    } else {
      let next = await failures.next();
      for await (const read of readRows(await plan.open(), plan.source.path)) {
        const row = "row" in read ? read.row : undefined;
        if (refused.has(read.line)) this.#add(refusalOf(upload, read.line), row);
        else if (next.done !== true && next.value.line === read.line) {
          this.#add(next.value, row);
          next = await failures.next();
        }
      }
    }
    closeSync(this.#file);
  }

  #add(failure: Failure, row?: Row): void {
    writeSync(this.#file, `${JSON.stringify({ ...failure, row })}\n`);
  }
}

function refusalOf({ refused }: Upload, line: number): Failure {
  return { line, errors: { generalErrors: [{ message: refused.get(line) }] } };
}

// Converts line numbers of the job to those of the file.
async function* failedRows({ lines }: Upload, results: AsyncIterable<Uint8Array>): AsyncGenerator<Failure> {
  for await (const read of readRows(Readable.from(results))) {
    if (!("row" in read) || read.row.outcome !== "failed") continue;
    const line = Number(read.row.line);
    yield { line: lines[line - 1] ?? line, id: toText(read.row.id), errors: read.row.errors };
  }
}
