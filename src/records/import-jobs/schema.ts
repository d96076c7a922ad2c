import { integer, object, option, type Schema, text } from "../../http/schema/fields.js";
import type { BaseRecord } from "../../operations/family/family.js";
import { type EncryptionScheme, encryptionSchemes } from "../../security/password-hashes/scheme-names.js";
import type { ImportedUser } from "../bulk-users/schema.js";

/** What an import job is doing. */
export type ImportJobState = "Queued" | "Running" | "Completed" | "Failed" | "Canceled";

/** What becomes of a row whose user exists already. */
export type OnDuplicate = "error" | "skip" | "update";

/** Whether users are published up to 100 in an event, or each with the events of a user who is created alone. */
export type ImportEvents = "bulk" | "single";

/** An import job. Counts are of rows. */
export interface ImportJob extends BaseRecord {
  /** The tenant of the job; absent for a job of several tenants. */
  readonly tenantId?: string | undefined;
  /** What the job is doing. */
  readonly state: ImportJobState;
  /** What becomes of rows whose user exists already. */
  readonly onDuplicate: OnDuplicate;
  /** How users are published. */
  readonly events: ImportEvents;
  /** Whether nothing is stored. */
  readonly dryRun: boolean;
  /** All rows of the upload. */
  readonly total: number;
  /** Rows whose user was created. */
  readonly created: number;
  /** Rows whose user was changed. */
  readonly updated: number;
  /** Rows whose user existed already. */
  readonly skipped: number;
  /** Rows that were refused. */
  readonly failed: number;
  /** Rows a second, while the job was worked on. */
  readonly rate?: number | undefined;
  /** How long the rest will take at that rate. */
  readonly remainingSeconds?: number | undefined;
  /** When work on it began, in epoch milliseconds. */
  readonly startInstant?: number | undefined;
  /** When it was completed, failed or was canceled, in epoch milliseconds. */
  readonly completionInstant?: number | undefined;
  /** The code of what made it fail. */
  readonly reason?: string | undefined;
}

/** What became of one row. */
export interface ImportResult {
  /** The line of the row in the upload, from 1; in CSV the number of the record, of which the header is the first. */
  readonly line: number;
  /** The id of the user; absent where there is none. */
  readonly id?: string | undefined;
  /** What became of the row. */
  readonly outcome: "created" | "updated" | "skipped" | "failed";
  /** Why it failed, as refusals say it. */
  readonly errors?:
    | { readonly fieldErrors?: Readonly<Record<string, unknown>>; readonly generalErrors?: readonly unknown[] }
    | undefined;
}

/** What a caller says of an import job. */
export interface ImportJobOptions {
  /** What becomes of a row whose user exists already: it fails, is passed over, or changes the user. Default `error`. */
  readonly onDuplicate?: OnDuplicate | undefined;
  /** `bulk`: up to 100 users in each `user.bulk.create`. `single`: the events of users who are created alone. Default `bulk`. */
  readonly events?: ImportEvents | undefined;
  /** How plain-text passwords are hashed. Default: Argon2id. */
  readonly encryptionScheme?: string | undefined;
  /** The factor of that scheme. */
  readonly factor?: number | undefined;
  /** The members that the columns of a CSV are, in order, in place of its header; an empty name leaves a column out. */
  readonly columns?: string | undefined;
}

/** The input of a new job in process. */
export interface CreateImportJobInput extends ImportJobOptions {
  /** The users, or the bytes of NDJSON. They are taken one by one, as fast as they are stored. */
  readonly users: AsyncIterable<ImportedUser | Uint8Array> | Iterable<ImportedUser | Uint8Array>;
}

/** Options of a job with their defaults. */
export interface ParsedJobOptions {
  readonly columns?: string | undefined;
  readonly encryptionScheme?: EncryptionScheme | undefined;
  readonly events: ImportEvents;
  readonly factor?: number | undefined;
  readonly onDuplicate: OnDuplicate;
}

/** What the query of a new job says. */
export const importJobOptions: Schema<ParsedJobOptions> = object({
  columns: text().max(10_000, { error: "tooLong" }).optional(),
  encryptionScheme: option(encryptionSchemes).optional(),
  events: option(["bulk", "single"]).default("bulk"),
  factor: integer(1, Number.MAX_SAFE_INTEGER).optional(),
  onDuplicate: option(["error", "skip", "update"]).default("error"),
});
