import { pause } from "../../shared/async/pause.js";
import type { LoggedAttempt } from "./attempt.js";
import { claimDueEvents, type DueEvent, type DueEvents, noDueEvents } from "./claims.js";
import type { DelivererParts } from "./deliverer-parts.js";
import { dueReceivers, nextInstant } from "./delivery.js";
import { leaseFromOutbox } from "./lease-from-outbox.js";
import { type LeasedEvent, withAttempts } from "./leased-event.js";
import { createEventLoopMonitor, EarliestTimer, PollSchedule } from "./poll-schedule.js";
import { ProgressWriter } from "./progress-writer.js";
import { ReceiverQueues, toDeferral } from "./receiver-queues.js";
import { SubjectOrder } from "./subject-order.js";
import {
  createWork,
  hasLease,
  minConcurrentEvents,
  postponeReceiver,
  RunningWorks,
  recordAttemptEnd,
  type Work,
} from "./work.js";

const never = Number.POSITIVE_INFINITY;
const laneLimits = { waiting: 1_000, waitingForSlow: 100 };
const dueLimit = 100;
const pollMilliseconds = 1_000;

/**
 * Takes events out of the outbox and brings them to their receivers, each receiver in its own queue. The delivery state is stored with
 * it, so that a process that dies loses nothing: somebody goes on when its claim is over, with what was not kept as done.
 */
export class Deliverer {
  readonly #parts: DelivererParts;
  readonly #lanes: ReceiverQueues;
  readonly #order: SubjectOrder | undefined;
  readonly #pace = new PollSchedule(createEventLoopMonitor());
  readonly #works = new RunningWorks();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #alarm = new EarliestTimer(() => this.#lookSoon());
  readonly #progress: ProgressWriter;
  #looking: Promise<boolean> | undefined;
  /** How many events have ended since the last look. */
  #endCount = 0;
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
    this.#lanes = new ReceiverQueues({ concurrency: parts.concurrency, ...laneLimits });
    const onStored = (ended: readonly Work[]): void => this.#forget(ended);
    this.#progress = new ProgressWriter({ service: parts.service, works: this.#works, onStored });
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
    this.#progress.start();
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
      while (this.#openCount > 0) await pause(1);
    }
    return isBusy;
  }

  /** Begins nothing any more, waits a moment for calls that are under way, and gives back what is not done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    this.#alarm.clear();
    await Promise.all([this.#looking, this.#progress.stop()]);
    this.#lanes.clear();
    this.#order?.clear();
    for (const end = performance.now() + this.#parts.closeTimeoutMilliseconds; this.#lanes.isBusy && performance.now() < end; )
      await pause(5);
    const left = [...this.#works.values()];
    this.#works.clear();
    await this.#progress.giveBack(left);
    await this.#parts.close();
  }

  #poll(): void {
    this.#isWoken = true;
    this.#seeksDue = true;
    this.#lookSoon();
  }

  // At once after a rest or where more waits than could be taken, else together with what comes in a moment.
  #lookSoon(): void {
    if (this.#isStopped || this.#looking !== undefined || !(this.#isWoken || this.#isBehind || this.#seeksDue)) return;
    const left = this.#pace.timeLeft(this.#isDone || (this.#isBehind && this.#works.hasRoom(this.#openCount)));
    if (left <= 0) this.#look();
    else this.#alarm.set(left);
  }

  get #isDone(): boolean {
    return this.#works.size > 0 && this.#openCount === 0;
  }

  get #openCount(): number {
    return this.#works.size - this.#progress.count;
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
    const isStored = await this.#progress.store();
    this.#seeksDue = true;
    this.#look();
    return (await this.#looking) === true && isStored;
  }

  // With ordered delivery the current leases decide who may take events: they must not change meanwhile.
  #lookOnce(): Promise<void> {
    return this.#order === undefined ? this.#takeAll() : this.#progress.holdDuring(() => this.#takeAll());
  }

  async #takeAll(): Promise<void> {
    this.#progress.schedule();
    const limit = this.#pace.begin(this.#endCount);
    const canTake = !this.#works.isFull(this.#openCount) && !this.#lanes.catchesUp(minConcurrentEvents);
    this.#isWoken = false;
    this.#endCount = 0;
    const found = canTake ? await this.#take(limit) : noDueEvents;
    await this.#beginAll(found.events);
    this.#pace.end(found.isHeard);
    if (canTake && this.#seeksDue) await this.#takeDue();
    this.#isBehind = !canTake || found.hasMore || this.#seeksDue;
  }

  // With ordered delivery one process at a time starts new events: the one that holds leases, or any if there is none.
  async #take(limit: number): Promise<DueEvents> {
    const isHolder = this.#order && ((): boolean => !this.#isUnsure && hasLease(this.#works, this.#now()));
    const found = await leaseFromOutbox(this.#parts.service(), { limit, isHolder });
    if (found !== noDueEvents) this.#isUnsure = false;
    return found;
  }

  // What has ended may be what somebody sends anew: once it is stored, it begins from the start.
  async #takeDue(): Promise<void> {
    await this.#progress.idle();
    const { claimed, hasMore } = await claimDueEvents(this.#parts.service(), dueLimit);
    await this.#progress.idle();
    this.#seeksDue = hasMore;
    await this.#beginAll([...claimed.map((claim) => ({ claim })), ...(this.#order?.late() ?? [])]);
  }

  async #beginAll(events: readonly DueEvent[]): Promise<void> {
    const arranged = this.#order === undefined ? events : await this.#order.arrange(events);
    for (const one of arranged) this.#begin(one);
  }

  #forget(ended: readonly Work[]): void {
    const now = this.#now();
    for (const work of ended) {
      this.#works.delete(work.claim.log.id);
      this.#order?.remove(work);
      if ((nextInstant(work.claim.state) ?? never) <= now) this.#seeksDue = true;
    }
    this.#lookSoon();
  }

  #begin(taken: DueEvent): void {
    const before = this.#works.get(taken.claim.log.id);
    if (before === undefined) this.#startWork(taken, []);
    else if (taken.lease !== undefined) before.lease = taken.lease;
    else if (taken.claim.version === before.claim.version) this.#reopen(before);
    else if (before.open.size > 0) before.anew = taken.claim;
    else this.#goOn(before, taken.claim);
  }

  // Earlier attempts that are not stored yet are stored with the next ones.
  #goOn(before: Work, claim: LeasedEvent): void {
    this.#progress.remove(before);
    this.#startWork({ claim: withAttempts(claim, before.attempts) }, before.attempts);
  }

  #startWork({ claim, lease }: DueEvent, attempts: LoggedAttempt[]): void {
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
    recordAttemptEnd(work, { receiverId, startInstant, endInstant: this.#now(), ...result }, this.#parts.policy);
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
    this.#endCount++;
    this.#progress.add(work);
    this.#lookSoon();
  }

  #now(): number {
    return this.#parts.service().runtime.clock();
  }
}
