import type { Attempt } from "../../operations/events/approvals.js";
import type { ServiceContext } from "../../operations/service-context.js";
import type { CancelTimer } from "../../ports/runtime.js";
import { pause } from "../../shared/async.js";
import {
  type DeliveryQueue,
  type DueUnit,
  dueReceivers,
  type FoundUnits,
  type LeasedUnit,
  nextInstant,
} from "./delivery-state.js";
import { leaseDue } from "./lease-due.js";
import { EarliestTimer, PollSchedule } from "./poll-schedule.js";
import { ProgressWriter } from "./progress-writer.js";
import { ReceiverQueues, toDeferral } from "./receiver-queues.js";
import type { CreateOrder, UnitOrder } from "./unit-order.js";
import { createWork, postponeReceiver, RunningWorks, recordAttempt, type Work } from "./work.js";

const never = Number.POSITIVE_INFINITY;
const waitingLimits = { waiting: 1_000, waitingForSlow: 100 };
const fastBacklog = 128;
const pollMilliseconds = 1_000;

/** The parts of a deliverer. */
export interface DelivererParts<Unit extends LeasedUnit> {
  readonly service: ServiceContext;
  readonly queue: DeliveryQueue<Unit>;
  /** Creates the order that sends each receiver the units of one subject one after the other. */
  readonly createOrder?: CreateOrder<Unit> | undefined;
}

/**
 * Leases units of one queue and sends them, with a queue for each receiver. The delivery state is stored with each unit: after a
 * crash, another process repeats everything that was not stored as done.
 */
export class Deliverer<Unit extends LeasedUnit> {
  readonly #service: ServiceContext;
  readonly #queue: DeliveryQueue<Unit>;
  readonly #receivers: ReceiverQueues;
  readonly #order: UnitOrder<Unit> | undefined;
  readonly #schedule: PollSchedule;
  readonly #works: RunningWorks<Unit>;
  readonly #alarm: EarliestTimer;
  readonly #progress: ProgressWriter<Unit>;
  #cancelPolls: CancelTimer | undefined;
  #polling: Promise<boolean> | undefined;
  /** The number of units that have ended since the last poll. */
  #endCount = 0;
  #isWoken = false;
  /** Whether the next poll leases units from the table too: those that are due for a retry. */
  #mustLeaseDue = false;
  /** Whether the outbox had more than the last poll could lease. */
  #isBehind = false;
  #isStopped = true;
  /** Whether new calls are refused. */
  #isEnding = false;
  /** Whether a poll failed: it may have stored leases that this process does not know, and cannot deliver before they end. */
  #hasUncertainLeases = false;

  constructor({ createOrder, queue, service }: DelivererParts<Unit>) {
    this.#service = service;
    this.#queue = queue;
    const { runtime } = service;
    this.#schedule = new PollSchedule(runtime);
    this.#alarm = new EarliestTimer(runtime, () => this.#pollSoon());
    this.#works = new RunningWorks(queue.maxOpen, runtime.monotonic);
    this.#receivers = new ReceiverQueues({ concurrency: queue.concurrency, ...waitingLimits }, runtime.monotonic);
    this.#progress = new ProgressWriter({ service, queue, works: this.#works, onSaved: (ended) => this.#remove(ended) });
    this.#order = createOrder?.({
      send: (work, receiverId) => this.#send(work, receiverId),
      defer: (work, receiverId) => this.#defer(work, receiverId),
      postpone: (work, receiverId, dueInstant) => this.#postpone(work, receiverId, dueInstant),
      hasRoom: (receiverId, waiting) => this.#receivers.hasRoom(receiverId, waiting),
    });
  }

  /** Starts to deliver, or polls at once if started already; never keeps the process alive. */
  start(): void {
    if (this.#isStopped) this.#cancelPolls = this.#service.runtime.timers.every(pollMilliseconds, () => this.#pollAll());
    this.#isStopped = false;
    this.#progress.start();
    this.#pollAll();
  }

  /** Polls soon, after a commit of new units. */
  wake(): void {
    this.#schedule.countCommit();
    this.#isWoken = true;
    this.#pollSoon();
  }

  /** Delivers all due units, started or not; returns whether there were any. Leaves units of a failed poll to the next one. */
  async settle(): Promise<boolean> {
    let isBusy = false;
    while ((await this.#pollNow()) && (this.#works.size > 0 || this.#isBehind)) {
      isBusy = true;
      while (this.#openCount > 0) await pause(this.#service.runtime.timers, 1);
    }
    return isBusy;
  }

  /** Starts no further calls, waits briefly for those in flight, and gives back unfinished units. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#isEnding = true;
    this.#cancelPolls?.();
    this.#alarm.clear();
    await Promise.all([this.#polling, this.#progress.stop()]);
    this.#receivers.clear();
    this.#order?.clear();
    const { monotonic, timers } = this.#service.runtime;
    const end = monotonic() + this.#service.delivery.closeTimeoutMilliseconds;
    while (this.#receivers.isBusy && monotonic() < end) await pause(timers, 5);
    const left = [...this.#works.values()];
    this.#works.clear();
    await this.#progress.giveBack(left);
    await this.#queue.close?.();
  }

  #pollAll(): void {
    this.#isWoken = true;
    this.#mustLeaseDue = true;
    this.#pollSoon();
  }

  // At once after a pause or with a backlog, else later, to lease new units in one poll.
  #pollSoon(): void {
    if (this.#isStopped || this.#polling !== undefined || !(this.#isWoken || this.#isBehind || this.#mustLeaseDue)) return;
    const left = this.#schedule.timeLeft(this.#isDone || (this.#isBehind && this.#works.hasRoom(this.#openCount)));
    if (left <= 0) this.#poll();
    else this.#alarm.set(left);
  }

  get #isDone(): boolean {
    return this.#works.size > 0 && this.#openCount === 0;
  }

  get #openCount(): number {
    return this.#works.size - this.#progress.count;
  }

  #poll(): void {
    this.#alarm.clear();
    this.#polling = this.#pollOnce().then(
      () => this.#endPoll(),
      (error) => this.#endPoll(error),
    );
  }

  #endPoll(err?: unknown): boolean {
    this.#polling = undefined;
    this.#hasUncertainLeases ||= err !== undefined;
    if (err === undefined) this.#pollSoon();
    else this.#service.runtime.logger.error({ err }, `${this.#queue.name} could not be delivered`);
    return err === undefined;
  }

  async #pollNow(): Promise<boolean> {
    while (this.#polling !== undefined) await this.#polling;
    const isStored = await this.#progress.store();
    this.#mustLeaseDue = true;
    this.#poll();
    return (await this.#polling) === true && isStored;
  }

  // With ordered delivery, leases decide which process may lease events: they must not change meanwhile.
  #pollOnce(): Promise<void> {
    return this.#order === undefined ? this.#leaseAll() : this.#progress.holdDuring(() => this.#leaseAll());
  }

  async #leaseAll(): Promise<void> {
    this.#progress.schedule();
    const limit = this.#schedule.begin(this.#endCount);
    const canLease = !this.#works.isFull(this.#openCount) && !this.#receivers.catchesUp(fastBacklog);
    // Without an outbox, new units are due in the table.
    this.#mustLeaseDue ||= this.#isWoken && this.#queue.outbox === undefined;
    this.#isWoken = false;
    this.#endCount = 0;
    const found = canLease ? await this.#leaseFromOutbox(limit) : undefined;
    await this.#beginAll(found?.units ?? []);
    this.#schedule.end(found?.hasReceivers ?? true);
    if (canLease && this.#mustLeaseDue) await this.#leaseDue();
    this.#isBehind = !canLease || found?.hasMore === true || this.#mustLeaseDue;
  }

  // With ordered delivery, only the process that holds leases starts new events, or any if there is none.
  async #leaseFromOutbox(limit: number): Promise<FoundUnits<Unit> | undefined> {
    const { leaseMilliseconds, outbox } = this.#queue;
    const holdsLease = (): boolean => !this.#hasUncertainLeases && this.#works.hasLease(this.#now(), leaseMilliseconds);
    const found = await outbox?.lease({ limit, isHolder: this.#order && holdsLease });
    if (found?.isBlocked !== true) this.#hasUncertainLeases = false;
    return found;
  }

  // A call may resend a unit whose end is not stored yet: storing it first lets it start again.
  async #leaseDue(): Promise<void> {
    await this.#progress.idle();
    const { hasMore, units } = await leaseDue(this.#service, this.#queue, this.#queue.maxDue);
    await this.#progress.idle();
    this.#mustLeaseDue = hasMore;
    await this.#beginAll([...units, ...(this.#order?.late() ?? [])].map((unit) => ({ unit })));
  }

  async #beginAll(units: readonly DueUnit<Unit>[]): Promise<void> {
    const arranged = this.#order === undefined ? units : await this.#order.arrange(units);
    for (const one of arranged) this.#begin(one);
  }

  #remove(ended: readonly Work<Unit>[]): void {
    const now = this.#now();
    for (const work of ended) {
      this.#works.delete(work.unit.log.id);
      this.#order?.remove(work);
      if ((nextInstant(work.unit.state) ?? never) <= now) this.#mustLeaseDue = true;
    }
    this.#pollSoon();
  }

  #begin(due: DueUnit<Unit>): void {
    const before = this.#works.get(due.unit.log.id);
    if (before === undefined) this.#startWork(due, []);
    else if (due.lease !== undefined) before.lease = due.lease;
    else if (due.unit.version === before.unit.version) this.#reopen(before);
    else if (before.open.size > 0) before.resent = due.unit;
    else this.#continue(before, due.unit);
  }

  // Unstored attempts are stored with the next ones.
  #continue(before: Work<Unit>, unit: Unit): void {
    this.#progress.remove(before);
    this.#startWork({ unit: this.#queue.withAttempts(unit, before.attempts) }, before.attempts);
  }

  #startWork(due: DueUnit<Unit>, attempts: Attempt[]): void {
    const receivers = dueReceivers(due.unit.state, this.#now());
    const work = createWork(this.#queue, due, { attempts, now: this.#works.now(), receivers });
    this.#works.set(due.unit.log.id, work);
    this.#order?.add(work);
    for (const { receiverId } of receivers) this.#place(work, receiverId);
    if (receivers.length === 0) this.#end(work);
  }

  // A unit that waits for one receiver is retried at another.
  #reopen(work: Work<Unit>): void {
    if (work.open.size === 0) return;
    const due = dueReceivers(work.unit.state, this.#now()).filter(({ receiverId }) => !work.open.has(receiverId));
    for (const { receiverId } of due) work.open.add(receiverId);
    for (const { receiverId } of due) this.#place(work, receiverId);
  }

  #place(work: Work<Unit>, receiverId: string): void {
    if (this.#order === undefined) this.#send(work, receiverId);
    else this.#order.place(work, receiverId);
  }

  #send(work: Work<Unit>, receiverId: string): void {
    if (!this.#receivers.run(receiverId, () => this.#call(work, receiverId))) this.#defer(work, receiverId);
  }

  async #call(work: Work<Unit>, receiverId: string): Promise<void> {
    if (this.#isEnding) return;
    const startInstant = this.#now();
    const result = await this.#queue.send(receiverId, work.unit);
    const attempt = { receiverId, startInstant, endInstant: this.#now(), ...result };
    const { delivery, runtime } = this.#service;
    recordAttempt(this.#queue, work, attempt, { policy: delivery.retry, random: runtime.random });
    this.#close(work, receiverId);
  }

  // The queue of the receiver is full: gives the unit back until there is likely to be room.
  #defer(work: Work<Unit>, receiverId: string): void {
    this.#postpone(work, receiverId, this.#now() + toDeferral(this.#receivers.timeToRoom(receiverId)));
  }

  #postpone(work: Work<Unit>, receiverId: string, dueInstant: number): void {
    postponeReceiver(work, receiverId, dueInstant);
    this.#close(work, receiverId);
  }

  #close(work: Work<Unit>, receiverId: string): void {
    work.open.delete(receiverId);
    if (work.open.size === 0) this.#end(work);
    this.#order?.next(work, receiverId);
  }

  #end(work: Work<Unit>): void {
    if (!this.#works.has(work.unit.log.id)) return;
    if (work.resent !== undefined) {
      this.#continue(work, work.resent);
      return;
    }
    this.#endCount++;
    this.#progress.add(work);
    this.#pollSoon();
  }

  #now(): number {
    return this.#service.runtime.clock();
  }
}
