import type { ImportJob } from "latchkey/types";
import type { ImportPlan } from "./import-plan.js";
import type { JobApi } from "./job-api.js";
import type { Progress } from "./progress.js";
import { type ReadRow, readRows } from "./read-rows.js";
import { toImportRow } from "./to-import-row.js";

/** Sends the rows of a file to a job. */
export class Upload {
  /** Refused rows, by line of the file. */
  readonly refused: Map<number, string> = new Map();
  /** How many users lost each kind of data. */
  readonly losses: Map<string, number> = new Map();
  /** The line of the file, by the line of the job. */
  readonly lines: number[] = [];
  readonly #plan: ImportPlan;
  readonly #progress: Progress;

  constructor(plan: ImportPlan, progress: Progress) {
    this.#plan = plan;
    this.#progress = progress;
  }

  async send(api: JobApi): Promise<ImportJob> {
    return api.begin(this.#bytes(), this.#plan.parameters);
  }

  /** Reads the file again to map the job's lines. */
  async count(): Promise<void> {
    if (this.#plan.file !== "-") for await (const _bytes of this.#bytes());
  }

  async *#bytes(): AsyncGenerator<Uint8Array> {
    const stream = await this.#plan.open();
    const total = this.#plan.size();
    let done = 0;
    stream.on("data", (chunk: Buffer | string) => {
      done += Buffer.byteLength(chunk);
    });
    stream.pause();
    for await (const read of readRows(stream, this.#plan.source.path)) {
      const text = this.#toText(read);
      if (text !== undefined) yield Buffer.from(`${text}\n`);
      this.#progress.show({ what: "Sending", done, total });
    }
  }

  #toText(read: ReadRow): string | undefined {
    if ("error" in read) {
      this.refused.set(read.line, read.error);
      return undefined;
    }
    const moved = this.#plan.source.map(read.row, this.#plan.mapping);
    if (moved === undefined) return undefined;
    const { losses, row } = toImportRow(moved, this.#plan);
    for (const loss of losses) this.losses.set(loss, (this.losses.get(loss) ?? 0) + 1);
    if (typeof row === "string") this.refused.set(read.line, row);
    else this.lines.push(read.line);
    return typeof row === "string" ? undefined : JSON.stringify(row);
  }
}
