import { eventsTable } from "../../operations/outbox/tables.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { CancelTimer } from "../../ports/runtime.js";
import { type Lazy, lazily } from "../../shared/async.js";
import type { Deliverers } from "./create-deliverers.js";

/** What is due from before the start waits this long; what comes later begins the deliveries at once. */
const startDelayMilliseconds = 1000;

const loadDeliverers = lazily(() => import("./deliveries.js"));

/** The deliverers, loaded when events and mails are to leave: a start does without. */
export class DeliveryOnDemand {
  readonly #service: () => ServiceContext;
  readonly #deliverer: Lazy<Deliverers>;
  #running: Deliverers | undefined;
  #cancelStart: CancelTimer | undefined;

  constructor(service: () => ServiceContext) {
    this.#service = service;
    this.#deliverer = lazily(async () => (await loadDeliverers()).createDeliverers(service()));
  }

  /** Begins to deliver, unless the options say otherwise: a moment later, so that no start of a service waits for what it loads. */
  startByItself(): void {
    const { delivery, runtime } = this.#service();
    if (delivery.autoStart) this.#cancelStart = runtime.timers.after(startDelayMilliseconds, () => this.#startNow());
  }

  #startNow(): void {
    const { logger } = this.#service().runtime;
    this.start().catch((error: unknown) => logger.error({ err: error }, "deliveries could not be started"));
  }

  /** Begins to deliver, until {@link stop}. */
  async start(): Promise<void> {
    this.#dropStart();
    this.#running = await this.#deliverer();
    this.#running.start();
  }

  /** What operations ask for: that events leave soon if they are delivered here at all, and the approval of receivers. */
  readonly work: Pick<ServiceContext, "askReceivers" | "wakeDeliverer"> = {
    askReceivers: async (requests) => (await loadDeliverers()).requestApprovals(this.#service(), requests),
    wakeDeliverer: (queue = eventsTable.name) => {
      if (this.#cancelStart !== undefined) this.#startNow();
      else this.#running?.wake(queue);
    },
  };

  /** Delivers all that is due now, started or not; answers when more is due, in epoch milliseconds. */
  async settle(): Promise<number | undefined> {
    return (await this.#deliverer()).settle();
  }

  /** Ends what {@link start} began. */
  async stop(): Promise<void> {
    this.#dropStart();
    await (await this.#deliverer.begun())?.stop();
  }

  #dropStart(): void {
    this.#cancelStart?.();
    this.#cancelStart = undefined;
  }
}
