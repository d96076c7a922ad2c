import type { ServiceContext } from "../operations/service-context.js";
import type { Transaction } from "../ports/storage.js";
import type { Attempt, LoggedAttempt } from "./attempt.js";
import { type ClaimedEvent, withAttempts } from "./claimed-event.js";
import { claimDueEvents, hasEvents, keepClaims, leaseMilliseconds, type TakenEvents, takeEvents } from "./claims.js";
import { afterAttempt, type DeliveryState, dueReceivers, nextInstant, type RetryPolicy } from "./delivery.js";
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

const nothing: TakenEvents = { taken: 0, claims: [], isHeard: true };

/** An event that is being delivered: how far it is, and whom it waits for. */
interface Work {
  claim: ClaimedEvent;
  readonly open: Set<string>;
  readonly attempts: LoggedAttempt[];
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
    this.#timers.push(setInterval(() => this.#renew(), renewMilliseconds).unref());
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
    if (ended.length > 0) await this.#inTransaction((tx) => this.#keep(tx, ended));
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
    for (const claim of found.claims) this.#begin(claim);
    this.#pace.end(found.isHeard);
    if (canTake && this.#seeksDue) await this.#takeDue();
    this.#isBehind = !canTake || found.taken === limit || this.#seeksDue;
  }

  // After what ended is kept: that may be what somebody sends anew.
  async #takeDue(): Promise<void> {
    const due = await claimDueEvents(this.#parts.service(), dueLimit);
    this.#seeksDue = due.length === dueLimit;
    for (const claim of due) this.#begin(claim);
  }

  async #keepAndTake(limit: number): Promise<TakenEvents> {
    const ended = this.#ended.splice(0);
    if (ended.length === 0 && (limit === 0 || !(await hasEvents(this.#parts.service())))) return nothing;
    try {
      const found = await this.#inTransaction(async (tx) => {
        if (ended.length > 0) await this.#keep(tx, ended);
        return limit > 0 ? takeEvents(this.#parts.service(), tx, limit) : nothing;
      });
      for (const { claim } of ended) this.#works.delete(claim.log.id);
      const now = this.#now();
      this.#seeksDue ||= ended.some(({ claim }) => (nextInstant(claim.state) ?? Number.POSITIVE_INFINITY) <= now);
      return found;
    } catch (error) {
      this.#ended.unshift(...ended);
      throw error;
    }
  }

  async #keep(tx: Transaction, ended: readonly Work[]): Promise<void> {
    const now = this.#now();
    const claims = ended.map(({ anew, attempts, claim }) =>
      grown(anew === undefined ? claim : withAttempts(anew, attempts), now),
    );
    const attempts = ended.flatMap((work) => work.attempts);
    await keepClaims(this.#parts.service(), tx, { claims, attempts }, 0);
  }

  #inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#parts.service().storage.transaction(work);
  }

  #begin(claim: ClaimedEvent): void {
    const before = this.#works.get(claim.log.id);
    if (before === undefined) this.#startWork(claim, []);
    else if (before.open.size > 0) before.anew = claim;
    else this.#goOn(before, claim);
  }

  // What was tried before and is not kept yet, is kept with what comes.
  #goOn(before: Work, claim: ClaimedEvent): void {
    this.#ended = this.#ended.filter((work) => work !== before);
    this.#startWork(withAttempts(claim, before.attempts), before.attempts);
  }

  #startWork(claim: ClaimedEvent, attempts: LoggedAttempt[]): void {
    const due = dueReceivers(claim.state, this.#now());
    const work: Work = { claim, open: new Set(due.map(({ receiverId }) => receiverId)), attempts };
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

  #renew(): void {
    const works = [...this.#works.values()].filter((work) => work.open.size > 0);
    if (works.length === 0) return;
    const now = this.#now();
    for (const work of works)
      if (work.anew === undefined) work.claim = grown(work.claim, now);
      else work.anew = grown(work.anew, now);
    const claims = works.map(({ anew, claim }) => anew ?? claim);
    const kept = { claims, attempts: [] };
    const renewed = this.#inTransaction((tx) => keepClaims(this.#parts.service(), tx, kept, now + leaseMilliseconds));
    renewed.catch((error) => this.#log(error));
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
