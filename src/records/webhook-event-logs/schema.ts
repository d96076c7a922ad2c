import type { RecordedEvent } from "../../operations/events/recorded-event.js";

/** The state of the delivery of an event. */
export type WebhookEventResult = "Running" | "Succeeded" | "Failed";

/** The delivery of an event to all of its receivers (docs/reference/events.md#event-log). Instants are epoch milliseconds. */
export interface WebhookEventLog {
  /** Always `{}`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The event as sent to receivers. */
  readonly event: { readonly event: RecordedEvent };
  /** The state of the delivery to all receivers. */
  readonly eventResult: WebhookEventResult;
  /** The type of the event, such as `user.create`. */
  readonly eventType: string;
  /** The number of failed attempts. */
  readonly failedAttempts: number;
  /** The id of the event. */
  readonly id: string;
  /** When the event was recorded. */
  readonly insertInstant: number;
  /** The start of the last attempt; absent before the first one. */
  readonly lastAttemptInstant?: number | undefined;
  /** The last change of the delivery. */
  readonly lastUpdateInstant: number;
  /** The id of the user, group or entity that the event is about. */
  readonly linkedObjectId?: string | undefined;
  /** Greater than that of every earlier event. */
  readonly sequence: number;
  /** The number of successful attempts. */
  readonly successfulAttempts: number;
  /** Only in the response for a single log, not in searches. */
  readonly attempts?: readonly WebhookAttemptLog[];
}

/** One attempt to deliver an event to one receiver (docs/reference/events.md#event-log). Instants are epoch milliseconds. */
export interface WebhookAttemptLog {
  /** `Unknown`: the service sent nothing. */
  readonly attemptResult: "Success" | "Failure" | "Unknown";
  /** Always `{}`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** When the attempt ended. */
  readonly endInstant: number;
  /** The UUID of the attempt. */
  readonly id: string;
  /** When the attempt began. */
  readonly startInstant: number;
  /** The response of the receiver, or the reason why there is none. */
  readonly webhookCallResponse: {
    /** The reason why there is no response. */
    readonly exception?: string;
    /** The HTTP status of the response. */
    readonly statusCode?: number;
    /** The URL that was called. */
    readonly url?: string;
  };
  /** Absent in the log of the event. */
  readonly webhookEventLogId?: string;
  /** Absent for the broker. */
  readonly webhookId?: string;
}
