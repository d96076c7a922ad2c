import type { LambdaFailure, LambdaOutcome } from "latchkey/ports";
import { type Frame, failure, frame, type GuestEnd, type GuestHandle, killed, type StartGuest, toOutcome } from "./frames.js";
import type { PoolClock, PoolSettings } from "./pool-options.js";
import { handleHostCall, type PoolCall, ProgramCache } from "./programs.js";

/** What a guest needs of its pool. */
export interface WorkerOwner {
  readonly clock: PoolClock;
  readonly settings: PoolSettings;
  /** Something about a guest is as it was not before. */
  onChange(): void;
  /** These are to be run elsewhere. */
  putBack(calls: readonly PoolCall[]): void;
  onEnd(guest: PooledGuest, end: GuestEnd): void;
}

/** A call in the order in which the guest runs them. */
interface Entry {
  readonly id: number;
  readonly call: PoolCall;
  /** The call has its outcome, or moved to another guest: later messages of this guest are ignored. */
  isOver: boolean;
  /** Milliseconds that it has waited for the host. */
  waited: number;
  waitingSince: number | undefined;
}

/** A run that takes longer keeps a guest to itself. */
const slowMilliseconds = 20;
const mebibyte = 1_048_576;
/** Enough for a guest never to wait for the host, few enough to be run elsewhere when it hangs. */
const maxInFlight = 32;
const ids = 2 ** 32;

/** A guest, and the calls that were sent to it: the first of them is the one that runs. */
export class PooledGuest {
  readonly #owner: WorkerOwner;
  readonly #handle: GuestHandle;
  readonly #shelf = new ProgramCache();
  #line: Entry[] = [];
  /** Calls that it has done but not answered, because the next one hangs: they are run elsewhere. */
  readonly #unanswered = new Set<number>();
  readonly #gone = Promise.withResolvers<void>();
  #nextId = 0;
  #headSince = 0;
  #isFilling = true;
  #blame: { readonly entry: Entry; readonly failure: LambdaFailure } | undefined;
  /** Whether it has said that it is ready. */
  isReady = false;
  /** Whether it was killed and only its end is waited for. */
  isEnding = false;
  /** Whether it gets no more calls, and ends with those that it has. */
  isRetiring = false;
  /** Whether a run was its end. */
  isLost = false;
  /** Whether it has died before it was ready. */
  isStillborn = false;

  constructor(start: StartGuest, owner: WorkerOwner, setUp: Frame) {
    this.#owner = owner;
    this.#handle = start({
      onFrames: (frames) => this.#onFrames(frames),
      onEnd: (end) => this.#onEnd(end),
    });
    this.#handle.send(setUp);
  }

  /** Whether calls can be sent to it. */
  get isUsable(): boolean {
    return this.isReady && !this.isEnding && !this.isRetiring && !this.isWaiting;
  }

  /** Whether calls can be added to those that it has. It is filled up once in a while, so that calls travel together. */
  get hasRoom(): boolean {
    if (this.#line[0]?.call.program.pace !== "quick") return false;
    if (this.#line.length <= maxInFlight / 2) this.#isFilling = true;
    else if (this.#line.length >= maxInFlight) this.#isFilling = false;
    return this.#isFilling;
  }

  /** Resolved when it is no more. */
  get ended(): Promise<void> {
    return this.#gone.promise;
  }

  /** How many calls it has. */
  get inFlight(): number {
    return this.#line.length;
  }

  /** Whether it waits for a function of the host. */
  get isWaiting(): boolean {
    return this.#line[0]?.waitingSince !== undefined;
  }

  /** The call that it runs. */
  get running(): PoolCall | undefined {
    return this.#line[0]?.call;
  }

  /** Gives it a call. */
  send(call: PoolCall): void {
    const id = this.#nextId++ % ids;
    for (const before of this.#shelf.framesBefore(call.program, call.run)) this.#handle.send(before);
    this.#handle.send(frame("call", id, call.program.id, [call.run.argumentsJson]));
    this.#line.push({ id, call, isOver: false, waited: 0, waitingSince: undefined });
    if (this.#line.length === 1) this.#startHead();
  }

  /** Looks whether what it does is within its limits. */
  watch(): void {
    if (this.#age() > slowMilliseconds) this.#catchUp();
    const [head] = this.#line;
    if (head === undefined || this.isEnding) return;
    if (this.#isTooLarge(head)) this.#kill(head, killed("outOfMemory", "It needed too much memory."));
    if (this.#age() > slowMilliseconds) this.#keepToItself(head);
    if (this.#isPastWaiting(head)) this.#abandon(head);
    // What has arrived but was not read yet is heard before anyone is killed.
    if (this.#isPastDeadline(head)) setImmediate(() => this.#killIfPast(head));
  }

  /** Ends it, in any state. */
  kill(): void {
    this.isEnding = true;
    this.#handle.kill();
  }

  /** Gives all its calls the same outcome. */
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

  // What earlier runs have left is not the fault of this one: a guest that has grown is replaced, one that grows far more is killed.
  #isTooLarge(head: Entry): boolean {
    const limit = this.#owner.settings.guestMebibytes;
    const resident = (this.#handle.residentBytes() ?? 0) / mebibyte;
    if (resident > limit) this.#retire();
    return resident > 1.5 * limit + head.call.run.limits.heapMebibytes;
  }

  // Answers of short runs are sent together, so that the first in line may be done already while another one runs.
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
      // A guest that says what no guest says is not itself any more.
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

  // The program that ran when the guest died caused it, unless the guest was killed for an ended run or from outside.
  #settleLast(head: Entry, end: GuestEnd): void {
    if (this.#blame !== undefined) {
      if (this.#blame.entry === head) this.#settle(head, this.#blame.failure);
    } else if (end.isForeign && !head.call.hasCalledHost && !head.call.isSecondTry) head.call.isSecondTry = true;
    else this.#settle(head, killed(end.kind, end.message));
  }
}
