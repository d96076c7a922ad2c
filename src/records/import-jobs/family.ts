import { defineRoutes } from "../../http/route/define-route.js";
import { defineTable } from "../../operations/family/family.js";
import { customOperation, type FamilyRow, type IdInput } from "../../operations/family/family-row.js";
import type { OperationSignature, StreamSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import type { CreateImportJobInput, ImportJob, ImportJobState } from "./schema.js";

/** What can be done with import jobs (docs/reference/user-import.md#jobs). */
export interface ImportJobOperations {
  /** Takes an upload of users and begins to import them in the background; returns the job once all of it has arrived. */
  readonly start: StreamSignature<CreateImportJobInput, { readonly job: ImportJob }>;
  /** Returns the record with an id; 404 for an unknown one. */
  readonly retrieve: OperationSignature<IdInput<"jobId">, { readonly job: ImportJob }>;
  /** Returns the jobs, the newest first, at most 1,000. */
  readonly list: OperationSignature<Record<never, never>, { readonly jobs: readonly ImportJob[] }>;
  /** Returns what became of each row so far, as the bytes of NDJSON. */
  readonly results: StreamSignature<IdInput<"jobId">, AsyncIterable<Uint8Array>>;
  /** Returns server-sent events about a job until it ends. */
  readonly progress: StreamSignature<IdInput<"jobId">, AsyncIterable<Uint8Array>>;
  /** Continues a job that failed or was canceled. */
  readonly resume: OperationSignature<IdInput<"jobId">, { readonly job: ImportJob }>;
  /** Cancels a job; with `hardDelete` removes it, with its upload and results. What it has stored stays. */
  readonly cancel: OperationSignature<IdInput<"jobId"> & { readonly hardDelete?: boolean }, { readonly job: ImportJob }>;
}

/** The media types of an upload. */
export const uploadTypes = { csv: "text/csv", lines: "application/x-ndjson" } as const;

export const importJobsTable: Table = defineTable({
  name: "importJobs",
  tenancy: "optional",
  since: 8,
  columns: { state: { type: "text" } },
  uniqueKeys: [],
  indexes: [{ columns: ["state"] }, { columns: ["insertInstant"] }],
});

/** Parts of uploads, which are sealed, and of results, one for each part of the upload. */
export const importPartsTable: Table = defineTable({
  name: "importParts",
  tenancy: "optional",
  since: 8,
  columns: {
    jobId: { type: "id", references: { table: "importJobs", onRemove: "cascade" } },
    kind: { type: "text" },
    number: { type: "integer" },
  },
  uniqueKeys: [{ name: "part", columns: ["jobId", "kind", "number"] }],
  indexes: [],
});

/** The states of a job that is not over, beside `Uploading` of one that has not all arrived. */
export const openStates: readonly (ImportJobState | "Uploading")[] = ["Uploading", "Queued", "Running"];

/** The calls of `importJobs`. */
export const importJobFamily: FamilyRow<"importJobs", ImportJobOperations> = {
  name: "importJobs",
  idParameter: "jobId",
  operations: {
    start: {
      ...customOperation("columns", "encryptionScheme", "events", "factor", "onDuplicate"),
      streamedBody: { member: "users", types: [uploadTypes.lines, uploadTypes.csv] },
    },
    retrieve: customOperation("jobId"),
    list: customOperation(),
    results: { ...customOperation("jobId"), streamedType: uploadTypes.lines },
    progress: { ...customOperation("jobId"), streamedType: "text/event-stream" },
    resume: customOperation("jobId"),
    cancel: customOperation("jobId", "hardDelete"),
  },
  routes: defineRoutes([
    ["POST", "/api/user/import/job", "tenant", "start"],
    ["GET", "/api/user/import/job", "tenant", "list"],
    ["GET", "/api/user/import/job/:jobId", "tenant", "retrieve"],
    ["DELETE", "/api/user/import/job/:jobId", "tenant", "cancel"],
    ["GET", "/api/user/import/job/:jobId/progress", "tenant", "progress"],
    ["POST", "/api/user/import/job/:jobId/resume", "tenant", "resume"],
    ["GET", "/api/user/import/job/:jobId/results", "tenant", "results"],
  ]),
  inProcessCalls: ["users.import"],
  tables: [importJobsTable, importPartsTable],
  auditName: "import job",
};
