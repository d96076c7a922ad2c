import type { LambdaOutcome, LambdaRun, LambdaRunner, LambdaRunnerState } from "latchkey/ports";
import { type Frame, failure, frame, type GuestEnd, type StartGuest } from "./frames.js";
import { PoolClock, type PoolSettings, tickMilliseconds } from "./pool-options.js";
import { PooledGuest, type WorkerOwner } from "./pooled-guest.js";
import { PoolCall, type Program, Programs } from "./programs.js";
import { bodyFileName, bodyOffset, realmSource } from "./realm.js";
import type { GuestSettings } from "./serve.js";
import { TenantQueues } from "./tenant-queues.js";

const realmsPerGuest = 32;
const maxFailedStarts = 3;

/** Runs scripts in a few guests, started on demand. */
export class LambdaPool implements LambdaRunner, WorkerOwner {
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
    const refusal = this.#refusalOf(run) ?? program.refusal;
    if (refusal !== undefined) return Promise.resolve(refusal);
    return new Promise((settle) => {
      this.#queues.push(new PoolCall(run, program, settle));
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
    // Ticking keeps the process alive until the guests have ended.
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

  #refusalOf(run: LambdaRun): LambdaOutcome | undefined {
    const { maxWaiting, maxWaitingPerTenant } = this.settings;
    if (this.#isClosed) return failure("refused", "The runner was closed.");
    const isFull = this.#queues.size >= maxWaiting || this.#queues.sizeOf(run.script.tenantId) >= maxWaitingPerTenant;
    return isFull ? failure("refused", "Too many runs are waiting.") : undefined;
  }

  /** The guest for a call: an idle one, else the least loaded one. */
  #guestFor({ program, tenant }: PoolCall): PooledGuest | undefined {
    const { idle, active, slow, held, isTried, least } = this.#survey(program, tenant);
    const { processes } = this.settings;
    // A tenant's slow programs leave a guest for others; a program of unknown speed runs on one guest at first.
    if (program.pace === "slow" && held >= Math.max(1, processes - 1)) return undefined;
    if (program.pace === "unknown" && isTried) return undefined;
    // When other tenants' slow programs hold all active guests, a tenant that holds none may use the spare.
    const most = held === 0 && slow === active ? processes + 1 : processes;
    if (idle !== undefined && active < most) return idle;
    return program.pace === "quick" ? least : undefined;
  }

  // One loop, since every run passes here.
  #survey(program: Program, tenant: string | undefined): Survey {
    const found: Survey = { idle: undefined, active: 0, slow: 0, held: 0, isTried: false, least: undefined };
    for (const guest of this.#guests) {
      if (!guest.isUsable) continue;
      const { running } = guest;
      if (running === undefined) {
        found.idle ??= guest;
        continue;
      }
      found.active++;
      if (running.program === program) found.isTried = true;
      if (running.program.pace === "slow") {
        found.slow++;
        if (running.tenant === tenant) found.held++;
      } else if (guest.hasRoom && guest.inFlight < (found.least?.inFlight ?? Number.POSITIVE_INFINITY)) found.least = guest;
    }
    return found;
  }

  // Keep a spare guest while there is work, so that no run waits for a start.
  #grow(): void {
    let alive = 0;
    let waiting = 0;
    for (const guest of this.#guests) {
      if (guest.isEnding || guest.isRetiring) continue;
      if (!guest.isReady || guest.inFlight === 0) return;
      alive++;
      if (guest.isWaiting) waiting++;
    }
    const { processes } = this.settings;
    if (alive >= Math.min(processes + 1 + waiting, Math.max(2, processes * 4))) return;
    if (this.#guests.size === 0) process.once("exit", this.#killAll);
    this.#guests.add(new PooledGuest(this.#start, this, this.#setUp));
  }

  #hasWork(): boolean {
    for (const guest of this.#guests) if (guest.inFlight > 0) return true;
    return false;
  }

  // The ticking keeps the host alive during work: guests do not.
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

/** The state of the guests, seen from one call. */
interface Survey {
  idle: PooledGuest | undefined;
  /** Guests that run anything; those of them with a slow program; those of these with a program of the tenant. */
  active: number;
  slow: number;
  held: number;
  /** Whether a guest runs the same program. */
  isTried: boolean;
  /** Of the guests with room, the one with the fewest calls. */
  least: PooledGuest | undefined;
}
