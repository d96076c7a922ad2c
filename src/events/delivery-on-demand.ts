import type { ServiceContext } from "../operations/service-context.js";

/** What brings to their receivers what waits in the storage, from its start until it is stopped. `Settled` is what `settle` answers. */
export interface Delivering<Settled> {
  readonly start: () => void;
  /** Lets what waits leave soon. */
  readonly wake: () => void;
  /** Delivers all that is due now, started or not. */
  readonly settle: () => Promise<Settled>;
  readonly stop: () => Promise<void>;
}

/** All that delivers: when more is due, in epoch milliseconds, is what settling answers. */
export type AllDelivering = Delivering<number | undefined>;

/** The deliverers, loaded when events and mails are to leave: a start does without. */
export class DeliveryOnDemand {
  readonly #create: () => Promise<AllDelivering>;
  #deliverer: Promise<AllDelivering> | undefined;
  #running: AllDelivering | undefined;

  constructor(service: () => ServiceContext) {
    this.#create = async () => (await import("../on-demand.js")).createDeliverers(service());
  }

  /** Begins to deliver, until {@link stop}. */
  async start(): Promise<void> {
    this.#deliverer ??= this.#create();
    this.#running = await this.#deliverer;
    this.#running.start();
  }

  /** Lets events and mails leave soon, if they are delivered here at all. */
  readonly wake = (): void => this.#running?.wake();

  /** Delivers all that is due now, started or not; answers when more is due, in epoch milliseconds. */
  async settle(): Promise<number | undefined> {
    this.#deliverer ??= this.#create();
    return (await this.#deliverer).settle();
  }

  /** Ends what {@link start} began. */
  async stop(): Promise<void> {
    await (await this.#deliverer)?.stop();
  }
}
