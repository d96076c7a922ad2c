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
