/** What brings to their receivers what waits in the storage, from its start until it is stopped. `Settled` is what `settle` answers. */
export interface Deliverer<Settled> {
  readonly start: () => void;
  /** Lets what waits leave soon. */
  readonly wake: () => void;
  /** Delivers all that is due now, started or not. */
  readonly settle: () => Promise<Settled>;
  readonly stop: () => Promise<void>;
}

/** All that delivers: when more is due, in epoch milliseconds, is what settling answers. */
export type AllDeliverers = Deliverer<number | undefined>;
