/** How serious what was noted is. */
export type EventLogType = "Information" | "Debug" | "Error";

/** The types of entries. */
export const eventLogTypes: readonly EventLogType[] = ["Information", "Debug", "Error"];

/** An entry of the event log (docs/reference/system.md). */
export interface EventLog {
  /** Counted from one; a later entry has a greater one. */
  readonly id: number;
  /** Epoch milliseconds. */
  readonly insertInstant: number;
  /** What happened, as lines of text. */
  readonly message: string;
  /** How serious it is. */
  readonly type: EventLogType;
}
