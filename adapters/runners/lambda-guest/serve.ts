/** The loop of a guest of any kind: it caches programs and realms, and runs one call after the other. */
import type { Frame, FrameKind } from "./frames.js";

/** How a guest hears and speaks. Both block: a guest has nothing else to do. */
export interface GuestLine {
  /** The next frames, at least one; undefined at the end. */
  receive(): readonly Frame[] | undefined;
  /** Sends a frame, after those that were held back. */
  send(kind: FrameKind, id: number, value: number, texts: readonly string[]): void;
  /**
   * Sends a frame with the next ones, and soon: most of what a short run costs is to wake who waits for its answer. `now` in milliseconds of
   * `performance.now()`, for which nobody should have to ask twice.
   */
  hold(kind: FrameKind, id: number, value: number, texts: readonly string[], now: number): void;
  /** Sends what was held back. */
  flush(): void;
  /** Says which call runs now, so that the host knows although answers are held back. */
  mark(id: number): void;
  /** Milliseconds of work, as far as it can be measured apart from other work. */
  workedMilliseconds(): number;
}

/** Settings that a guest receives once. */
export interface GuestSettings {
  /** A new context for each call, which need not be frozen, in place of a frozen realm. */
  readonly hasContextPerCall: boolean;
  /** How many realms are cached. */
  readonly realms: number;
  readonly bodyFileName: string;
  readonly bodyOffset: { readonly line: number; readonly column: number };
}

/** What is the same for all calls of a script. */
export interface ProgramHeader {
  /** Programs of the same realm name share a realm. */
  readonly realm: string;
  readonly heapMebibytes: number;
  readonly wallClockMilliseconds: number;
}

/** A script as a guest knows it. */
export interface Program extends ProgramHeader {
  readonly body: string;
  readonly wrapped: string;
  readonly requestJson: string;
}

/** A failure that the engine saw; those that a realm sees are in what it answers. */
export interface GuestFailure {
  readonly kind: "syntax" | "threw" | "timedOut" | "outOfMemory" | "crashed";
  readonly message: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** A program as it was compiled in a realm. */
export interface CompiledProgram {
  /**
   * JSON of arguments in, the realm's answer out. Throws what {@link GuestEngine.describe} understands. A run that `isTrusted` need not be
   * timed by the engine: the host's clock is enough for the rare one that lasts.
   */
  run(argumentsJson: string, isTrusted: boolean): string;
  /** The console of a run that threw, as JSON. */
  written(): string;
}

/** Where programs of one tenant run. */
export interface GuestRealm {
  /** Whether its engine has given it up. */
  isGone(): boolean;
  /** Throws what {@link GuestEngine.describe} understands. */
  compile(program: Program): CompiledProgram;
  dispose(): void;
}

/** Answers a call of the host with JSON, or not at all. */
export type CallHost = (name: string, argumentsJson: string) => string;

/** What runs scripts in a guest. */
export interface GuestEngine {
  createRealm(heapMebibytes: number, callHost: CallHost): GuestRealm;
  /** Called before a guest says that it is ready, and before each call: for what a realm needs that cannot be made at once. */
  prepare?(): Promise<void>;
  /** What an error of compiling or running means. */
  describe(error: unknown): GuestFailure;
  /** Ends the run that waits in a call of the host, however it takes it. */
  abandon(realm: GuestRealm): void;
  /** Called between runs, when all answers are sent: for work that no caller should wait for. */
  rest?(): void;
}

interface Kept {
  readonly program: Program;
  realm?: GuestRealm;
  compiled?: CompiledProgram;
  /** Short runs since the last one that was not. */
  shortRuns: number;
}

/** Above it, a run is slow: the host may have given the calls behind it to another guest. */
const slowMilliseconds = 5;
/** How many short runs classify a program as short. Timing a run costs a fifth of the run. */
const trustedRuns = 10;
const maxHostArguments = 1_048_576;

/** Serves until the line ends. `startEngine` gets what the host sent first: the realm's text and the settings. */
export function serve(line: GuestLine, startEngine: (realmSource: string, settings: GuestSettings) => GuestEngine): void {
  let guest: Guest | undefined;
  let engine: GuestEngine | undefined;
  const turn = async (): Promise<void> => {
    const frames = line.receive();
    if (frames === undefined) process.exit(0);
    for (const frame of frames)
      if (frame.kind === "setup") {
        const settings: GuestSettings = JSON.parse(frame.texts[1] ?? "");
        engine = startEngine(frame.texts[0] ?? "", settings);
        guest = new Guest(line, engine, settings.realms);
        await engine.prepare?.();
        line.send("ready", 0, 0, []);
      } else guest?.take(frame);
    await guest?.work();
    engine?.rest?.();
    // The engine frees what it has let go of in the event loop.
    setImmediate(next);
  };
  // What fails here is the end of the guest, which a rejected promise may not be.
  const next = (): void =>
    void turn().catch((error: unknown) =>
      setImmediate(() => {
        throw error;
      }),
    );
  next();
}

class Guest {
  readonly #line: GuestLine;
  readonly #engine: GuestEngine;
  readonly #maxRealms: number;
  readonly #inbox: Frame[] = [];
  readonly #programs = new Map<number, Kept>();
  readonly #realms = new Map<string, GuestRealm>();
  readonly #skipped = new Set<number>();
  readonly #callHost: CallHost = (name, argumentsJson) => this.#askHost(name, argumentsJson);
  #running = 0;
  #hasCalledHost = false;
  #workedBefore = 0;
  #measuredAt = 0;
  #realm: GuestRealm | undefined;

  constructor(line: GuestLine, engine: GuestEngine, maxRealms: number) {
    this.#line = line;
    this.#engine = engine;
    this.#maxRealms = maxRealms;
  }

  take(frame: Frame): void {
    this.#inbox.push(frame);
  }

  async work(): Promise<void> {
    const { prepare } = this.#engine;
    this.#measureWork();
    for (let frame = this.#inbox.shift(); frame !== undefined; frame = this.#inbox.shift()) {
      if (prepare !== undefined) await prepare();
      this.#handle(frame);
    }
    this.#line.flush();
  }

  // Asking costs as much as a short run: what came since is at most as much as a run that is not slow.
  #measureWork(): void {
    const now = performance.now();
    if (now - this.#measuredAt < slowMilliseconds) return;
    this.#measuredAt = now;
    this.#workedBefore = this.#line.workedMilliseconds();
  }

  #handle({ kind, id, value, texts }: Frame): void {
    if (kind === "call") this.#call(id, value, texts[0] ?? "{}");
    else if (kind === "define") this.#programs.set(id, { program: toProgram(texts), shortRuns: 0 });
    else if (kind === "forget") this.#programs.delete(id);
  }

  #call(id: number, programId: number, argumentsJson: string): void {
    if (this.#skipped.delete(id)) {
      this.#line.send("skipped", id, 0, []);
      return;
    }
    const kept = this.#programs.get(programId);
    if (kept === undefined) throw new Error(`There is no program ${programId}.`);
    this.#running = id;
    this.#hasCalledHost = false;
    this.#line.mark(id);
    const start = performance.now();
    const outcome = this.#run(kept, argumentsJson);
    const now = performance.now();
    const isSlow = now - start > slowMilliseconds;
    kept.shortRuns = isSlow ? 0 : kept.shortRuns + 1;
    const worked = isSlow ? this.#line.workedMilliseconds() - this.#workedBefore : 0;
    const value = isSlow ? Math.max(1, Math.round(worked)) : 0;
    // What was done at the host must not be done again because an answer was lost.
    if (isSlow || this.#hasCalledHost) this.#line.send("answer", id, value, [outcome]);
    else this.#line.hold("answer", id, value, [outcome], now);
    this.#workedBefore += worked;
    if (isSlow) for (const skipped of this.#await("resume").texts[0]?.split(",") ?? []) this.#skipped.add(Number(skipped));
  }

  #run(kept: Kept, argumentsJson: string): string {
    const realm = this.#realmOf(kept.program);
    this.#realm = realm;
    try {
      if (kept.realm !== realm || kept.compiled === undefined) {
        delete kept.compiled;
        kept.compiled = realm.compile(kept.program);
        kept.realm = realm;
        // What is done once says nothing of how long the program takes.
        this.#workedBefore = this.#line.workedMilliseconds();
      }
      const outcome = kept.compiled.run(argumentsJson, kept.shortRuns >= trustedRuns);
      if (isSuspicious(outcome)) this.#drop(realm);
      return outcome;
    } catch (error) {
      const failure = this.#engine.describe(error);
      const outcome = JSON.stringify({ ...failure, console: writtenBy(kept.compiled) });
      if (failure.kind !== "syntax") this.#drop(realm);
      return outcome;
    }
  }

  #realmOf({ realm: name, heapMebibytes }: Program): GuestRealm {
    const known = this.#realms.get(name);
    this.#realms.delete(name);
    if (known?.isGone()) this.#drop(known);
    const realm = known === undefined || known.isGone() ? this.#engine.createRealm(heapMebibytes, this.#callHost) : known;
    this.#realms.set(name, realm);
    for (const oldest of this.#realms.values()) {
      if (this.#realms.size <= this.#maxRealms) break;
      this.#drop(oldest);
    }
    return realm;
  }

  // Programs that were compiled in it hold no more than a reference to what is gone.
  #drop(realm: GuestRealm): void {
    for (const [name, known] of this.#realms) if (known === realm) this.#realms.delete(name);
    for (const kept of this.#programs.values())
      if (kept.realm === realm) {
        delete kept.realm;
        delete kept.compiled;
      }
    realm.dispose();
  }

  #askHost(name: string, argumentsJson: string): string {
    if (argumentsJson.length > maxHostArguments) return '{"error":"The arguments are too long."}';
    this.#hasCalledHost = true;
    this.#line.send("hostCall", this.#running, 0, [name, argumentsJson]);
    const { kind, texts } = this.#await("reply", "abandon");
    if (kind === "abandon" && this.#realm !== undefined) this.#engine.abandon(this.#realm);
    return texts[0] ?? "{}";
  }

  // What else arrives meanwhile has its turn later.
  #await(...awaited: readonly FrameKind[]): Frame {
    for (;;) {
      const position = this.#inbox.findIndex(({ kind }) => awaited.includes(kind));
      const [found] = position < 0 ? [] : this.#inbox.splice(position, 1);
      if (found !== undefined) return found;
      const frames = this.#line.receive();
      if (frames === undefined) process.exit(0);
      for (const frame of frames) this.#inbox.push(frame);
    }
  }
}

function writtenBy(compiled: CompiledProgram | undefined): unknown {
  try {
    return JSON.parse(compiled?.written() ?? "[]");
  } catch {
    // Its engine is no more.
    return [];
  }
}

function toProgram([header = "{}", body = "", wrapped = "", requestJson = "{}"]: readonly string[]): Program {
  return { ...(JSON.parse(header) as ProgramHeader), body, wrapped, requestJson };
}

/** Whether a realm has had to do with the edge of what it can: it is not used again. */
function isSuspicious(outcome: string): boolean {
  if (outcome.startsWith('{"kind":"ok"')) return false;
  const [head = ""] = outcome.split("\n", 1);
  const { kind, message }: { readonly kind: string; readonly message?: string } = JSON.parse(head);
  return kind === "tooLarge" || (kind === "threw" && /call stack/i.test(message ?? ""));
}
