import type { Attempt, CallResult, LoggedAttempt } from "./attempt.js";
import { type DueEvent, leaseMilliseconds } from "./claims.js";
import { afterAttempt, type DeliveryState, type RetryPolicy, stopRetries } from "./delivery.js";
import { type LeasedEvent, withAttempts } from "./leased-event.js";
import type { EventProgress, OutboxLease } from "./stored-events.js";

/** An event that is being delivered: how far it is, and whom it waits for. */
export interface Work {
  claim: LeasedEvent;
  readonly open: Set<string>;
  readonly attempts: LoggedAttempt[];
  /** While it is in the outbox, and in no log. */
  lease: OutboxLease | undefined;
  /** When its state is stored if it is still in flight: on the clock of `performance.now`. */
  keepTime: number;
  /** The event as somebody began it anew meanwhile: it is gone on with once nobody is waited for. */
  anew?: LeasedEvent;
}

/** What is under way, by the ids of the events. */
export type Works = ReadonlyMap<string, Work>;

/** So many events are under way when more are taken. */
export const minConcurrentEvents = 128;
const maxWorks = 2_000;
/** How many characters events have together that are under way. */
const maxLength = 16 * 1_048_576;

/** What is under way, by the ids of the events, and whether more may be. */
export class RunningWorks extends Map<string, Work> {
  #length = 0;

  /** Whether no more may be under way, where so many of all wait for receivers still. */
  isFull(open: number): boolean {
    return open >= maxWorks || this.#length >= maxLength;
  }

  /** Whether so few are in flight that a slow receiver delays nothing else from one poll to the next. */
  hasRoom(open: number): boolean {
    return open < minConcurrentEvents && this.#length < maxLength;
  }

  override set(id: string, work: Work): this {
    this.delete(id);
    this.#length += work.claim.wire.length;
    return super.set(id, work);
  }

  override delete(id: string): boolean {
    this.#length -= this.get(id)?.claim.wire.length ?? 0;
    return super.delete(id);
  }

  override clear(): void {
    this.#length = 0;
    super.clear();
  }
}

/** What takes longer than this is logged before it has ended. */
const quickMilliseconds = 500;
const renewMilliseconds = leaseMilliseconds / 3;

/** Work that begins: it waits for these receivers. */
export function createWork({ claim, lease }: DueEvent, due: DeliveryState, attempts: LoggedAttempt[]): Work {
  const open = new Set(due.map(({ receiverId }) => receiverId));
  const keepTime = performance.now() + (lease === undefined ? renewMilliseconds : quickMilliseconds);
  return { claim, lease, open, attempts, keepTime };
}

/** Notes how a call to a receiver ended. */
export function recordAttemptEnd(work: Work, { isGone, ...ended }: Attempt & CallResult, policy: RetryPolicy): void {
  const { log, state, tenantId } = work.claim;
  const attempt: LoggedAttempt = { eventLogId: log.id, tenantId, ...ended };
  const next = isGone ? stopRetries(state, attempt.receiverId) : afterAttempt(state, attempt, policy, Math.random());
  work.attempts.push(attempt);
  work.claim = withAttempts({ ...work.claim, state: next }, [attempt]);
}

/** Notes that a receiver is not tried before an instant, in epoch milliseconds. */
export function postponeReceiver(work: Work, receiverId: string, dueInstant: number): void {
  const state = work.claim.state.map((one) => (one.receiverId === receiverId ? { ...one, dueInstant } : one));
  work.claim = { ...work.claim, state };
}

/** Events that are in flight for long: their state is stored, so that other processes see it in the log and leave it. */
export function longRunningWork(works: Works): readonly Work[] {
  const now = performance.now();
  return [...works.values()].filter((work) => work.open.size > 0 && work.keepTime <= now);
}

/** Records what was stored of work in flight. Calls may have ended meanwhile, so that this is only part of the state to store. */
export function recordStoredProgress(works: Works, kept: readonly LeasedEvent[], progress: readonly EventProgress[]): void {
  const counts = new Map(progress.map(({ attempts, claim }) => [claim.log.id, attempts.length]));
  for (const { log, version } of kept) {
    const work = works.get(log.id);
    if (work === undefined) continue;
    work.attempts.splice(0, counts.get(log.id));
    work.lease = undefined;
    work.keepTime = performance.now() + renewMilliseconds;
    if (work.anew === undefined) work.claim = { ...work.claim, version };
    else work.anew = { ...work.anew, version };
  }
}

/** Whether any of it is in the outbox, and is not anybody else's for a good while yet. */
export function hasLease(works: Works, now: number): boolean {
  return [...works.values()].some(({ lease }) => lease !== undefined && lease.until > now + renewMilliseconds);
}

/** The delivery state of an event, as it is to be stored. */
export function toProgress({ anew, attempts, claim, lease }: Work): EventProgress {
  return { attempts: [...attempts], claim: anew === undefined ? claim : withAttempts(anew, attempts), lease };
}
