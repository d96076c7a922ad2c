import type { RecordedEvent } from "../../operations/events/recorded-event.js";

/** How far the delivery of an event is. */
export type WebhookEventResult = "Running" | "Succeeded" | "Failed";

/** The delivery of an event to all of its receivers (docs/reference/events.md#event-log). Instants are epoch milliseconds. */
export interface WebhookEventLog {
  /** Always `{}`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The event as receivers get it. */
  readonly event: { readonly event: RecordedEvent };
  /** How far the delivery is to all receivers. */
  readonly eventResult: WebhookEventResult;
  /** The type of the event, such as `user.create`. */
  readonly eventType: string;
  /** How many attempts failed. */
  readonly failedAttempts: number;
  /** The id of the event. */
  readonly id: string;
  /** When the event was recorded. */
  readonly insertInstant: number;
  /** When the last attempt began; absent before the first one. */
  readonly lastAttemptInstant?: number | undefined;
  /** When the delivery last changed. */
  readonly lastUpdateInstant: number;
  /** The id of the user, group or entity that the event is about. */
  readonly linkedObjectId?: string | undefined;
  /** Greater than that of every event that was recorded before. */
  readonly sequence: number;
  /** How many attempts succeeded. */
  readonly successfulAttempts: number;
  /** Where one log is asked for, and not a page of them. */
  readonly attempts?: readonly WebhookAttemptLog[];
}

/** One attempt to deliver an event to one receiver (docs/reference/events.md#event-log). Instants are epoch milliseconds. */
export interface WebhookAttemptLog {
  /** `Unknown`: nothing was sent. */
  readonly attemptResult: "Success" | "Failure" | "Unknown";
  /** Always `{}`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** When the attempt ended. */
  readonly endInstant: number;
  /** The UUID of the attempt. */
  readonly id: string;
  /** When the attempt began. */
  readonly startInstant: number;
  /** What the receiver answered, or why there was no answer. */
  readonly webhookCallResponse: {
    /** Why there was no answer. */
    readonly exception?: string;
    /** The HTTP status of the answer. */
    readonly statusCode?: number;
    /** The URL that was called. */
    readonly url?: string;
  };
  /** Absent inside of the event's log. */
  readonly webhookEventLogId?: string;
  /** Absent for the broker. */
  readonly webhookId?: string;
}
