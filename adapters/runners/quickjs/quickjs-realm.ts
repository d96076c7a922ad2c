import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from "quickjs-emscripten-core";
import type { CallHost, CompiledProgram, GuestRealm, GuestSettings, Program } from "../lambda-guest/serve.ts";
import { deadlineFault, EngineFault, toAnswer, toFault } from "./engine-fault.ts";

/** The parts of a realm. */
export interface RealmParts {
  /** Its own WebAssembly instance. */
  readonly instance: QuickJSWASMModule;
  readonly heapMebibytes: number;
  readonly realmSource: string;
  readonly settings: GuestSettings;
  readonly callHost: CallHost;
}

/**
 * Reports whether the global variables are unchanged. This engine lets `Reflect.defineProperty` and its equivalents change the
 * value of frozen ones (QuickJS 2025-09-13), even of NaN.
 */
const watchGlobals = `(() => {
  const { is } = Object;
  const all = globalThis;
  const names = Reflect.ownKeys(all);
  const values = names.map((name) => all[name]);
  const count = names.length;
  return () => {
    for (let index = 0; index < count; index += 1) if (!is(all[names[index]], values[index])) return false;
    return true;
  };
})()`;
const warmRounds = 3;
const warmScript = '(() => (a) => { a.text = "text".replace(/t/g, "a"); a.list = [1].map((x) => x); })';

interface Opened {
  readonly context: QuickJSContext;
  readonly run: QuickJSHandle;
  readonly isWhole: QuickJSHandle;
  /** Handles to release before the context. */
  readonly handles: QuickJSHandle[];
}

const mebibyte = 1_048_576;
/**
 * The engine's stack limit. Each of its frames takes several times as much of the process stack, which is large enough for it.
 */
const stackBytes = 262_144;
/** The deadline of warm-up and of reading the console. */
const ownMilliseconds = 1_000;

/**
 * A QuickJS runtime in a WebAssembly instance, for the scripts of one tenant. Nothing is released one by one, and any state is
 * fine at the end: the last reference releases the whole instance.
 */
export class QuickJsRealm implements GuestRealm {
  readonly #parts: RealmParts;
  readonly #runtime: QuickJSRuntime;
  readonly #open: () => Opened;
  #deadline = 0;
  #isBroken = false;

  constructor(parts: RealmParts) {
    this.#parts = parts;
    this.#runtime = parts.instance.newRuntime();
    this.#runtime.setMemoryLimit(parts.heapMebibytes * mebibyte);
    this.#runtime.setMaxStackSize(stackBytes);
    this.#runtime.setInterruptHandler(() => this.#isBroken || performance.now() > this.#deadline);
    const shared = parts.settings.hasContextPerCall ? undefined : this.#openContext();
    this.#open = () => shared ?? this.#openContext();
  }

  /** Runs a script once to warm up the machine code of all realms. */
  warmUp(): void {
    const header = { realm: "", heapMebibytes: 0, wallClockMilliseconds: ownMilliseconds };
    const request = { functionName: "f", parameters: ["a"], changes: ["a"], hostNames: [], resultBytes: 99, consoleBytes: 99 };
    for (let round = 0; round < warmRounds; round++)
      this.compile({ ...header, body: "", wrapped: warmScript, requestJson: JSON.stringify(request) }).run('{"a":{}}', false);
  }

  isGone(): boolean {
    return this.#isBroken;
  }

  compile(program: Program): CompiledProgram {
    return this.#parts.settings.hasContextPerCall ? this.#compileEach(program) : this.#compileIn(this.#open(), program);
  }

  dispose(): void {
    this.#isBroken = true;
  }

  #openContext(): Opened {
    // Only the source of the realm runs, which ends. On a stopped machine a deadline would blame the body that comes next.
    this.#startClock(Number.POSITIVE_INFINITY);
    const context = this.#runtime.newContext();
    const { realmSource, settings } = this.#parts;
    const install = this.#evaluate(context, realmSource, "realm.js");
    const callHost = context.newFunction("callHost", (name, argumentsJson) =>
      context.newString(this.#callHost(context.getString(name), context.getString(argumentsJson))),
    );
    const isFrozen = settings.hasContextPerCall ? context.false : context.true;
    const run = this.#call(context, install, [callHost, isFrozen]);
    const isWhole = this.#evaluate(context, watchGlobals, "realm.js");
    return { context, run, isWhole, handles: [install, callHost, run, isWhole] };
  }

  // Do not count time in the host as the script's.
  #callHost(name: string, argumentsJson: string): string {
    const start = performance.now();
    const reply = this.#parts.callHost(name, argumentsJson);
    this.#deadline += performance.now() - start;
    return reply;
  }

  #compileEach(program: Program): CompiledProgram {
    let last: CompiledProgram | undefined;
    return {
      run: (argumentsJson) => {
        last = undefined;
        const opened = this.#openContext();
        last = this.#compileIn(opened, program);
        const answer = last.run(argumentsJson, false);
        for (const handle of opened.handles) handle.dispose();
        opened.context.dispose();
        return answer;
      },
      written: () => last?.written() ?? "[]",
    };
  }

  #compileIn(
    { context, run, isWhole, handles }: Opened,
    { body, wrapped, requestJson, wallClockMilliseconds }: Program,
  ): CompiledProgram {
    const { bodyFileName, hasContextPerCall } = this.#parts.settings;
    this.#startClock(wallClockMilliseconds);
    // Compile the body alone first, so that it cannot close the wrapper's brace.
    const options = { type: "global", strict: true, compileOnly: true } as const;
    const alone = this.#guarded(() => context.evalCode(body, bodyFileName, options));
    if (alone.error !== undefined) throw this.#fault(context, alone.error, 0);
    alone.value.dispose();
    const factory = this.#evaluate(context, wrapped, bodyFileName, this.#linesBefore);
    const request = context.newString(requestJson);
    handles.push(factory, request);
    return {
      run: (argumentsJson) => {
        this.#startClock(wallClockMilliseconds);
        const given = context.newString(argumentsJson);
        const answer = this.#call(context, run, [factory, request, given]).consume((text) => context.getString(text));
        given.dispose();
        this.#drain();
        // A context for one call need not be checked for leftovers.
        if (!hasContextPerCall)
          this.#isBroken = !this.#call(context, isWhole, []).consume((whole) => context.dump(whole) === true);
        return toAnswer(answer, this.#linesBefore);
      },
      written: () => this.#written(context, run),
    };
  }

  get #linesBefore(): number {
    return this.#parts.settings.bodyOffset.line;
  }

  #written(context: QuickJSContext, run: QuickJSHandle): string {
    if (this.#isBroken) return "[]";
    this.#startClock(ownMilliseconds);
    const written = context.getProp(run, "written");
    return this.#call(context, written, []).consume((text) => context.getString(text));
  }

  #startClock(milliseconds: number): void {
    this.#deadline = performance.now() + milliseconds;
  }

  // Run pending promise reactions now, within the script's deadline.
  #drain(): void {
    while (this.#runtime.hasPendingJob()) {
      const done = this.#guarded(() => this.#runtime.executePendingJobs());
      if (done.error !== undefined) throw this.#fault(done.error.context, done.error, 0);
    }
    if (performance.now() > this.#deadline || this.#isBroken) throw new EngineFault(deadlineFault);
  }

  #evaluate(context: QuickJSContext, source: string, fileName: string, linesBefore = 0): QuickJSHandle {
    const result = this.#guarded(() => context.evalCode(source, fileName, { type: "global" }));
    if (result.error !== undefined) throw this.#fault(context, result.error, linesBefore);
    return result.value;
  }

  #call(context: QuickJSContext, called: QuickJSHandle, given: QuickJSHandle[]): QuickJSHandle {
    const result = this.#guarded(() => context.callFunction(called, context.undefined, ...given));
    if (result.error !== undefined) throw this.#fault(context, result.error, 0);
    return result.value;
  }

  #fault(context: QuickJSContext, thrown: QuickJSHandle, linesBefore: number): EngineFault {
    this.#startClock(ownMilliseconds);
    return this.#guarded(() => toFault(context, thrown, linesBefore));
  }

  // After a trap, the instance is unreliable.
  #guarded<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      this.#isBroken = true;
      throw error;
    }
  }
}
