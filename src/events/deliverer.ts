import type { Transaction } from "../ports/storage.js";
import { pause } from "../values/pause.js";
import type { LoggedAttempt } from "./attempt.js";
import { type ClaimedEvent, withAttempts } from "./claimed-event.js";
import { claimDueEvents, isOutboxFree, nothingTaken, type TakenEvent, type TakenEvents } from "./claims.js";
import type { DelivererParts } from "./deliverer-parts.js";
import { dueReceivers, nextInstant } from "./delivery.js";
import { keepAndTake, takeNothing } from "./keep-and-take.js";
import { Lanes, toDeferral } from "./lanes.js";
import { Alarm, createLoadMeter, Pace } from "./pace.js";
import { SubjectOrder } from "./subject-order.js";
import { createWork, holdsLease, noteEnd, noteKept, postponeReceiver, slowWorks, toProgress, type Work } from "./work.js";

const never = Number.POSITIVE_INFINITY;
const maxClaims = 2_000;
const laneLimits = { waiting: 1_000, waitingForSlow: 100 };
/** So many events are under way when more are taken. */
const fewWorks = 128;
const dueLimit = 100;
const pollMilliseconds = 1_000;

/**
 * Takes events out of the outbox and brings them to their receivers, each receiver in a lane of its own. How far an event is, is kept with
 * it, so that a process that dies loses nothing: somebody goes on when its claim is over, with what was not kept as done.
 */
export class Deliverer {
  readonly #parts: DelivererParts;
  readonly #lanes: Lanes;
  readonly #order: SubjectOrder | undefined;
  readonly #pace = new Pace(createLoadMeter());
  readonly #works = new Map<string, Work>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #alarm = new Alarm(() => this.#lookSoon());
  #ended: Work[] = [];
  #looking: Promise<boolean> | undefined;
  #keeping: Promise<void> | undefined;
  /** Whether events are being claimed that are due: what is kept at the same time could be one of them. */
  #isClaiming = false;
  #isWoken = false;
  /** Whether it is time to look for what is to be tried again. */
  #seeksDue = false;
  /** Whether there was more than the last look could take. */
  #isBehind = false;
  #isStopped = true;
  /** Whether a look failed, which may have leased what nobody delivers until its lease is over. */
  #isUnsure = false;

  constructor(parts: DelivererParts) {
    this.#parts = parts;
    this.#lanes = new Lanes({ concurrency: parts.concurrency, ...laneLimits });
    if (parts.isOrdered) this.#order = this.#createOrder();
  }

  #createOrder(): SubjectOrder {
    return new SubjectOrder(this.#parts.service, {
      send: (work, receiverId) => this.#send(work, receiverId),
      defer: (work, receiverId) => this.#defer(work, receiverId),
      postpone: (work, receiverId, dueInstant) => this.#postpone(work, receiverId, dueInstant),
      hasRoom: (receiverId, waiting) => this.#lanes.hasRoom(receiverId, waiting),
    });
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

  /** Delivers all that is due, started or not; answers whether there was anything. What a failed look left is left to the next one. */
  async settle(): Promise<boolean> {
    let isBusy = false;
    while ((await this.#lookNow()) && (this.#works.size > 0 || this.#isBehind)) {
      isBusy = true;
      while (this.#works.size > this.#ended.length) await pause(1);
    }
    return isBusy;
  }

  /** Begins nothing any more, waits a moment for calls that are under way, and gives back what is not done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    this.#alarm.clear();
    await Promise.all([this.#looking, this.#keeping]);
    this.#lanes.clear();
    this.#order?.clear();
    for (const end = performance.now() + this.#parts.closeTimeoutMilliseconds; this.#lanes.isBusy && performance.now() < end; )
      await pause(5);
    this.#ended = [...this.#works.values()];
    this.#works.clear();
    const ended = this.#ended.splice(0);
    const progress = ended.map(toProgress);
    if (ended.length > 0) await keepAndTake(this.#parts.service(), { ended: progress, slow: [] }, takeNothing);
    await this.#parts.close();
  }

  #poll(): void {
    this.#isWoken = true;
    this.#seeksDue = true;
    this.#lookSoon();
  }

  // At once after a rest or where more waits than could be taken, else together with what comes in a moment. What has ended does not wait
  // for a look that takes long: an attempt that is not stored yet is repeated if this process dies.
  #lookSoon(): void {
    if (this.#isStopped || !(this.#isWoken || this.#isBehind || this.#ended.length > 0)) return;
    const isEager = this.#isDone || (this.#isBehind && this.#hasRoom);
    const toLook = this.#looking === undefined ? this.#pace.timeLeft(isEager) : never;
    const mayKeep = this.#keeping === undefined && !this.#isClaiming && this.#ended.length > 0;
    const toKeep = mayKeep ? this.#pace.timeToKeep() : never;
    if (toLook <= 0) this.#look();
    else if (toKeep <= 0) this.#keep();
    else if (Math.min(toLook, toKeep) < never) this.#alarm.set(Math.min(toLook, toKeep));
  }

  #keep(): void {
    this.#pace.noteKeeping();
    this.#keeping = this.#keepAndTake(0, []).then(
      () => this.#endKeep(),
      (error) => this.#endKeep(error),
    );
  }

  #endKeep(err?: unknown): void {
    this.#keeping = undefined;
    if (err === undefined) this.#lookSoon();
    else this.#parts.service().runtime.logger.error({ err }, "events could not be kept as delivered");
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
    this.#alarm.clear();
    this.#looking = this.#lookOnce().then(
      () => this.#endLook(),
      (error) => this.#endLook(error),
    );
  }

  #endLook(err?: unknown): boolean {
    this.#looking = undefined;
    this.#isUnsure ||= err !== undefined;
    if (err === undefined) this.#lookSoon();
    else this.#parts.service().runtime.logger.error({ err }, "events could not be delivered");
    return err === undefined;
  }

  async #lookNow(): Promise<boolean> {
    while (this.#looking !== undefined) await this.#looking;
    this.#seeksDue = true;
    this.#look();
    return this.#looking ?? false;
  }

  // What ended is kept in the transaction that takes what comes next: the flush to disk is most of what either costs.
  async #lookOnce(): Promise<void> {
    const limit = this.#pace.begin(this.#ended.length);
    const canTake = this.#works.size - this.#ended.length < maxClaims && !this.#lanes.catchesUp(fewWorks);
    this.#isWoken = false;
    const found = await this.#keepAndTake(canTake ? limit : 0);
    await this.#beginAll(found.events);
    this.#pace.end(found.isHeard);
    if (canTake && this.#seeksDue) await this.#takeDue();
    this.#isBehind = !canTake || found.taken === limit || this.#seeksDue;
  }

  // After what ended is kept: that may be what somebody sends anew.
  async #takeDue(): Promise<void> {
    await this.#keeping;
    this.#isClaiming = true;
    const claiming = claimDueEvents(this.#parts.service(), dueLimit);
    const due = await claiming.finally(() => (this.#isClaiming = false));
    this.#seeksDue = due.length === dueLimit;
    await this.#beginAll([...due.map((claim) => ({ claim })), ...(this.#order?.late() ?? [])]);
  }

  async #beginAll(events: readonly TakenEvent[]): Promise<void> {
    const arranged = this.#order === undefined ? events : await this.#order.arrange(events);
    for (const one of arranged) this.#begin(one);
  }

  async #keepAndTake(limit: number, slow = slowWorks(this.#works)): Promise<TakenEvents> {
    const ended = this.#ended.splice(0);
    if (ended.length + slow.length === 0 && limit === 0) return nothingTaken;
    const progress = { ended: ended.map(toProgress), slow: slow.map(toProgress) };
    try {
      const mayTake = (tx: Transaction): Promise<boolean> => this.#mayTake(tx);
      const { found, kept } = await keepAndTake(this.#parts.service(), progress, { limit, mayTake });
      for (const work of ended) this.#forget(work);
      noteKept(this.#works, kept, progress.slow);
      const now = this.#now();
      this.#seeksDue ||= ended.some(({ claim }) => (nextInstant(claim.state) ?? Number.POSITIVE_INFINITY) <= now);
      return found;
    } catch (error) {
      this.#ended = [...ended, ...this.#ended];
      throw error;
    }
  }

  // In order, one process at a time begins what is new: whoever holds some, or comes when nobody does.
  async #mayTake(tx: Transaction): Promise<boolean> {
    if (this.#order === undefined) return true;
    if (!this.#isUnsure && holdsLease(this.#works, this.#now())) return true;
    const isFree = await isOutboxFree(this.#parts.service(), tx);
    if (isFree) this.#isUnsure = false;
    return isFree;
  }

  #forget(work: Work): void {
    this.#works.delete(work.claim.log.id);
    this.#order?.remove(work);
  }

  #begin(taken: TakenEvent): void {
    const before = this.#works.get(taken.claim.log.id);
    if (before === undefined) this.#startWork(taken, []);
    else if (taken.lease !== undefined) before.lease = taken.lease;
    else if (taken.claim.version === before.claim.version) this.#reopen(before);
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
    const work = createWork({ claim, lease }, due, attempts);
    this.#works.set(claim.log.id, work);
    this.#order?.add(work);
    for (const { receiverId } of due) this.#place(work, receiverId);
    if (due.length === 0) this.#end(work);
  }

  // What waits for one receiver is tried again at another.
  #reopen(work: Work): void {
    if (work.open.size === 0) return;
    const due = dueReceivers(work.claim.state, this.#now()).filter(({ receiverId }) => !work.open.has(receiverId));
    for (const { receiverId } of due) work.open.add(receiverId);
    for (const { receiverId } of due) this.#place(work, receiverId);
  }

  #place(work: Work, receiverId: string): void {
    if (this.#order === undefined) this.#send(work, receiverId);
    else this.#order.place(work, receiverId);
  }

  #send(work: Work, receiverId: string): void {
    if (!this.#lanes.run(receiverId, () => this.#call(work, receiverId))) this.#defer(work, receiverId);
  }

  async #call(work: Work, receiverId: string): Promise<void> {
    const startInstant = this.#now();
    const result = await this.#parts.call(receiverId, work.claim);
    noteEnd(work, { receiverId, startInstant, endInstant: this.#now(), ...result }, this.#parts.policy);
    this.#close(work, receiverId);
  }

  // Too much waits for the receiver: the event is given back and comes again when there is likely to be room.
  #defer(work: Work, receiverId: string): void {
    this.#postpone(work, receiverId, this.#now() + toDeferral(this.#lanes.timeToRoom(receiverId)));
  }

  #postpone(work: Work, receiverId: string, dueInstant: number): void {
    postponeReceiver(work, receiverId, dueInstant);
    this.#close(work, receiverId);
  }

  #close(work: Work, receiverId: string): void {
    work.open.delete(receiverId);
    if (work.open.size === 0) this.#end(work);
    this.#order?.next(work, receiverId);
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
}
