import { id, instant, object, type Schema, text } from "../../http/schema/fields.js";

/** Which logins to export, and how their instants are written. */
export interface ExportLoginRecordsRequest {
  /** Which logins. Default: all. */
  readonly criteria?:
    | {
        /** Only logins to this application. */
        readonly applicationId?: string | undefined;
        /** The instant before which the logins were, in epoch milliseconds. */
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

/** A login as its record shows it. */
export interface LoginRecord {
  /** The application that the user logged in to; absent for none. */
  readonly applicationId?: string | undefined;
  /** Its name as it is now. */
  readonly applicationName?: string | undefined;
  /** The identity provider that vouched for the user; absent for other logins. */
  readonly identityProviderId?: string | undefined;
  /** When, in epoch milliseconds. */
  readonly instant: number;
  /** The address of the user; absent where it is unknown. */
  readonly ipAddress?: string | undefined;
  /** The email address of the user at that moment, else the username. */
  readonly loginId?: string | undefined;
  /** The user. */
  readonly userId: string;
}

/** Which logins to export. */
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
