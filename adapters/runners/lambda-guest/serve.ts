/** The main loop of every guest: it caches programs and realms, and runs one call after the other. */
import type { Frame, FrameKind } from "./frames.js";

/** The channel of a guest. Reads and writes block: a guest has no other work. */
export interface GuestLine {
  /** Returns the next frames, at least one; undefined at the end. */
  receive(): readonly Frame[] | undefined;
  /** Sends a frame, after the held ones. */
  send(frame: Frame): void;
  /**
   * Sends a frame soon, together with the next ones: waking the host is most of the cost of a short run. `now` in milliseconds of
   * `performance.now()`, passed in because each reading costs time.
   */
  hold(frame: Frame, now: number): void;
  /** Sends the held frames. */
  flush(): void;
  /** Records the running call for the host while answers are held. */
  mark(id: number): void;
  /** Milliseconds of the guest's own work, as far as they can be measured separately. */
  workedMilliseconds(): number;
}

/** Settings that a guest receives once. */
export interface GuestSettings {
  /** A new unfrozen context for each call, instead of a frozen realm. */
  readonly hasContextPerCall: boolean;
  /** The maximum of cached realms. */
  readonly realms: number;
  readonly bodyFileName: string;
  readonly bodyOffset: { readonly line: number; readonly column: number };
}

/** The part of a program that is the same for all calls. */
export interface ProgramHeader {
  /** Programs with the same realm name share a realm. */
  readonly realm: string;
  readonly heapMebibytes: number;
  readonly wallClockMilliseconds: number;
}

/** A script in a guest. */
export interface Program extends ProgramHeader {
  readonly body: string;
  readonly wrapped: string;
  readonly requestJson: string;
}

/** A failure seen by the engine; answers of the realm contain the others. */
export interface GuestFailure {
  readonly kind: "syntax" | "threw" | "timedOut" | "outOfMemory" | "crashed";
  readonly message: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** A program compiled in a realm. */
export interface CompiledProgram {
  /**
   * Takes the arguments as JSON and returns the realm's answer. Throws errors for {@link GuestEngine.describe}. For an
   * `isTrusted` run, the engine may skip its timer: the host's deadline covers the rare long one.
   */
  run(argumentsJson: string, isTrusted: boolean): string;
  /** The console of a run that threw, as JSON. */
  written(): string;
}

/** The execution environment of one tenant's programs. */
export interface GuestRealm {
  /** Whether the engine has abandoned it. */
  isGone(): boolean;
  /** Throws errors for {@link GuestEngine.describe}. */
  compile(program: Program): CompiledProgram;
  dispose(): void;
}

/** Calls the host and returns its reply as JSON. */
export type CallHost = (name: string, argumentsJson: string) => string;

/** The engine that runs scripts in a guest. */
export interface GuestEngine {
  createRealm(heapMebibytes: number, callHost: CallHost): GuestRealm;
  /** Called before `ready` and before each call: prepares what a realm needs asynchronously. */
  prepare?(): Promise<void>;
  /** Describes an error of compilation or execution. */
  describe(error: unknown): GuestFailure;
  /** Ends the run that waits in a host call. */
  abandon(realm: GuestRealm): void;
  /** Called between runs, when all answers are sent: for work that must not delay a caller. */
  rest?(): void;
}

interface Kept {
  readonly program: Program;
  realm?: GuestRealm;
  compiled?: CompiledProgram;
  /** Short runs since the last longer one. */
  shortRuns: number;
}

/** A longer run is slow: the host may have moved the calls behind it to another guest. */
const slowMilliseconds = 5;
/** The number of consecutive short runs that make a program trusted. Timing a run costs a fifth of the run. */
const trustedRuns = 10;
const maxHostArguments = 1_048_576;

/** Serves until the channel ends. `startEngine` receives the text of the realm and the settings. */
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
        line.send({ kind: "ready", id: 0, value: 0, texts: [] });
      } else guest?.take(frame);
    await guest?.work();
    engine?.rest?.();
    // The engine frees released memory in the event loop.
    setImmediate(next);
  };
  // An error here must end the guest, which a rejected promise may not do.
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

  // Measuring costs as much as a short run, so it happens at most once per slow-run limit.
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
      this.#line.send({ kind: "skipped", id, value: 0, texts: [] });
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
    // Send at once: a lost answer would repeat the host calls.
    const answer: Frame = { kind: "answer", id, value, texts: [outcome] };
    if (isSlow || this.#hasCalledHost) this.#line.send(answer);
    else this.#line.hold(answer, now);
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
        // Do not count the one-time compilation as work of the program.
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

  // Programs compiled in the realm would keep it alive.
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
    this.#line.send({ kind: "hostCall", id: this.#running, value: 0, texts: [name, argumentsJson] });
    const { kind, texts } = this.#await("reply", "abandon");
    if (kind === "abandon" && this.#realm !== undefined) this.#engine.abandon(this.#realm);
    return texts[0] ?? "{}";
  }

  // Keep other frames for later.
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
    // The engine has ended.
    return [];
  }
}

function toProgram([header = "{}", body = "", wrapped = "", requestJson = "{}"]: readonly string[]): Program {
  return { ...(JSON.parse(header) as ProgramHeader), body, wrapped, requestJson };
}

/** Whether a run came close to the realm's limits: the realm must not be reused. */
function isSuspicious(outcome: string): boolean {
  if (outcome.startsWith('{"kind":"ok"')) return false;
  const [head = ""] = outcome.split("\n", 1);
  const { kind, message }: { readonly kind: string; readonly message?: string } = JSON.parse(head);
  return kind === "tooLarge" || (kind === "threw" && /call stack/i.test(message ?? ""));
}
