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

/** A unit that is being delivered: how far it is, and which receivers it waits for. */
export interface Work<Unit> {
  unit: Unit;
  readonly open: Set<string>;
  readonly attempts: Attempt[];
  /** While it is in the outbox, and in no log. */
  lease: OutboxLease | undefined;
  /** When its state is stored if it is still in flight: by the monotonic time. */
  saveTime: number;
  /** The unit as another call stored it meanwhile, to be sent again: it continues once no receiver is waited for. */
  resent?: Unit;
}

const maxRoom = 128;
/** How many characters units have together that are under way. */
const maxLength = 16 * 1_048_576;

/** What is under way, by the ids of the units, and whether more may be. */
export class RunningWorks<Unit extends LeasedUnit> extends Map<string, Work<Unit>> {
  /** Reads the monotonic time. */
  readonly now: () => number;
  readonly #maxOpen: number;
  #length = 0;

  constructor(maxOpen: number, now: () => number) {
    super();
    this.now = now;
    this.#maxOpen = maxOpen;
  }

  /** Whether no more may be under way, where so many of all wait for receivers still. */
  isFull(open: number): boolean {
    return open >= this.#maxOpen || this.#length >= maxLength;
  }

  /** Whether so few are in flight that a slow receiver delays nothing else from one poll to the next. */
  hasRoom(open: number): boolean {
    return open < maxRoom && !this.isFull(open);
  }

  /** Whether any of it is in the outbox, and leased for a good while yet. */
  hasLease(now: number, leaseMilliseconds: number): boolean {
    return [...this.values()].some(({ lease }) => lease !== undefined && lease.until > now + leaseMilliseconds / 3);
  }

  /** Units that are in flight for long: their state is stored, which renews their lease. */
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

/** What takes longer than this is logged before it has ended. */
const quickMilliseconds = 500;

type Kind<Unit extends LeasedUnit> = Pick<DeliveryQueue<Unit>, "leaseMilliseconds" | "withAttempts">;

/** How work begins: by the monotonic time, at these receivers, with attempts that are not stored yet. */
interface Beginning {
  readonly attempts: Attempt[];
  readonly now: number;
  readonly receivers: DeliveryState;
}

/** Work that begins: it waits for its receivers. */
export function createWork<Unit extends LeasedUnit>(
  { leaseMilliseconds }: Kind<Unit>,
  { lease, unit }: DueUnit<Unit>,
  { attempts, now, receivers }: Beginning,
): Work<Unit> {
  const open = new Set(receivers.map(({ receiverId }) => receiverId));
  const saveTime = now + (lease === undefined ? leaseMilliseconds / 3 : quickMilliseconds);
  return { unit, lease, open, attempts, saveTime };
}

/** Records how a call to a receiver ended. */
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

/** Records what was stored of work in flight. Calls may have ended meanwhile, so that this is only part of the state to store. */
export function recordProgress<Unit extends LeasedUnit>(
  { leaseMilliseconds }: Kind<Unit>,
  works: RunningWorks<Unit>,
  saved: readonly Unit[],
  progress: readonly Progress<Unit>[],
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

/** The delivery state of a unit, as it is to be stored. */
export function toProgress<Unit extends LeasedUnit>(
  { withAttempts }: Kind<Unit>,
  { attempts, lease, resent, unit }: Work<Unit>,
): Progress<Unit> {
  return { attempts: [...attempts], unit: resent === undefined ? unit : withAttempts(resent, attempts), lease };
}
