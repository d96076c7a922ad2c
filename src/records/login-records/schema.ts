import { id, instant, object, type Schema, text } from "../../http/schema/fields.js";

/** The logins to export, and the format of their instants. */
export interface ExportLoginRecordsRequest {
  /** The logins to export. Default: all. */
  readonly criteria?:
    | {
        /** Only logins to this application. */
        readonly applicationId?: string | undefined;
        /** The instant before which the logins took place, in epoch milliseconds. */
        readonly end?: number | undefined;
        /** The first instant, in epoch milliseconds. */
        readonly start?: number | undefined;
        /** Only logins of this user. */
        readonly userId?: string | undefined;
      }
    | undefined;
  /** A pattern of Java's `DateTimeFormatter` of the letters `y M d H h m s S a z`. Default `M/d/yyyy hh:mm:ss a z`. */
  readonly dateTimeSecondsFormat?: string | undefined;
  /** A time zone such as `Europe/Berlin`. Default `UTC`. */
  readonly zoneId?: string | undefined;
}

/** The record of a login. */
export interface LoginRecord {
  /** The application that the user logged in to; absent for none. */
  readonly applicationId?: string | undefined;
  /** The current name of the application. */
  readonly applicationName?: string | undefined;
  /** The identity provider of the login; absent for other logins. */
  readonly identityProviderId?: string | undefined;
  /** Epoch milliseconds. */
  readonly instant: number;
  /** The IP address of the user, if known. */
  readonly ipAddress?: string | undefined;
  /** The email address of the user at the time, else the username. */
  readonly loginId?: string | undefined;
  /** The user. */
  readonly userId: string;
}

export const exportLoginRecordsRequest: Schema<ExportLoginRecordsRequest> = object({
  criteria: object({
    applicationId: id().optional(),
    end: instant().optional(),
    start: instant().optional(),
    userId: id().optional(),
  }).optional(),
  dateTimeSecondsFormat: text().max(100, { error: "tooLong" }).optional(),
  zoneId: text().max(100, { error: "tooLong" }).optional(),
});
