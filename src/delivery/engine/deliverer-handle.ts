/** Delivers waiting messages to their receivers, from `start` until `stop`. `Settled` is the result of `settle`. */
export interface Deliverer<Settled> {
  readonly start: () => void;
  /** Looks for waiting messages soon. */
  readonly wake: () => void;
  /** Delivers all messages that are due now, started or not. */
  readonly settle: () => Promise<Settled>;
  readonly stop: () => Promise<void>;
}

/** All deliverers of a service. `settle` returns when the next message is due, in epoch milliseconds. */
export type AllDeliverers = Deliverer<number | undefined>;
