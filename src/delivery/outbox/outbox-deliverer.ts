import type { ServiceContext } from "../../operations/service-context.js";
import type { MessageOutcome } from "../../ports/event-transport.js";
import { appendAll } from "../../shared/append-all.js";
import { within } from "../../shared/async/within.js";
import type { Deliverer } from "../engine/deliverer-handle.js";
import {
  claimMessages,
  type LeasedMessage,
  type Outbox,
  type OutboxMessage,
  openMessage,
  releaseMessages,
  saveAttempt,
} from "./outbox.js";
import { sendTimeoutMs, trySend } from "./try-send.js";

/** How messages of one kind are sent. */
export interface OutboxDelivererParts<Message extends OutboxMessage> {
  readonly service: ServiceContext;
  readonly outbox: Outbox<Message>;
  readonly send: (message: Message) => Promise<MessageOutcome>;
}

/** Messages at a time. */
const concurrency = 8;
const pollMilliseconds = 1_000;

/**
 * Sends the messages of one kind that wait, a few at a time. It leases a message first and stores the result afterwards, so that a process that
 * dies in between loses nothing: the message leaves again under the same id once the claim is over.
 */
export class OutboxDeliverer<Message extends OutboxMessage> implements Deliverer<boolean> {
  readonly #parts: OutboxDelivererParts<Message>;
  readonly #workers = new Set<Promise<void>>();
  readonly #claimed: LeasedMessage[] = [];
  #claiming: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isWoken = false;

  constructor(parts: OutboxDelivererParts<Message>) {
    this.#parts = parts;
  }

  readonly start = (): void => {
    this.#timer ??= setInterval(this.wake, pollMilliseconds).unref();
    this.wake();
  };

  readonly wake = (): void => {
    this.#isWoken = true;
    this.#addWorker();
  };

  /** Sends all that is due, and waits for what is under way; answers whether there was anything to send. */
  readonly settle = async (): Promise<boolean> => {
    let hasSent = false;
    for (let due = await this.#takeDue(); due.length > 0; due = await this.#takeDue()) {
      hasSent = true;
      while (due.length > 0) await Promise.all(due.splice(0, concurrency).map((message) => this.#deliver(message)));
    }
    await Promise.all(this.#workers);
    return hasSent;
  };

  /** Begins nothing any more, waits a moment for what is under way, and gives back what is not begun. */
  readonly stop = async (): Promise<void> => {
    clearInterval(this.#timer);
    this.#timer = undefined;
    const { outbox, service } = this.#parts;
    await within(service.delivery.closeTimeoutMilliseconds, Promise.all(this.#workers), undefined);
    await releaseMessages(service, outbox.table, this.#claimed.splice(0)).catch((error) => this.#log(error));
  };

  get #isStopped(): boolean {
    return this.#timer === undefined;
  }

  #addWorker(): void {
    if (this.#isStopped || this.#workers.size >= concurrency) return;
    // Counted before it begins.
    const worker = Promise.resolve()
      .then(() => this.#work())
      .catch((error) => this.#log(error))
      .finally(() => this.#workers.delete(worker));
    this.#workers.add(worker);
  }

  // Each that finds a message calls for another: where there is more, all of them work.
  async #work(): Promise<void> {
    while (!this.#isStopped) {
      if (this.#claimed.length === 0) await this.#claim();
      const message = this.#claimed.shift();
      if (message !== undefined) {
        this.#addWorker();
        if (this.#isTimely(message)) await this.#deliver(message);
      } else if (!this.#isWoken) return;
    }
  }

  // All who find nothing wait for the same claim.
  #claim(): Promise<void> {
    this.#claiming ??= this.#claimSome().finally(() => {
      this.#claiming = undefined;
    });
    return this.#claiming;
  }

  async #claimSome(): Promise<void> {
    this.#isWoken = false;
    appendAll(this.#claimed, await claimMessages(this.#parts.service, this.#parts.outbox.table));
  }

  async #takeDue(): Promise<LeasedMessage[]> {
    return [...(await claimMessages(this.#parts.service, this.#parts.outbox.table))];
  }

  // Whose claim could end before it is sent, somebody claims anew.
  #isTimely({ claimedUntil }: LeasedMessage): boolean {
    return this.#parts.service.runtime.clock() + sendTimeoutMs < claimedUntil;
  }

  async #deliver(claimed: LeasedMessage): Promise<void> {
    const { outbox, send, service } = this.#parts;
    const outcome = await trySend(send, () => openMessage(service.sealer, outbox, claimed));
    const { attempts, result } = await saveAttempt(service, outbox, claimed, outcome);
    if (outcome.kind === "ok") return;
    const { id, insertInstant: _begin, lastUpdateInstant: _last, ...clear } = claimed.record;
    const fields = { ...clear, attempts, [outbox.idName]: id, reason: outcome.reason, result };
    service.runtime.logger.warn(fields, `${outbox.title} could not be sent`);
  }

  #log(error: unknown): void {
    const { outbox, service } = this.#parts;
    if (!this.#isStopped) service.runtime.logger.error({ err: error }, `${outbox.table.name} could not be sent`);
  }
}
