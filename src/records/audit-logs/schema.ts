import { anyValue, data, id, name, object, requiredText, type Schema, text } from "../../http/schema/fields.js";

/** What a caller may say in an entry of the audit log (docs/reference/system.md). */
export interface AuditLogFields {
  /** What was done. */
  readonly message: string;
  /** Free metadata: any JSON object. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** Who did it, as an email address for example. Default: who calls. */
  readonly insertUser?: string | undefined;
  /** What was changed, as it is now: any JSON. */
  readonly newValue?: unknown;
  /** What was changed, as it was before: any JSON. */
  readonly oldValue?: unknown;
  /** Why it was done, as free text. */
  readonly reason?: string | undefined;
  /** Whose entry it is; absent: the whole instance's. */
  readonly tenantId?: string | undefined;
}

/** A member of a record that a change gave another value. */
export interface AuditedMember {
  /** Where the member is, as a JSON Pointer: `/data/color`. */
  readonly path: string;
  /** Its value before; absent where it had none. */
  readonly oldValue?: unknown;
  /** Its value after; absent where it has none. */
  readonly newValue?: unknown;
}

/** An entry of the audit log, on the wire. */
export interface AuditLog extends AuditLogFields {
  /** The members that differ, in entries of the service about changed records; without `lastUpdateInstant` and secrets. */
  readonly changes?: readonly AuditedMember[] | { readonly leftOut: string } | undefined;
  /** Counted from one; a later entry has a greater one. */
  readonly id: number;
  /** Epoch milliseconds. */
  readonly insertInstant: number;
  readonly insertUser: string;
}

/** The body of POST. */
export interface AuditLogRequest {
  /** The entry; `message` is required. */
  readonly auditLog: AuditLogFields;
}

export const auditLogRequest: Schema<AuditLogRequest> = object({
  auditLog: object({
    message: requiredText(),
    data: data().optional(),
    insertUser: name().optional(),
    newValue: anyValue().optional(),
    oldValue: anyValue().optional(),
    reason: text().optional(),
    tenantId: id().optional(),
  }),
});

/** The criteria of a search in the audit log (docs/reference/search.md). */
export interface AuditLogCriteria {
  /** The first instant, in epoch milliseconds. */
  readonly start?: number;
  /** The instant before which entries were made, in epoch milliseconds. */
  readonly end?: number;
  /** A text filter on the message. */
  readonly message?: string;
  /** What the JSON of the new value holds. */
  readonly newValue?: string;
  /** What the JSON of the old value holds. */
  readonly oldValue?: string;
  /** A text filter on the reason. */
  readonly reason?: string;
  /** Only entries of this tenant. */
  readonly tenantId?: string;
  /** Who did it: what `insertUser` holds. */
  readonly user?: string;
}

/** The body of an export of the audit log. */
export interface ExportAuditLogsRequest {
  /** Criteria as of a search in the audit log; its order and page say nothing here. Default: all entries. */
  readonly search: AuditLogCriteria;
}

/** Which entries are exported. Their criteria are parsed as those of a search. */
export const exportAuditLogsRequest: Schema<ExportAuditLogsRequest> = object({ search: data().default({}) });
