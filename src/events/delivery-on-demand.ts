import type { ServiceContext } from "../operations/service-context.js";

/** What brings to their receivers what waits in the storage, from its start until it is stopped. */
export interface Delivering {
  readonly start: () => void;
  /** Lets what waits leave soon. */
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
}

/** The deliverers, loaded when events and mails are to leave: a start does without. */
export class DeliveryOnDemand {
  readonly #create: () => Promise<Delivering>;
  #deliverer: Promise<Delivering> | undefined;
  #running: Delivering | undefined;

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

  /** Ends what {@link start} began. */
  async stop(): Promise<void> {
    await (await this.#deliverer)?.stop();
  }
}
