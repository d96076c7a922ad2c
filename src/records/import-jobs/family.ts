import { defineRoutes } from "../../http/route/define-route.js";
import { defineTable } from "../../operations/family/family.js";
import { customOperation, type FamilyRow, type IdInput } from "../../operations/family/family-row.js";
import type { OperationSignature, StreamSignature } from "../../operations/operation.js";
import type { Table } from "../../ports/storage.js";
import type { CreateImportJobInput, ImportJob, ImportJobState } from "./schema.js";

/** Operations on import jobs (docs/reference/user-import.md#jobs). */
export interface ImportJobOperations {
  /** Uploads users and imports them in the background; returns the job after the whole upload has arrived. */
  readonly start: StreamSignature<CreateImportJobInput, { readonly job: ImportJob }>;
  /** Returns a record; 404 for an unknown id. */
  readonly retrieve: OperationSignature<IdInput<"jobId">, { readonly job: ImportJob }>;
  /** Returns at most 1,000 jobs, newest first. */
  readonly list: OperationSignature<Record<never, never>, { readonly jobs: readonly ImportJob[] }>;
  /** Returns the results of the rows so far, as NDJSON. */
  readonly results: StreamSignature<IdInput<"jobId">, AsyncIterable<Uint8Array>>;
  /** Returns server-sent events of a job until it ends. */
  readonly progress: StreamSignature<IdInput<"jobId">, AsyncIterable<Uint8Array>>;
  /** Continues a failed or canceled job. */
  readonly resume: OperationSignature<IdInput<"jobId">, { readonly job: ImportJob }>;
  /** Cancels a job; `hardDelete` also removes its upload and results. Imported users stay. */
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

/** Chunks of uploads, sealed, and of results: one chunk of results for each chunk of the upload. */
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

/** The states of unfinished jobs. `Uploading` is internal: the upload has not fully arrived. */
export const openStates: readonly (ImportJobState | "Uploading")[] = ["Uploading", "Queued", "Running"];

/** The family of import jobs. */
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
