import type { ServiceContext } from "../operations/service-context.js";
import type { WebhookEventLog } from "../resources/webhook-event-logs/schema.js";
import type { Attempt, LoggedAttempt } from "./attempt.js";
import type { ClaimedEvent } from "./claimed-event.js";
import { claimDueEvents, keepClaims, leaseMilliseconds, takeEvents } from "./claims.js";
import { afterAttempt, type DeliveryState, dueReceivers, nextInstant, type RetryPolicy } from "./delivery.js";
import { Lanes } from "./lanes.js";

/** What became of a call to a receiver. `isGone`: there is no such receiver any more. */
export interface CallResult extends Pick<Attempt, "exception" | "isDelivered" | "statusCode" | "url"> {
  readonly isGone?: boolean | undefined;
}

/** How an event is delivered. */
export interface DelivererParts {
  readonly service: () => ServiceContext;
  /** Calls one receiver. Never rejects. */
  readonly call: (receiverId: string, log: WebhookEventLog) => Promise<CallResult>;
  /** Closes what the calls kept open. */
  readonly close: () => Promise<void>;
  readonly policy: RetryPolicy;
  /** Calls of one receiver at a time. */
  readonly concurrency: number;
}

const batch = 100;
const maxClaims = 2_000;
const maxWaiting = 500;
const pollMilliseconds = 1_000;
const renewMilliseconds = leaseMilliseconds / 3;
const deferMilliseconds = 5_000;
const stopMilliseconds = 3_000;

/** An event that is being delivered: how far it is, and whom it waits for. */
interface Work {
  claim: ClaimedEvent;
  readonly open: Set<string>;
  readonly attempts: LoggedAttempt[];
}

/**
 * Takes events out of the outbox and brings them to their receivers, each receiver in a lane of its own. How far an event is, is kept with
 * it, so that a process that dies loses nothing: somebody goes on when its claim is over, with what was not kept as done.
 */
export class Deliverer {
  readonly #parts: DelivererParts;
  readonly #lanes: Lanes;
  readonly #works = new Map<string, Work>();
  readonly #timers: NodeJS.Timeout[] = [];
  #ended: Work[] = [];
  #running: Promise<void> | undefined;
  #keeping: Promise<void> | undefined;
  #isWoken = false;
  #isStopped = true;

  constructor(parts: DelivererParts) {
    this.#parts = parts;
    this.#lanes = new Lanes({ concurrency: parts.concurrency, waiting: maxWaiting });
  }

  /** Begins to deliver; never keeps the process alive. */
  start(): void {
    if (!this.#isStopped) return;
    this.#isStopped = false;
    this.#timers.push(setInterval(() => this.wake(), pollMilliseconds).unref());
    this.#timers.push(setInterval(() => this.#renew(), renewMilliseconds).unref());
    this.wake();
  }

  /** Looks for events soon. */
  wake(): void {
    this.#isWoken = true;
    if (this.#isStopped || this.#running !== undefined) return;
    this.#running = this.#drain()
      .catch((error) => this.#log(error))
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Begins nothing any more, waits a moment for calls that are under way, and gives back what is not done. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    await this.#running;
    this.#lanes.clear();
    const deadline = performance.now() + stopMilliseconds;
    while (this.#lanes.isBusy && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
    await this.#keeping;
    this.#ended = [...this.#works.values()];
    this.#works.clear();
    await this.#keep();
    await this.#parts.close();
  }

  async #drain(): Promise<void> {
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false;
      while (!this.#isStopped && this.#works.size < maxClaims && (await this.#claimSome()));
    }
  }

  async #claimSome(): Promise<boolean> {
    const service = this.#parts.service();
    const { taken, claims } = await takeEvents(service, batch);
    const due = await claimDueEvents(service, batch);
    for (const claim of [...claims, ...due]) this.#begin(claim);
    return taken === batch || due.length === batch;
  }

  #begin(claim: ClaimedEvent): void {
    const due = dueReceivers(claim.state, this.#now());
    const work: Work = { claim, open: new Set(due.map(({ receiverId }) => receiverId)), attempts: [] };
    this.#works.set(claim.log.id, work);
    for (const { receiverId } of due)
      if (!this.#lanes.run(receiverId, () => this.#call(work, receiverId))) this.#defer(work, receiverId);
    if (due.length === 0) this.#end(work);
  }

  async #call(work: Work, receiverId: string): Promise<void> {
    const { log, tenantId } = work.claim;
    const startInstant = this.#now();
    const { isGone, ...result } = await this.#parts.call(receiverId, log);
    const endInstant = this.#now();
    if (isGone)
      this.#change(
        work,
        work.claim.state.filter((receiver) => receiver.receiverId !== receiverId),
      );
    else {
      work.attempts.push({ eventLogId: log.id, tenantId, receiverId, startInstant, endInstant, ...result });
      const end = { receiverId, isDelivered: result.isDelivered, endInstant };
      this.#change(work, afterAttempt(work.claim.state, end, this.#parts.policy, Math.random()));
      this.#count(work, result.isDelivered, endInstant);
    }
    this.#close(work, receiverId);
  }

  #count(work: Work, isDelivered: boolean, lastAttemptInstant: number): void {
    const { log } = work.claim;
    const counts = isDelivered ? { successfulAttempts: log.successfulAttempts + 1 } : { failedAttempts: log.failedAttempts + 1 };
    work.claim = { ...work.claim, log: { ...log, ...counts, lastAttemptInstant } };
  }

  // Too much waits for the receiver: the event is given back and comes again soon.
  #defer(work: Work, receiverId: string): void {
    const dueInstant = this.#now() + deferMilliseconds;
    const later = work.claim.state.map((one) => (one.receiverId === receiverId ? { ...one, dueInstant } : one));
    this.#change(work, later);
    this.#close(work, receiverId);
  }

  #change(work: Work, state: DeliveryState): void {
    work.claim = { ...work.claim, state };
  }

  #close(work: Work, receiverId: string): void {
    work.open.delete(receiverId);
    if (work.open.size === 0) this.#end(work);
  }

  #end(work: Work): void {
    if (!this.#works.has(work.claim.log.id)) return;
    this.#ended.push(work);
    this.#keeping ??= this.#keepSoon();
  }

  // What ends in the same turn is kept together.
  async #keepSoon(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await this.#keep().catch((error) => this.#log(error));
    this.#keeping = undefined;
    if (this.#ended.length > 0) setTimeout(() => (this.#keeping ??= this.#keepSoon()), this.#isStopped ? 0 : 50).unref();
  }

  async #keep(): Promise<void> {
    const ended = this.#ended;
    if (ended.length === 0) return;
    this.#ended = [];
    const now = this.#now();
    const claims = ended.map(({ claim }) => grown(claim, now));
    const attempts = ended.flatMap((work) => work.attempts);
    try {
      await keepClaims(this.#parts.service(), claims, attempts, 0);
    } catch (error) {
      this.#ended = [...ended, ...this.#ended];
      throw error;
    }
    for (const { claim } of ended) this.#works.delete(claim.log.id);
    if (claims.some(({ state }) => (nextInstant(state) ?? Number.POSITIVE_INFINITY) <= now)) this.wake();
  }

  #renew(): void {
    const works = [...this.#works.values()].filter((work) => work.open.size > 0);
    if (works.length === 0) return;
    const now = this.#now();
    for (const work of works) work.claim = grown(work.claim, now);
    const claims = works.map(({ claim }) => claim);
    keepClaims(this.#parts.service(), claims, [], now + leaseMilliseconds).catch((error) => this.#log(error));
  }

  #now(): number {
    return this.#parts.service().runtime.clock();
  }

  #log(error: unknown): void {
    this.#parts.service().runtime.logger.error({ err: error }, "events could not be delivered");
  }
}

function grown(claim: ClaimedEvent, now: number): ClaimedEvent {
  return { ...claim, version: claim.version + 1, log: { ...claim.log, lastUpdateInstant: now } };
}
