/** What became of one attempt to deliver an event to one receiver (docs/reference/events.md#event-log). */
export interface Attempt {
  readonly receiverId: string;
  /** Epoch milliseconds. */
  readonly startInstant: number;
  readonly endInstant: number;
  readonly isDelivered: boolean;
  readonly statusCode?: number | undefined;
  readonly url?: string | undefined;
  /** Why there was no answer, in a word. */
  readonly exception?: string | undefined;
}

/** An attempt that is to be stored with its event. */
export interface LoggedAttempt extends Attempt {
  readonly eventLogId: string;
  readonly tenantId: string | null;
}

/** What became of a call to a receiver. `isGone`: there is no such receiver any more, or it does not want such events any more. */
export interface CallResult extends Pick<Attempt, "exception" | "isDelivered" | "statusCode" | "url"> {
  readonly isGone?: boolean | undefined;
}

/** What becomes of an event whose receiver was removed or disabled since: it has failed there, and is not tried again. */
export const receiverRemoved: CallResult = Object.freeze({ isDelivered: false, isGone: true, exception: "receiverRemoved" });
