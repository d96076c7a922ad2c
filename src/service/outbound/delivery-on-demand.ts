import { eventsTable } from "../../operations/outbox/tables.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { CancelTimer } from "../../ports/runtime.js";
import { type Lazy, lazily } from "../../shared/async.js";
import type { Deliverers } from "./create-deliverers.js";

/** Messages from before the start wait this long; new ones start the deliveries at once. */
const startDelayMilliseconds = 1000;

const loadDeliverers = lazily(() => import("./deliveries.js"));

/** Loads the deliverers when events or mails are due, to keep starts fast. */
export class DeliveryOnDemand {
  readonly #service: () => ServiceContext;
  readonly #deliverer: Lazy<Deliverers>;
  #running: Deliverers | undefined;
  #cancelStart: CancelTimer | undefined;

  constructor(service: () => ServiceContext) {
    this.#service = service;
    this.#deliverer = lazily(async () => (await loadDeliverers()).createDeliverers(service()));
  }

  /** Starts delivery after a delay, so that a start does not wait for the loading; not with `delivery: false`. */
  startByItself(): void {
    const { delivery, runtime } = this.#service();
    if (delivery.autoStart) this.#cancelStart = runtime.timers.after(startDelayMilliseconds, () => this.#startNow());
  }

  #startNow(): void {
    const { logger } = this.#service().runtime;
    this.start().catch((error: unknown) => logger.error({ err: error }, "deliveries could not be started"));
  }

  /** Starts delivery, until {@link stop}. */
  async start(): Promise<void> {
    this.#dropStart();
    this.#running = await this.#deliverer();
    this.#running.start();
  }

  /** Operations for calls: delivering new events soon, if this process delivers, and asking receivers for approval. */
  readonly work: Pick<ServiceContext, "askReceivers" | "wakeDeliverer"> = {
    askReceivers: async (requests) => (await loadDeliverers()).requestApprovals(this.#service(), requests),
    wakeDeliverer: (queue = eventsTable.name) => {
      if (this.#cancelStart !== undefined) this.#startNow();
      else this.#running?.wake(queue);
    },
  };

  /** Delivers all due messages, started or not; returns the next due instant in epoch milliseconds. */
  async settle(): Promise<number | undefined> {
    return (await this.#deliverer()).settle();
  }

  async stop(): Promise<void> {
    this.#dropStart();
    await (await this.#deliverer.begun())?.stop();
  }

  #dropStart(): void {
    this.#cancelStart?.();
    this.#cancelStart = undefined;
  }
}
