import type { LambdaOutcome, LambdaRun, LambdaRunner, LambdaRunnerState } from "latchkey";
import { type Frame, frame } from "./frames.js";
import type { GuestEnd, StartGuest } from "./guest-port.js";
import { failure } from "./outcome.js";
import type { PoolCall } from "./pool-call.js";
import { PoolClock, tickMilliseconds } from "./pool-clock.js";
import type { PoolSettings } from "./pool-options.js";
import { type GuestOwner, PooledGuest } from "./pooled-guest.js";
import { Programs } from "./programs.js";
import { bodyFileName, bodyOffset, realmSource } from "./realm.js";
import type { GuestSettings } from "./serve.js";
import { TenantQueues } from "./tenant-queues.js";

const realmsPerGuest = 32;
const maxFailedStarts = 3;

/** Runs scripts in a few guests, which are started when they are needed. */
export class LambdaPool implements LambdaRunner, GuestOwner {
  readonly clock: PoolClock = new PoolClock();
  readonly settings: PoolSettings;
  readonly #start: StartGuest;
  readonly #setUp: Frame;
  readonly #programs = new Programs();
  readonly #queues = new TenantQueues<PoolCall>();
  readonly #guests = new Set<PooledGuest>();
  readonly #killAll = (): void => {
    for (const guest of this.#guests) guest.kill();
  };
  #killed = 0;
  #failedStarts = 0;
  #isClosed = false;
  #ticking: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(settings: PoolSettings, start: StartGuest) {
    this.settings = settings;
    this.#start = start;
    const told: GuestSettings = {
      hasContextPerCall: settings.isolation === "context",
      realms: realmsPerGuest,
      bodyFileName,
      bodyOffset,
    };
    this.#setUp = frame("setup", 0, 0, [realmSource, JSON.stringify(told)]);
  }

  run(run: LambdaRun): Promise<LambdaOutcome> {
    const program = this.#programs.of(run);
    const refusal = this.#refusalOf(run, program.bodyBytes);
    if (refusal !== undefined) return Promise.resolve(refusal);
    return new Promise((settle) => {
      this.#queues.push({ run, program, tenant: run.script.tenantId, isSlow: program.isSlow, settle, hasCalledHost: false });
      this.#ticking ??= this.#startTicking();
      this.onChange();
    });
  }

  readState(): LambdaRunnerState {
    return { guests: this.#guests.size, waiting: this.#queues.size, killed: this.#killed };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const refused = failure("refused", "The runner was closed.");
    for (const call of this.#queues.takeAll()) call.settle(refused);
    for (const guest of this.#guests) guest.settleAll(refused);
    this.#killAll();
    // What holds nobody would not hold who waits for its end either.
    this.#ticking ??= this.#startTicking();
    await Promise.all([...this.#guests].map((guest) => guest.ended));
    this.#stopTicking();
  }

  onChange(): void {
    if (this.#isClosed) return;
    const next = () => this.#queues.take((call) => this.#guestFor(call));
    for (let found = next(); found !== undefined; found = next()) found.server.send(found.item);
    if (this.#queues.size > 0 || this.#hasWork()) this.#grow();
  }

  putBack(calls: readonly PoolCall[]): void {
    this.#queues.putBack(calls);
    this.onChange();
  }

  onEnd(guest: PooledGuest, end: GuestEnd): void {
    this.#guests.delete(guest);
    if (guest.isLost) this.#killed++;
    if (guest.isStillborn) this.#failedStarts++;
    else if (guest.isReady) this.#failedStarts = 0;
    if (this.#failedStarts >= maxFailedStarts) this.#giveUp(end);
    this.onChange();
    if (this.#guests.size === 0) process.removeListener("exit", this.#killAll);
  }

  #refusalOf(run: LambdaRun, bodyBytes: number): LambdaOutcome | undefined {
    const { maxWaiting, maxWaitingPerTenant } = this.settings;
    if (this.#isClosed) return failure("refused", "The runner was closed.");
    if (bodyBytes > run.limits.bodyBytes) return failure("tooLarge", `The body has more than ${run.limits.bodyBytes} bytes.`);
    const isFull = this.#queues.size >= maxWaiting || this.#queues.sizeOf(run.script.tenantId) >= maxWaitingPerTenant;
    return isFull ? failure("refused", "Too many runs are waiting.") : undefined;
  }

  /** The guest that may have a call now: one without work, else the one with the least. */
  #guestFor({ tenant, isSlow }: PoolCall): PooledGuest | undefined {
    const usable = [...this.#guests].filter((guest) => guest.isUsable);
    const active = usable.filter((guest) => guest.inFlight > 0);
    const slow = active.filter((guest) => guest.isSlow);
    const held = slow.filter((guest) => guest.tenant === tenant).length;
    const { processes } = this.settings;
    // One guest is left to runs of the tenant that are quick.
    if (isSlow && held >= Math.max(1, processes - 1)) return undefined;
    // Where others hold everything, the spare is for whoever holds nothing.
    const most = held === 0 && slow.length === active.length ? processes + 1 : processes;
    const idle = active.length < most ? usable.find((guest) => guest.inFlight === 0) : undefined;
    return idle ?? (isSlow ? undefined : leastBusy(active.filter((guest) => !guest.isSlow && guest.hasRoom)));
  }

  // While there is work there is a spare, so that no run waits for a guest to start.
  #grow(): void {
    const alive = [...this.#guests].filter((guest) => !guest.isEnding && !guest.isRetiring);
    const isSpareThere = alive.some((guest) => !guest.isReady || guest.inFlight === 0);
    const { processes } = this.settings;
    const most = Math.min(processes + 1 + alive.filter((guest) => guest.isWaiting).length, Math.max(2, processes * 4));
    if (isSpareThere || alive.length >= most) return;
    if (this.#guests.size === 0) process.once("exit", this.#killAll);
    this.#guests.add(new PooledGuest(this.#start, this, this.#setUp));
  }

  #hasWork(): boolean {
    for (const guest of this.#guests) if (guest.inFlight > 0) return true;
    return false;
  }

  // The host stays alive as long as this ticks: guests themselves keep nobody.
  #startTicking(): NodeJS.Timeout {
    clearTimeout(this.#idle);
    this.clock.tick();
    return setInterval(() => {
      this.clock.tick();
      for (const guest of this.#guests) guest.watch();
      if (this.#queues.size === 0 && !this.#hasWork() && !this.#isClosed) this.#stopTicking();
    }, tickMilliseconds);
  }

  #stopTicking(): void {
    clearInterval(this.#ticking);
    clearTimeout(this.#idle);
    this.#ticking = undefined;
    this.#idle = this.#isClosed ? undefined : setTimeout(this.#killAll, this.settings.idleMilliseconds).unref();
  }

  #giveUp(end: GuestEnd): void {
    this.#failedStarts = 0;
    const crashed = failure("crashed", `The engine cannot be started: ${end.message}`);
    for (const call of this.#queues.takeAll()) call.settle(crashed);
  }
}

function leastBusy(guests: readonly PooledGuest[]): PooledGuest | undefined {
  let least: PooledGuest | undefined;
  for (const guest of guests) if (least === undefined || guest.inFlight < least.inFlight) least = guest;
  return least;
}
