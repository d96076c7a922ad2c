import type { Timers } from "../../ports/runtime.js";
import type { CreateImportJobInput, ImportJob, ImportJobOptions, ImportResult } from "../../records/import-jobs/schema.js";
import { pause } from "../../shared/async.js";

interface JobCallOptions {
  /** The reason for the import, where the service audits changes. */
  readonly auditReason?: string;
  /** Dry run: runs the import without storing users. */
  readonly dryRun?: boolean;
  /** The tenant of the users. */
  readonly tenantId?: string;
}

/** The operations of jobs that an in-process import uses. */
export interface ImportJobCalls {
  readonly start: (input: CreateImportJobInput, options: JobCallOptions) => Promise<{ readonly job: ImportJob }>;
  readonly results: (input: { jobId: string }, options: JobCallOptions) => Promise<AsyncIterable<Uint8Array>>;
  readonly retrieve: (input: { jobId: string }, options: JobCallOptions) => Promise<{ readonly job: ImportJob }>;
}

/** Options of an in-process import. */
export interface UserImportOptions extends Omit<ImportJobOptions, "columns">, JobCallOptions {
  /** Called at most every 500 ms, and at the end. */
  readonly onProgress?: ((job: ImportJob) => void) | undefined;
}

/** The result of an in-process import. */
export interface UserImport {
  /** The finished job. */
  readonly job: ImportJob;
  /** The result of each row, read lazily. */
  readonly results: AsyncIterable<ImportResult>;
}

/** In-process imports of any number of users. */
export interface UserImports {
  /**
   * Imports users in an import job, and resolves when the job is over. Refused rows are in `results` and do not stop the others.
   * Backpressure: users are pulled as fast as they are stored. If the process crashes after the last user was pulled, the next
   * process continues the job.
   */
  readonly import: (users: CreateImportJobInput["users"], options?: UserImportOptions) => Promise<UserImport>;
}

const pollMilliseconds = 500;

/** Creates the in-process import of one caller. */
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

/** Jobs of at most this many rows are polled more often, because they take less than 500 ms. */
const smallTotal = 2_000;

async function* readResults(parts: AsyncIterable<Uint8Array>): AsyncGenerator<ImportResult> {
  // Each chunk ends with a complete line.
  for await (const part of parts)
    for (const line of Buffer.from(part).toString("utf8").split("\n")) if (line !== "") yield JSON.parse(line) as ImportResult;
}
