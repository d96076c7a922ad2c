import type { ServiceContext } from "../../operations/service-context.js";
import type { CallResult } from "./attempt.js";
import type { RetryPolicy } from "./delivery.js";
import type { LeasedEvent } from "./leased-event.js";

/** How an event is delivered. */
export interface DelivererParts {
  readonly service: () => ServiceContext;
  /** Calls one receiver. Never rejects. */
  readonly call: (receiverId: string, claim: LeasedEvent) => Promise<CallResult>;
  /** Closes what the calls kept open. */
  readonly close: () => Promise<void>;
  /** How long stopping waits for calls that are under way. */
  readonly closeTimeoutMilliseconds: number;
  readonly policy: RetryPolicy;
  /** Calls of one receiver at a time. */
  readonly concurrency: number;
  /** Whether each receiver is sent the events of one subject one after the other. */
  readonly isOrdered: boolean;
}
