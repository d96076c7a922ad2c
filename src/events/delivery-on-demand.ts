import type { ServiceContext } from "../operations/service-context.js";
import type { Deliverer } from "./deliverer.js";

/** The deliverer, loaded when events are to leave: a start does without. */
export class DeliveryOnDemand {
  readonly #create: () => Promise<Deliverer>;
  #deliverer: Promise<Deliverer> | undefined;
  #running: Deliverer | undefined;

  constructor(service: () => ServiceContext) {
    this.#create = async () => (await import("../on-demand.js")).createDeliverer(service());
  }

  /** Begins to deliver events, until {@link stop}. */
  async start(): Promise<void> {
    this.#deliverer ??= this.#create();
    this.#running = await this.#deliverer;
    this.#running.start();
  }

  /** Lets events leave soon, if they are delivered here at all. */
  readonly wake = (): void => this.#running?.wake();

  /** Ends what {@link start} began. */
  async stop(): Promise<void> {
    await (await this.#deliverer)?.stop();
  }
}
