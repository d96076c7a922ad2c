/** How an attempt to deliver an event ended; `receiverRemoved`: nothing was sent, since the receiver was removed or disabled. */
export type DeliveryOutcome = "delivered" | "failed" | "receiverRemoved";

/** Counts attempts to deliver events, from zero on. */
export class DeliveryCounts {
  readonly #counts: Record<DeliveryOutcome, number> = { delivered: 0, failed: 0, receiverRemoved: 0 };

  note(outcome: DeliveryOutcome): void {
    this.#counts[outcome]++;
  }

  /** What was counted since the service started. */
  read(): Readonly<Record<DeliveryOutcome, number>> {
    return this.#counts;
  }
}
