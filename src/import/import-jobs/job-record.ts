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

/** What is stored of a job, as one that has not all arrived is too. */
export type StoredJob = Omit<ImportJob, "rate" | "remainingSeconds" | "state"> & { readonly state: ImportJobState | "Uploading" };

/** What the wire does not show of a job. */
export interface HiddenJob extends ImportOptions {
  /** The part of the upload that comes next. */
  readonly next: number;
  /** The first line of it that comes next; 0 for all of them. */
  readonly nextLine: number;
  /** How many parts of results there are. */
  readonly resultParts: number;
  /** How many parts the upload has. */
  readonly parts: number;
  /** How long it was worked on, in milliseconds. */
  readonly workedMs: number;
  /** Which process has it. */
  readonly owner?: string | undefined;
  /** Until when that process has it; another may take it afterwards. */
  readonly until?: number | undefined;
  /** Who asked for it. */
  readonly principal?: Principal | undefined;
}

/** The position of a job of which nothing is done. */
export const atStart = { next: 0, nextLine: 0, resultParts: 0, workedMs: 0 } as const;

/** A job as a process knows it. */
export interface LoadedJob {
  readonly version: number;
  readonly job: StoredJob;
  readonly hidden: HiddenJob;
}

/** How long a process has a job, in milliseconds, unless it says again that it does. */
export const leaseMilliseconds = 10_000;

/** The job of a record. */
export function toJob(stored: StoredRecord): LoadedJob {
  const hidden = { ...atStart, parts: 0, ...parseHidden<HiddenJob>(stored) };
  return { version: stored.version, job: parseRecord<StoredJob>(stored), hidden };
}

/** The record of a job. */
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

/** The job that a call names. @throws IdentityError 404 for an unknown one, one of another tenant, and one that has not all arrived. */
export async function loadJob(call: OperationCall, reader: StorageReader = call.reader): Promise<LoadedJob> {
  const stored = await reader.retrieve(call.scope, importJobsTable, requireId(call, "jobId"));
  const loaded = stored && toJob(stored);
  if (loaded === undefined || loaded.job.state === "Uploading") throw generalError("notFound");
  return loaded;
}

/** How many rows of a job have a result. */
export function countRows({ created, failed, skipped, updated }: StoredJob): number {
  return created + failed + skipped + updated;
}

/** A job as the wire shows it. */
export function showJob({ hidden: { workedMs }, job }: LoadedJob): ImportJob {
  const done = countRows(job);
  const rate = workedMs > 0 && done > 0 ? Math.round((done / workedMs) * 1_000) : undefined;
  const isOpen = job.state === "Queued" || job.state === "Running";
  const remainingSeconds = isOpen && rate ? Math.ceil((job.total - done) / rate) : undefined;
  return { ...job, state: job.state === "Uploading" ? "Queued" : job.state, rate, remainingSeconds };
}
