import { generalError } from "../../errors/identity-error.js";
import type { Principal } from "../../http/authenticate/principal.js";
import { toCanonicalJson } from "../../json/canonical-json.js";
import { parseHidden, parseRecord } from "../../operations/family/family.js";
import { requireId } from "../../operations/family/record-steps.js";
import type { OperationCall } from "../../operations/operation.js";
import { globalScope, type RecordToStore, type StorageReader, type StoredRecord, type Transaction } from "../../ports/storage.js";
import type { ImportOptions } from "../../records/bulk-users/schema.js";
import { importJobsTable } from "../../records/import-jobs/family.js";
import type { ImportJob, ImportJobState } from "../../records/import-jobs/schema.js";

/** A stored job, including one with an unfinished upload. */
export type StoredJob = Omit<ImportJob, "rate" | "remainingSeconds" | "state"> & { readonly state: ImportJobState | "Uploading" };

/** The members of a job that the API hides. */
export interface HiddenJob extends ImportOptions {
  readonly next: number;
  /** The next line of that part; 0 for the whole part. */
  readonly nextLine: number;
  readonly resultParts: number;
  readonly parts: number;
  /** Processing time so far, in milliseconds. */
  readonly workedMs: number;
  /** The process with the lease. */
  readonly owner?: string | undefined;
  /** The end of the lease. */
  readonly until?: number | undefined;
  readonly principal?: Principal | undefined;
}

/** The position at the start of a job. */
export const atStart = { next: 0, nextLine: 0, resultParts: 0, workedMs: 0 } as const;

/** A job in memory, with the version of its record. */
export interface LoadedJob {
  readonly version: number;
  readonly job: StoredJob;
  readonly hidden: HiddenJob;
}

/** The duration of a job's lease, which the worker renews, in milliseconds. */
export const leaseMilliseconds = 10_000;

/** Converts a record to a job. */
export function toJob(stored: StoredRecord): LoadedJob {
  const hidden = { ...atStart, parts: 0, ...parseHidden<HiddenJob>(stored) };
  return { version: stored.version, job: parseRecord<StoredJob>(stored), hidden };
}

/** Converts a job to a record. */
export function toJobRecord({ hidden, job, version }: LoadedJob): RecordToStore {
  const { id, insertInstant, lastUpdateInstant, state, tenantId = null } = job;
  const texts = { json: toCanonicalJson(job), hidden: toCanonicalJson(hidden) };
  return { id, tenantId, version, insertInstant, lastUpdateInstant, ...texts, columns: { state } };
}

/** Stores changes of a job. @throws StaleVersion when another process changed it. */
export async function changeJob(
  tx: Transaction,
  { hidden, job, version }: LoadedJob,
  changes: { readonly job: Partial<StoredJob>; readonly hidden?: Partial<HiddenJob> },
): Promise<LoadedJob> {
  const changed = { version: version + 1, job: { ...job, ...changes.job }, hidden: { ...hidden, ...changes.hidden } };
  await tx.update(globalScope, importJobsTable, toJobRecord(changed));
  return changed;
}

/**
 * Loads the job of a call. @throws IdentityError 404 for an unknown job, one of another tenant, and one with an unfinished
 * upload.
 */
export async function loadJob(call: OperationCall, reader: StorageReader = call.reader): Promise<LoadedJob> {
  const stored = await reader.retrieve(call.scope, importJobsTable, requireId(call, "jobId"));
  const loaded = stored && toJob(stored);
  if (loaded === undefined || loaded.job.state === "Uploading") throw generalError("notFound");
  return loaded;
}

/** Returns the number of rows with a result. */
export function countRows({ created, failed, skipped, updated }: StoredJob): number {
  return created + failed + skipped + updated;
}

/** Returns a job as in the API. */
export function showJob({ hidden: { workedMs }, job }: LoadedJob): ImportJob {
  const done = countRows(job);
  const rate = workedMs > 0 && done > 0 ? Math.round((done / workedMs) * 1_000) : undefined;
  const isOpen = job.state === "Queued" || job.state === "Running";
  const remainingSeconds = isOpen && rate ? Math.ceil((job.total - done) / rate) : undefined;
  return { ...job, state: job.state === "Uploading" ? "Queued" : job.state, rate, remainingSeconds };
}
