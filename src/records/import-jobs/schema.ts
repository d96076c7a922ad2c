import { integer, object, option, type Schema, text, type WithDefaults } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import { encryptionSchemes } from "../../security/password-hashes/scheme-names.js";
import type { ImportedUser, ImportOptions } from "../bulk-users/schema.js";

/** The state of an import job. */
export type ImportJobState = "Queued" | "Running" | "Completed" | "Failed" | "Canceled";

/** The handling of a row for an existing user. */
export type OnDuplicate = "error" | "skip" | "update";

/** `bulk` publishes up to 100 users in one event, `single` publishes the events of users created one by one. */
export type ImportEvents = "bulk" | "single";

/** An import job. Counts are of rows. */
export interface ImportJob extends BaseRecord {
  /** The tenant of the job; absent for a job of several tenants. */
  readonly tenantId?: string | undefined;
  /** The state of the job. */
  readonly state: ImportJobState;
  /** The handling of rows for existing users. */
  readonly onDuplicate: OnDuplicate;
  /** The events of imported users. */
  readonly events: ImportEvents;
  /** Whether the job validates only, and stores nothing. */
  readonly dryRun: boolean;
  /** The number of rows in the upload. */
  readonly total: number;
  /** Rows that created a user. */
  readonly created: number;
  /** Rows that changed a user. */
  readonly updated: number;
  /** Rows for existing users, with `skip`. */
  readonly skipped: number;
  /** Rows with errors. */
  readonly failed: number;
  /** Rows per second, over the time of processing. */
  readonly rate?: number | undefined;
  /** The estimated remaining time at that rate. */
  readonly remainingSeconds?: number | undefined;
  /** The start of processing, in epoch milliseconds. */
  readonly startInstant?: number | undefined;
  /** The end of the job, in epoch milliseconds: completed, failed or canceled. */
  readonly completionInstant?: number | undefined;
  /** The error code of a failed job. */
  readonly reason?: string | undefined;
}

/** The result of one row. */
export interface ImportResult {
  /** The line of the row in the upload, counted from 1; in CSV the number of the record, with the header as the first. */
  readonly line: number;
  /** The id of the user, if there is one. */
  readonly id?: string | undefined;
  /** The outcome of the row. */
  readonly outcome: "created" | "updated" | "skipped" | "failed";
  /** The errors of a failed row, in the format of error responses. */
  readonly errors?:
    | { readonly fieldErrors?: Readonly<Record<string, unknown>>; readonly generalErrors?: readonly unknown[] }
    | undefined;
}

/** Options of an import job. */
export interface ImportJobOptions {
  /** The handling of a row for an existing user: the row fails, is skipped, or updates the user. Default `error`. */
  readonly onDuplicate?: OnDuplicate | undefined;
  /** `bulk`: up to 100 users in each `user.bulk.create`. `single`: the events of users created one by one. Default `bulk`. */
  readonly events?: ImportEvents | undefined;
  /** The scheme that hashes plain-text passwords. Default: Argon2id. */
  readonly encryptionScheme?: string | undefined;
  /** The factor of that scheme. */
  readonly factor?: number | undefined;
  /** The members of the columns of a CSV, in order, instead of its header; an empty name skips a column. */
  readonly columns?: string | undefined;
}

/** The input of a new job in process. */
export interface CreateImportJobInput extends ImportJobOptions {
  /** The users, or NDJSON bytes. The import reads as fast as it stores, with backpressure. */
  readonly users: AsyncIterable<ImportedUser | Uint8Array> | Iterable<ImportedUser | Uint8Array>;
}

/** Options of a job with defaults applied. */
export type ParsedJobOptions = WithDefaults<ImportJobOptions, "events" | "onDuplicate"> & Pick<ImportOptions, "encryptionScheme">;

/** The query parameters of a new job. */
export const importJobOptions: Schema<ParsedJobOptions> = object({
  columns: text().max(10_000, { error: "tooLong" }).optional(),
  encryptionScheme: option(encryptionSchemes).optional(),
  events: option(["bulk", "single"]).default("bulk"),
  factor: integer(1, Number.MAX_SAFE_INTEGER).optional(),
  onDuplicate: option(["error", "skip", "update"]).default("error"),
});
