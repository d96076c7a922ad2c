import type { RecordedEvent } from "../../delivery/events/recorded-event.js";

/** How far the delivery of an event is. */
export type WebhookEventResult = "Running" | "Succeeded" | "Failed";

/** The delivery of an event to all of its receivers (docs/reference/events.md#event-log). Instants are epoch milliseconds. */
export interface WebhookEventLog {
  readonly data: Readonly<Record<string, unknown>>;
  readonly event: { readonly event: RecordedEvent };
  readonly eventResult: WebhookEventResult;
  readonly eventType: string;
  readonly failedAttempts: number;
  /** The id of the event. */
  readonly id: string;
  readonly insertInstant: number;
  readonly lastAttemptInstant?: number | undefined;
  readonly lastUpdateInstant: number;
  readonly linkedObjectId?: string | undefined;
  /** Greater than that of every event that was recorded before. */
  readonly sequence: number;
  readonly successfulAttempts: number;
  /** Where one log is asked for, and not a page of them. */
  readonly attempts?: readonly WebhookAttemptLog[];
}

/** One attempt to deliver an event to one receiver (docs/reference/events.md#event-log). Instants are epoch milliseconds. */
export interface WebhookAttemptLog {
  /** `Unknown`: nothing was sent. */
  readonly attemptResult: "Success" | "Failure" | "Unknown";
  readonly data: Readonly<Record<string, unknown>>;
  readonly endInstant: number;
  readonly id: string;
  readonly startInstant: number;
  readonly webhookCallResponse: {
    /** Why there was no answer. */
    readonly exception?: string;
    readonly statusCode?: number;
    readonly url?: string;
  };
  /** Absent inside of the event's log. */
  readonly webhookEventLogId?: string;
  /** Absent for the broker. */
  readonly webhookId?: string;
}
