import type { LambdaFailure, LambdaOutcome } from "latchkey/ports";
import { type Frame, failure, frame, type GuestEnd, type GuestHandle, killed, type StartGuest, toOutcome } from "./frames.js";
import type { PoolClock, PoolSettings } from "./pool-options.js";
import { handleHostCall, type PoolCall, ProgramCache } from "./programs.js";

/** The pool of a guest, as the guest uses it. */
export interface WorkerOwner {
  readonly clock: PoolClock;
  readonly settings: PoolSettings;
  /** The state of a guest has changed. */
  onChange(): void;
  /** Queues calls again, for another guest. */
  putBack(calls: readonly PoolCall[]): void;
  onEnd(guest: PooledGuest, end: GuestEnd): void;
}

/** A call of the guest, in execution order. */
interface Entry {
  readonly id: number;
  readonly call: PoolCall;
  /** The call has its outcome, or moved to another guest: ignore later messages about it. */
  isOver: boolean;
  /** Milliseconds spent waiting for the host. */
  waited: number;
  waitingSince: number | undefined;
}

/** A longer run gets the guest for itself. */
const slowMilliseconds = 20;
const mebibyte = 1_048_576;
/** Enough that a guest never waits for the host, few enough to rerun elsewhere when it hangs. */
const maxInFlight = 32;
const ids = 2 ** 32;

/** A guest and the calls sent to it; the first one is running. */
export class PooledGuest {
  readonly #owner: WorkerOwner;
  readonly #handle: GuestHandle;
  readonly #shelf = new ProgramCache();
  #line: Entry[] = [];
  /** Finished calls whose answers are stuck behind a hanging call: they run again elsewhere. */
  readonly #unanswered = new Set<number>();
  readonly #gone = Promise.withResolvers<void>();
  #nextId = 0;
  #headSince = 0;
  #isFilling = true;
  #blame: { readonly entry: Entry; readonly failure: LambdaFailure } | undefined;
  /** Whether it has sent `ready`. */
  isReady = false;
  /** Whether it was killed and has not ended yet. */
  isEnding = false;
  /** Whether it gets no more calls and ends after its current ones. */
  isRetiring = false;
  /** Whether a run ended it. */
  isLost = false;
  /** Whether it died before it was ready. */
  isStillborn = false;

  constructor(start: StartGuest, owner: WorkerOwner, setUp: Frame) {
    this.#owner = owner;
    this.#handle = start({
      onFrames: (frames) => this.#onFrames(frames),
      onEnd: (end) => this.#onEnd(end),
    });
    this.#handle.send(setUp);
  }

  get isUsable(): boolean {
    return this.isReady && !this.isEnding && !this.isRetiring && !this.isWaiting;
  }

  /** Whether calls may be added to its current ones. It is refilled from half full, so that calls travel in batches. */
  get hasRoom(): boolean {
    if (this.#line[0]?.call.program.pace !== "quick") return false;
    if (this.#line.length <= maxInFlight / 2) this.#isFilling = true;
    else if (this.#line.length >= maxInFlight) this.#isFilling = false;
    return this.#isFilling;
  }

  /** Resolves when the guest has ended. */
  get ended(): Promise<void> {
    return this.#gone.promise;
  }

  get inFlight(): number {
    return this.#line.length;
  }

  get isWaiting(): boolean {
    return this.#line[0]?.waitingSince !== undefined;
  }

  get running(): PoolCall | undefined {
    return this.#line[0]?.call;
  }

  send(call: PoolCall): void {
    const id = this.#nextId++ % ids;
    for (const before of this.#shelf.framesBefore(call.program, call.run)) this.#handle.send(before);
    this.#handle.send(frame("call", id, call.program.id, [call.run.argumentsJson]));
    this.#line.push({ id, call, isOver: false, waited: 0, waitingSince: undefined });
    if (this.#line.length === 1) this.#startHead();
  }

  /** Enforces the limits of the running call. */
  watch(): void {
    if (this.#age() > slowMilliseconds) this.#catchUp();
    const [head] = this.#line;
    if (head === undefined || this.isEnding) return;
    if (this.#isTooLarge(head)) this.#kill(head, killed("outOfMemory", "It needed too much memory."));
    if (this.#age() > slowMilliseconds) this.#keepToItself(head);
    if (this.#isPastWaiting(head)) this.#abandon(head);
    // Read the messages that have already arrived before killing the guest.
    if (this.#isPastDeadline(head)) setImmediate(() => this.#killIfPast(head));
  }

  /** Ends the guest, in any state. */
  kill(): void {
    this.isEnding = true;
    this.#handle.kill();
  }

  settleAll(outcome: LambdaOutcome): void {
    for (const entry of this.#line) this.#settle(entry, outcome);
  }

  #startHead(): void {
    this.#headSince = this.#owner.clock.now;
    if (this.isRetiring && this.#line.length === 0) this.kill();
  }

  #age(): number {
    return this.#owner.clock.now - this.#headSince;
  }

  #waited({ waited, waitingSince }: Entry): number {
    return waited + (waitingSince === undefined ? 0 : this.#owner.clock.now - waitingSince);
  }

  // Memory left by earlier runs is not the fault of this one: replace a grown guest, and kill only one that grows far more.
  #isTooLarge(head: Entry): boolean {
    const limit = this.#owner.settings.guestMebibytes;
    const resident = (this.#handle.residentBytes() ?? 0) / mebibyte;
    if (resident > limit) this.#retire();
    return resident > 1.5 * limit + head.call.run.limits.heapMebibytes;
  }

  // The guest batches answers of short runs, so the first calls in line may be finished already.
  #catchUp(): void {
    if (this.#line.length < 2) return;
    const running = this.#handle.runningCall();
    const position = this.#line.findIndex(({ id }) => id === running);
    if (position <= 0) return;
    const done = this.#line.splice(0, position);
    for (const { id } of done) this.#unanswered.add(id);
    this.#owner.putBack(this.#takeBack(done));
  }

  #retire(): void {
    if (this.isRetiring) return;
    this.isRetiring = true;
    this.#owner.putBack(this.#takeBack(this.#line.slice(1)));
  }

  #keepToItself(head: Entry): void {
    if (this.#age() - this.#waited(head) > slowMilliseconds) head.call.program.pace = "slow";
    const others = this.#takeBack(this.#line.slice(1));
    if (others.length > 0) this.#owner.putBack(others);
  }

  #takeBack(entries: readonly Entry[]): PoolCall[] {
    const open = entries.filter((entry) => !entry.isOver);
    for (const entry of open) entry.isOver = true;
    return open.map((entry) => entry.call);
  }

  #isPastWaiting(head: Entry): boolean {
    return head.waitingSince !== undefined && !head.isOver && this.#waited(head) > head.call.run.limits.hostCallMilliseconds;
  }

  #isPastDeadline(head: Entry): boolean {
    const { wallClockMilliseconds } = head.call.run.limits;
    return this.#age() - this.#waited(head) > wallClockMilliseconds + this.#owner.settings.graceMilliseconds;
  }

  #killIfPast(head: Entry): void {
    if (this.#line[0] === head && !this.isEnding && this.#isPastDeadline(head))
      this.#kill(head, killed("timedOut", "It took too long."));
  }

  #kill(entry: Entry, outcome: LambdaFailure): void {
    this.#blame = { entry, failure: outcome };
    this.kill();
    this.#owner.onChange();
  }

  #abandon(head: Entry): void {
    this.#settle(head, failure("timedOut", "It waited too long for a function of the host."));
    this.#stopWaiting(head, "abandon", []);
  }

  #stopWaiting(entry: Entry, kind: "reply" | "abandon", texts: readonly string[]): void {
    entry.waited = this.#waited(entry);
    entry.waitingSince = undefined;
    this.#handle.send(frame(kind, entry.id, 0, texts));
  }

  #settle(entry: Entry, outcome: LambdaOutcome): void {
    if (entry.isOver) return;
    entry.isOver = true;
    entry.call.settle(outcome);
  }

  #onFrames(frames: readonly Frame[]): void {
    try {
      for (const one of frames) this.#onFrame(one);
    } catch {
      // A guest that violates the protocol is compromised.
      const [head] = this.#line;
      if (head === undefined) this.kill();
      else this.#kill(head, killed("crashed", "The engine answered nonsense."));
    }
    this.#owner.onChange();
  }

  #onFrame({ kind, id, value, texts: [first = "", second = ""] }: Frame): void {
    if (kind === "ready") {
      this.isReady = true;
      return;
    }
    if (this.#unanswered.delete(id)) return;
    const [head] = this.#line;
    if (head?.id !== id) throw new Error("A guest speaks of another call than the one that it runs.");
    if (kind === "hostCall") void this.#callHost(head, first, second);
    else {
      if (kind === "answer") this.#settle(head, toOutcome(first));
      head.call.program.pace = value > slowMilliseconds ? "slow" : "quick";
      this.#line.shift();
      this.#startHead();
      if (value > 0) this.#resume();
    }
  }

  #resume(): void {
    const skipped = this.#line.filter((entry) => entry.isOver).map((entry) => entry.id);
    this.#handle.send(frame("resume", 0, 0, [skipped.join(",")]));
  }

  async #callHost(entry: Entry, name: string, argumentsJson: string): Promise<void> {
    if (this.isEnding) return;
    if (entry.isOver) {
      this.#stopWaiting(entry, "abandon", []);
      return;
    }
    entry.call.hasCalledHost = true;
    entry.waitingSince = this.#owner.clock.now;
    const reply = await handleHostCall(entry.call.run, name, argumentsJson);
    if (entry.isOver || this.isEnding) return;
    this.#stopWaiting(entry, "reply", [reply]);
  }

  #onEnd(end: GuestEnd): void {
    const wasKilled = this.isEnding;
    this.isEnding = true;
    this.#catchUp();
    const [head] = this.#line;
    this.isStillborn = !this.isReady && !wasKilled;
    this.isLost = this.#blame !== undefined || (head !== undefined && !wasKilled);
    if (head !== undefined) this.#settleLast(head, end);
    const open = this.#line.filter((entry) => !entry.isOver);
    for (const entry of open.filter(({ call }) => call.hasCalledHost)) this.#settle(entry, killed("crashed", end.message));
    this.#owner.putBack(this.#takeBack(this.#line));
    this.#line = [];
    this.#gone.resolve();
    this.#owner.onEnd(this, end);
  }

  // Blame the running program for the guest's death, unless the guest was killed for another run or from outside.
  #settleLast(head: Entry, end: GuestEnd): void {
    if (this.#blame !== undefined) {
      if (this.#blame.entry === head) this.#settle(head, this.#blame.failure);
    } else if (end.isForeign && !head.call.hasCalledHost && !head.call.isSecondTry) head.call.isSecondTry = true;
    else this.#settle(head, killed(end.kind, end.message));
  }
}
