import type { Attempt } from "../../operations/events/approvals.js";
import type { RetryPolicy } from "../../ports/event-transport.js";
import type { Random } from "../../ports/runtime.js";
import { generateNumber } from "../../shared/default-runtime.js";
import {
  type AttemptResult,
  afterAttempt,
  type DeliveryQueue,
  type DeliveryState,
  type DueUnit,
  type LeasedUnit,
  type OutboxLease,
  type Progress,
  stopRetries,
} from "./delivery-state.js";

/** A unit in delivery: its progress, and the receivers that it waits for. */
export interface Work<Unit> {
  unit: Unit;
  readonly open: Set<string>;
  readonly attempts: Attempt[];
  /** While it is in the outbox, and in no log. */
  lease: OutboxLease | undefined;
  /** The monotonic time at which its state is stored if it is still in flight. */
  saveTime: number;
  /** The unit that another call resent meanwhile: it continues once no receiver is open. */
  resent?: Unit;
}

const maxRoom = 128;
const maxLength = 16 * 1_048_576;

/** The units in flight, by id, and their limits. */
export class RunningWorks<Unit extends LeasedUnit> extends Map<string, Work<Unit>> {
  readonly now: () => number;
  readonly #maxOpen: number;
  #length = 0;

  constructor(maxOpen: number, now: () => number) {
    super();
    this.now = now;
    this.#maxOpen = maxOpen;
  }

  /** Whether the limits are reached with this number of open units. */
  isFull(open: number): boolean {
    return open >= this.#maxOpen || this.#length >= maxLength;
  }

  /** Whether few enough are in flight that a slow receiver delays no others between polls. */
  hasRoom(open: number): boolean {
    return open < maxRoom && !this.isFull(open);
  }

  /** Whether any unit has a lease of the outbox that lasts for a while. */
  hasLease(now: number, leaseMilliseconds: number): boolean {
    return [...this.values()].some(({ lease }) => lease !== undefined && lease.until > now + leaseMilliseconds / 3);
  }

  /** Units that are in flight for long: storing their state renews their lease. */
  longRunning(): readonly Work<Unit>[] {
    const now = this.now();
    return [...this.values()].filter((work) => work.open.size > 0 && work.saveTime <= now);
  }

  override set(id: string, work: Work<Unit>): this {
    this.delete(id);
    this.#length += work.unit.wire.length;
    return super.set(id, work);
  }

  override delete(id: string): boolean {
    this.#length -= this.get(id)?.unit.wire.length ?? 0;
    return super.delete(id);
  }

  override clear(): void {
    this.#length = 0;
    super.clear();
  }
}

/** The state of slower units is stored before they end. */
const quickMilliseconds = 500;

type Kind<Unit extends LeasedUnit> = Pick<DeliveryQueue<Unit>, "leaseMilliseconds" | "withAttempts">;

interface Beginning {
  readonly attempts: Attempt[];
  readonly now: number;
  readonly receivers: DeliveryState;
}

/** A new work, which waits for its receivers. */
export function createWork<Unit extends LeasedUnit>(
  { leaseMilliseconds }: Kind<Unit>,
  { lease, unit }: DueUnit<Unit>,
  { attempts, now, receivers }: Beginning,
): Work<Unit> {
  const open = new Set(receivers.map(({ receiverId }) => receiverId));
  const saveTime = now + (lease === undefined ? leaseMilliseconds / 3 : quickMilliseconds);
  return { unit, lease, open, attempts, saveTime };
}

/** Records the result of a call to a receiver. */
export function recordAttempt<Unit extends LeasedUnit>(
  { withAttempts }: Kind<Unit>,
  work: Work<Unit>,
  { isFinal, ...attempt }: Attempt & AttemptResult,
  { policy, random }: { readonly policy: RetryPolicy; readonly random: Random },
): void {
  const { state: before } = work.unit;
  const state = isFinal ? stopRetries(before, attempt.receiverId) : afterAttempt(before, attempt, policy, generateNumber(random));
  work.attempts.push(attempt);
  work.unit = withAttempts({ ...work.unit, state }, [attempt]);
}

/** Postpones the next attempt at a receiver to an instant, in epoch milliseconds. */
export function postponeReceiver<Unit extends LeasedUnit>(work: Work<Unit>, receiverId: string, dueInstant: number): void {
  const state = work.unit.state.map((one) => (one.receiverId === receiverId ? { ...one, dueInstant } : one));
  work.unit = { ...work.unit, state };
}

/** Updates works in flight after their progress was stored; keeps later attempts. */
export function recordProgress<Unit extends LeasedUnit>(
  { leaseMilliseconds }: Kind<Unit>,
  works: RunningWorks<Unit>,
  { progress, saved }: { readonly progress: readonly Progress<Unit>[]; readonly saved: readonly Unit[] },
): void {
  const counts = new Map(progress.map(({ attempts, unit }) => [unit.log.id, attempts.length]));
  for (const { log, version } of saved) {
    const work = works.get(log.id);
    if (work === undefined) continue;
    work.attempts.splice(0, counts.get(log.id));
    work.lease = undefined;
    work.saveTime = works.now() + leaseMilliseconds / 3;
    if (work.resent === undefined) work.unit = { ...work.unit, version };
    else work.resent = { ...work.resent, version };
  }
}

/** The delivery state of a unit, to store. */
export function toProgress<Unit extends LeasedUnit>(
  { withAttempts }: Kind<Unit>,
  { attempts, lease, resent, unit }: Work<Unit>,
): Progress<Unit> {
  return { attempts: [...attempts], unit: resent === undefined ? unit : withAttempts(resent, attempts), lease };
}
