import type { Timers } from "../../ports/runtime.js";
import type { CreateImportJobInput, ImportJob, ImportJobOptions, ImportResult } from "../../records/import-jobs/schema.js";
import { pause } from "../../shared/async.js";

/** What a call of a job may say beside its input. */
interface JobCallOptions {
  /** Why users are imported: where the service audits changes. */
  readonly auditReason?: string;
  /** Do everything, and store nothing. */
  readonly dryRun?: boolean;
  /** The tenant that the users belong to. */
  readonly tenantId?: string;
}

/** The calls of jobs that an import makes. */
export interface ImportJobCalls {
  readonly start: (input: CreateImportJobInput, options: JobCallOptions) => Promise<{ readonly job: ImportJob }>;
  readonly results: (input: { jobId: string }, options: JobCallOptions) => Promise<AsyncIterable<Uint8Array>>;
  readonly retrieve: (input: { jobId: string }, options: JobCallOptions) => Promise<{ readonly job: ImportJob }>;
}

/** Options of an import in process. */
export interface UserImportOptions extends Omit<ImportJobOptions, "columns">, JobCallOptions {
  /** Called at most each half second, and at the end. */
  readonly onProgress?: ((job: ImportJob) => void) | undefined;
}

/** What came of an import in process. */
export interface UserImport {
  /** The job as it ended. */
  readonly job: ImportJob;
  /** What became of each row, read as you ask for it. */
  readonly results: AsyncIterable<ImportResult>;
}

/** Imports of any number of users in process. */
export interface UserImports {
  /**
   * Imports users as an import job does, and resolves when the job is over: a row that is refused stands in `results` and stops nothing.
   * The users are taken as fast as they are stored. When the process dies meanwhile, the next one continues the job, once all had been taken.
   */
  readonly import: (users: CreateImportJobInput["users"], options?: UserImportOptions) => Promise<UserImport>;
}

const pollMilliseconds = 500;

/** The import of one caller, by the caller's calls of jobs. */
export function toUserImport(jobs: ImportJobCalls, timers: Timers): UserImports["import"] {
  return async (users, { auditReason, dryRun, onProgress, tenantId, ...options } = {}) => {
    const bound = { ...(tenantId !== undefined && { tenantId }) };
    const said = { ...bound, ...(auditReason !== undefined && { auditReason }), ...(dryRun !== undefined && { dryRun }) };
    let { job } = await jobs.start({ ...options, users }, said);
    const jobId = job.id;
    while (job.state === "Queued" || job.state === "Running") {
      await pause(timers, job.total > smallTotal ? pollMilliseconds : pollMilliseconds / 25);
      ({ job } = await jobs.retrieve({ jobId }, bound));
      onProgress?.(job);
    }
    return { job, results: readResults(await jobs.results({ jobId }, bound)) };
  };
}

/** Up to how many rows an import is looked at more often, since it takes less than half a second. */
const smallTotal = 2_000;

async function* readResults(parts: AsyncIterable<Uint8Array>): AsyncGenerator<ImportResult> {
  // Each part ends with a line.
  for await (const part of parts)
    for (const line of Buffer.from(part).toString("utf8").split("\n")) if (line !== "") yield JSON.parse(line) as ImportResult;
}
