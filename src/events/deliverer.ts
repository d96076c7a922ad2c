import type { ServiceContext } from "../operations/service-context.js";
import type { Transaction } from "../ports/storage.js";
import type { Attempt, LoggedAttempt } from "./attempt.js";
import { type ClaimedEvent, withAttempts } from "./claimed-event.js";
import { claimDueEvents, leaseMilliseconds, type TakenEvent, type TakenEvents, takeEvents } from "./claims.js";
import { afterAttempt, type DeliveryState, dueReceivers, nextInstant, type RetryPolicy } from "./delivery.js";
import { type EventProgress, keepProgress, type OutboxLease } from "./kept-events.js";
import { Lanes } from "./lanes.js";
import { createLoadMeter, Pace } from "./pace.js";

/** What became of a call to a receiver. `isGone`: there is no such receiver any more. */
export interface CallResult extends Pick<Attempt, "exception" | "isDelivered" | "statusCode" | "url"> {
  readonly isGone?: boolean | undefined;
}

/** How an event is delivered. */
export interface DelivererParts {
  readonly service: () => ServiceContext;
  /** Calls one receiver. Never rejects. */
  readonly call: (receiverId: string, claim: ClaimedEvent) => Promise<CallResult>;
  /** Closes what the calls kept open. */
  readonly close: () => Promise<void>;
  readonly policy: RetryPolicy;
  /** Calls of one receiver at a time. */
  readonly concurrency: number;
}

const maxClaims = 2_000;
const laneLimits = { waiting: 1_000, waitingForSlow: 100 };
/** So many events are under way when more are taken. */
const fewWorks = 128;
const dueLimit = 100;
const pollMilliseconds = 1_000;
const renewMilliseconds = leaseMilliseconds / 3;
const minDeferMilliseconds = 1_000;
const maxDeferMilliseconds = 300_000;
const stopMilliseconds = 3_000;

/** What takes longer than this is logged before it has ended. */
const quickMilliseconds = 500;

const nothing: TakenEvents = { taken: 0, events: [], isHeard: true };

/** An event that is being delivered: how far it is, and whom it waits for. */
interface Work {
  claim: ClaimedEvent;
  readonly open: Set<string>;
  readonly attempts: LoggedAttempt[];
  /** While it is in the outbox, and in no log. */
  lease: OutboxLease | undefined;
  /** When it is kept, should it still be under way: on the clock of `performance.now`. */
  keepTime: number;
  /** The event as somebody began it anew meanwhile: it is gone on with once nobody is waited for. */
  anew?: ClaimedEvent;
}

/**
 * Takes events out of the outbox and brings them to their receivers, each receiver in a lane of its own. How far an event is, is kept with
 * it, so that a process that dies loses nothing: somebody goes on when its claim is over, with what was not kept as done.
 */
export class Deliverer {
  readonly #parts: DelivererParts;
  readonly #lanes: Lanes;
  readonly #pace = new Pace(createLoadMeter());
  readonly #works = new Map<string, Work>();
  readonly #timers: NodeJS.Timeout[] = [];
  #next: NodeJS.Timeout | undefined;
  #ended: Work[] = [];
  #looking: Promise<void> | undefined;
  #isWoken = false;
  /** Whether it is time to look for what is to be tried again. */
  #seeksDue = false;
  /** Whether there was more than the last look could take. */
  #isBehind = false;
  #isStopped = true;

  constructor(parts: DelivererParts) {
    this.#parts = parts;
    this.#lanes = new Lanes({ concurrency: parts.concurrency, ...laneLimits });
  }

  /** Begins to deliver; never keeps the process alive. */
  start(): void {
    if (!this.#isStopped) return;
    this.#isStopped = false;
    this.#timers.push(setInterval(() => this.#poll(), pollMilliseconds).unref());
    this.#poll();
  }

  /** Looks for events soon: somebody has committed some. */
  wake(): void {
    this.#pace.note();
    this.#isWoken = true;
    this.#lookSoon();
  }

  /** Begins nothing any more, waits a moment for calls that are under way, and gives back what is not done. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    clearTimeout(this.#next);
    this.#next = undefined;
    await this.#looking;
    this.#lanes.clear();
    const deadline = performance.now() + stopMilliseconds;
    while (this.#lanes.isBusy && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
    this.#ended = [...this.#works.values()];
    this.#works.clear();
    const ended = this.#ended.splice(0);
    const progress = ended.map(toProgress);
    if (ended.length > 0) await this.#inTransaction((tx) => keepProgress(this.#parts.service(), tx, progress, 0));
    await this.#parts.close();
  }

  #poll(): void {
    this.#isWoken = true;
    this.#seeksDue = true;
    this.#lookSoon();
  }

  // At once after a rest or where more waits than could be taken, else together with what comes in a moment.
  #lookSoon(): void {
    if (this.#isStopped || this.#looking !== undefined || !this.#hasToLook) return;
    const pause = this.#pace.timeLeft(this.#isDone || (this.#isBehind && this.#hasRoom));
    if (pause > 0) this.#next ??= setTimeout(() => this.#look(), pause).unref();
    else this.#look();
  }

  get #hasToLook(): boolean {
    return this.#isWoken || this.#isBehind || this.#ended.length > 0;
  }

  // All that was taken has ended: nothing more will be kept together with it.
  get #isDone(): boolean {
    return this.#ended.length > 0 && this.#ended.length === this.#works.size;
  }

  // Whoever is slow keeps nobody else waiting for longer than from one look to the next.
  get #hasRoom(): boolean {
    return this.#works.size - this.#ended.length < fewWorks;
  }

  #look(): void {
    clearTimeout(this.#next);
    this.#next = undefined;
    this.#looking = this.#lookOnce().then(
      () => this.#endLook(),
      (error) => {
        this.#looking = undefined;
        this.#log(error);
      },
    );
  }

  #endLook(): void {
    this.#looking = undefined;
    this.#lookSoon();
  }

  // What ended is kept in the transaction that takes what comes next: the flush to disk is most of what either costs.
  async #lookOnce(): Promise<void> {
    const limit = this.#pace.begin(this.#ended.length);
    const canTake = this.#works.size - this.#ended.length < maxClaims && !this.#lanes.catchesUp(fewWorks);
    this.#isWoken = false;
    const found = await this.#keepAndTake(canTake ? limit : 0);
    for (const one of found.events) this.#begin(one);
    this.#pace.end(found.isHeard);
    if (canTake && this.#seeksDue) await this.#takeDue();
    this.#isBehind = !canTake || found.taken === limit || this.#seeksDue;
  }

  // After what ended is kept: that may be what somebody sends anew.
  async #takeDue(): Promise<void> {
    const due = await claimDueEvents(this.#parts.service(), dueLimit);
    this.#seeksDue = due.length === dueLimit;
    for (const claim of due) this.#begin({ claim });
  }

  async #keepAndTake(limit: number): Promise<TakenEvents> {
    const ended = this.#ended.splice(0);
    const slow = this.#slowWorks();
    if (ended.length + slow.length === 0 && limit === 0) return nothing;
    const progress = { ended: ended.map(toProgress), slow: slow.map(toProgress) };
    try {
      const { found, kept } = await this.#inTransaction(async (tx) => {
        await keepProgress(this.#parts.service(), tx, progress.ended, 0);
        const kept = await keepProgress(this.#parts.service(), tx, progress.slow, this.#now() + leaseMilliseconds);
        return { kept, found: limit > 0 ? await takeEvents(this.#parts.service(), tx, limit) : nothing };
      });
      for (const { claim } of ended) this.#works.delete(claim.log.id);
      this.#noteKept(kept, progress.slow);
      const now = this.#now();
      this.#seeksDue ||= ended.some(({ claim }) => (nextInstant(claim.state) ?? Number.POSITIVE_INFINITY) <= now);
      return found;
    } catch (error) {
      this.#ended.unshift(...ended);
      throw error;
    }
  }

  // What is under way for long: it is kept, so that others see it in the log and let it be.
  #slowWorks(): readonly Work[] {
    const now = performance.now();
    return [...this.#works.values()].filter((work) => work.open.size > 0 && work.keepTime <= now);
  }

  // Its calls may have ended meanwhile, so that what was kept is part of what there is to tell of it.
  #noteKept(kept: readonly ClaimedEvent[], progress: readonly EventProgress[]): void {
    const counts = new Map(progress.map(({ attempts, claim }) => [claim.log.id, attempts.length]));
    for (const { log, version } of kept) {
      const work = this.#works.get(log.id);
      if (work === undefined) continue;
      work.attempts.splice(0, counts.get(log.id));
      work.lease = undefined;
      work.keepTime = performance.now() + renewMilliseconds;
      if (work.anew === undefined) work.claim = { ...work.claim, version };
      else work.anew = { ...work.anew, version };
    }
  }

  #inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#parts.service().storage.transaction(work);
  }

  #begin(taken: TakenEvent): void {
    const before = this.#works.get(taken.claim.log.id);
    if (before === undefined) this.#startWork(taken, []);
    else if (taken.lease !== undefined) before.lease = taken.lease;
    else if (before.open.size > 0) before.anew = taken.claim;
    else this.#goOn(before, taken.claim);
  }

  // What was tried before and is not kept yet, is kept with what comes.
  #goOn(before: Work, claim: ClaimedEvent): void {
    this.#ended = this.#ended.filter((work) => work !== before);
    this.#startWork({ claim: withAttempts(claim, before.attempts) }, before.attempts);
  }

  #startWork({ claim, lease }: TakenEvent, attempts: LoggedAttempt[]): void {
    const due = dueReceivers(claim.state, this.#now());
    const open = new Set(due.map(({ receiverId }) => receiverId));
    const keepTime = performance.now() + (lease === undefined ? renewMilliseconds : quickMilliseconds);
    const work: Work = { claim, lease, open, attempts, keepTime };
    this.#works.set(claim.log.id, work);
    for (const { receiverId } of due)
      if (!this.#lanes.run(receiverId, () => this.#call(work, receiverId))) this.#defer(work, receiverId);
    if (due.length === 0) this.#end(work);
  }

  async #call(work: Work, receiverId: string): Promise<void> {
    const { log, tenantId } = work.claim;
    const startInstant = this.#now();
    const { isGone, ...result } = await this.#parts.call(receiverId, work.claim);
    const endInstant = this.#now();
    if (isGone)
      this.#change(
        work,
        work.claim.state.filter((receiver) => receiver.receiverId !== receiverId),
      );
    else {
      const attempt: LoggedAttempt = { eventLogId: log.id, tenantId, receiverId, startInstant, endInstant, ...result };
      work.attempts.push(attempt);
      const end = { receiverId, isDelivered: result.isDelivered, endInstant };
      this.#change(work, afterAttempt(work.claim.state, end, this.#parts.policy, Math.random()));
      work.claim = withAttempts(work.claim, [attempt]);
    }
    this.#close(work, receiverId);
  }

  // Too much waits for the receiver: the event is given back and comes again when there is likely to be room.
  #defer(work: Work, receiverId: string): void {
    const pause = Math.round(this.#lanes.timeToRoom(receiverId));
    const dueInstant = this.#now() + Math.min(Math.max(pause, minDeferMilliseconds), maxDeferMilliseconds);
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
    if (work.anew !== undefined) {
      this.#goOn(work, work.anew);
      return;
    }
    this.#ended.push(work);
    this.#lookSoon();
  }

  #now(): number {
    return this.#parts.service().runtime.clock();
  }

  #log(error: unknown): void {
    this.#parts.service().runtime.logger.error({ err: error }, "events could not be delivered");
  }
}

function toProgress({ anew, attempts, claim, lease }: Work): EventProgress {
  return { attempts: [...attempts], claim: anew === undefined ? claim : withAttempts(anew, attempts), lease };
}
