/** The severity of an entry. */
export type EventLogType = "Information" | "Debug" | "Error";

/** All types of entries. */
export const eventLogTypes: readonly EventLogType[] = ["Information", "Debug", "Error"];

/** An entry of the event log (docs/reference/system.md). */
export interface EventLog {
  /** Counted from one, ascending. */
  readonly id: number;
  /** Epoch milliseconds. */
  readonly insertInstant: number;
  /** The message, as lines of text. */
  readonly message: string;
  /** The severity. */
  readonly type: EventLogType;
}
