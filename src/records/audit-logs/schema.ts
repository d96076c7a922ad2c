import { anyValue, data, id, name, object, requiredText, type Schema, text } from "../../http/schema/fields.js";

/** Writable fields of an audit log entry (docs/reference/system.md). */
export interface AuditLogFields {
  /** The action. */
  readonly message: string;
  /** Free metadata: any JSON object. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** The actor, such as an email address. Default: the caller. */
  readonly insertUser?: string | undefined;
  /** The value after the change: any JSON. */
  readonly newValue?: unknown;
  /** The value before the change: any JSON. */
  readonly oldValue?: unknown;
  /** The reason, as free text. */
  readonly reason?: string | undefined;
  /** The tenant of the entry; absent for the whole instance. */
  readonly tenantId?: string | undefined;
}

/** A changed member of a record. */
export interface AuditedMember {
  /** The JSON Pointer of the member, such as `/data/color`. */
  readonly path: string;
  /** The value before; absent if it had none. */
  readonly oldValue?: unknown;
  /** The value after; absent if it has none. */
  readonly newValue?: unknown;
}

/** An entry of the audit log, on the wire. */
export interface AuditLog extends AuditLogFields {
  /** The changed members, in entries of the service about records; without `lastUpdateInstant` and secrets. */
  readonly changes?: readonly AuditedMember[] | { readonly leftOut: string } | undefined;
  /** Counted from one, ascending. */
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
  /** The instant before which entries were written, in epoch milliseconds. */
  readonly end?: number;
  /** A text filter on the message. */
  readonly message?: string;
  /** A text filter on the JSON of the new value. */
  readonly newValue?: string;
  /** A text filter on the JSON of the old value. */
  readonly oldValue?: string;
  /** A text filter on the reason. */
  readonly reason?: string;
  /** Only entries of this tenant. */
  readonly tenantId?: string;
  /** A text filter on `insertUser`. */
  readonly user?: string;
}

/** The body of an export of the audit log. */
export interface ExportAuditLogsRequest {
  /** Criteria of an audit log search; order and page are ignored. Default: all entries. */
  readonly search: AuditLogCriteria;
}

/** The search itself is parsed like the body of a search. */
export const exportAuditLogsRequest: Schema<ExportAuditLogsRequest> = object({ search: data().default({}) });
