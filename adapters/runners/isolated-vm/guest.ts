/** The process that runs scripts in isolates. Node starts it with the engine's file as its one argument. */
import { setPriority } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Context, Isolate, Reference } from "isolated-vm";
import { openProcessLine } from "../lambda-guest/process-line.ts";
import {
  type CallHost,
  type CompiledProgram,
  type GuestFailure,
  type GuestRealm,
  type GuestSettings,
  type Program,
  serve,
} from "../lambda-guest/serve.ts";

type Engine = typeof import("isolated-vm");

/** How much may lie outside of the heaps of a process, in characters. A collection takes a few milliseconds. */
const maxCharacters = 41_943_040;
/** What is worth a collection, however many heaps there are. */
const leastCharacters = 4_194_304;
const maxMilliseconds = 1_000;

/**
 * Frees the texts that have come into a heap from another one. They lie outside of it and are let go only with a full collection, which the
 * engine begins far too late for a process of many heaps: it sees how few bytes are inside.
 */
class GcTrigger {
  readonly #collect: () => void;
  #characters = 0;

  constructor(collect: () => void) {
    this.#collect = collect;
  }

  /** Counts a text that comes into the heap, and hands it on. */
  count(text: string): string {
    this.#characters += text.length;
    return text;
  }

  /** Collects the heap, one of so many, if that is worth it. Throws what the engine does when an isolate is gone. */
  sweep(heaps: number): void {
    if (this.#characters < Math.max(leastCharacters, maxCharacters / heaps)) return;
    this.#characters = 0;
    this.#collect();
  }
}

/** A sweeper of the heap that this runs in. */
function createHeapGcTrigger(): GcTrigger {
  return new GcTrigger(whileExposed(() => runInNewContext("gc")));
}

/** A sweeper of an isolate. What collects is in a context of its own, so that no script sees it. */
function createIsolateGcTrigger(isolate: Isolate): GcTrigger {
  const context = whileExposed(() => isolate.createContextSync());
  const collect = context.global.getSync("gc", { reference: true });
  return new GcTrigger(() => collect.applySync(undefined, [], { timeout: maxMilliseconds }));
}

// Contexts that are made meanwhile have a function for it, others have not.
function whileExposed<T>(make: () => T): T {
  setFlagsFromString("--expose-gc");
  try {
    return make();
  } finally {
    setFlagsFromString("--no-expose-gc");
  }
}

const bindSource =
  "(run) => (factory, requestJson) => ({ run: (argumentsJson) => run(factory, requestJson, argumentsJson), again: () => run(), written: run.written })";
/** An isolate does not get rid of contexts as fast as they are made. */
const maxContexts = 64;
const asReference = { result: { reference: true } } as const;

// Resolved by the parent: finding it here would need the right to read half of node_modules.
function loadEngine(file: string): Engine {
  const module: { exports: { ivm?: Engine } } = { exports: {} };
  process.dlopen(module, file);
  if (module.exports.ivm === undefined) throw new Error("isolated-vm has another shape than was expected.");
  return module.exports.ivm;
}

const answers = createHeapGcTrigger();
const realms = new Set<IsolateRealm>();

class IsolateRealm implements GuestRealm {
  readonly #isolate: Isolate;
  readonly #sweeper: GcTrigger;
  readonly #openContext: () => Bind;
  readonly #settings: GuestSettings;
  #contexts = 0;

  constructor(engine: Engine, heapMebibytes: number, realmSource: string, settings: GuestSettings, callHost: CallHost) {
    this.#isolate = new engine.Isolate({ memoryLimit: heapMebibytes });
    this.#sweeper = createIsolateGcTrigger(this.#isolate);
    this.#settings = settings;
    const install = this.#isolate.compileScriptSync(realmSource);
    const bind = this.#isolate.compileScriptSync(bindSource);
    const callback = new engine.Callback((name: string, argumentsJson: string) =>
      this.#sweeper.count(callHost(name, argumentsJson)),
    );
    const openContext = (): Bind => {
      this.#contexts++;
      const context = this.#isolate.createContextSync();
      const installer = install.runSync(context, { reference: true });
      const run = installer.applySync(undefined, [callback, !settings.hasContextPerCall], asReference);
      return { context, bind: bind.runSync(context, { reference: true }).applySync(undefined, [run.derefInto()], asReference) };
    };
    const shared = settings.hasContextPerCall ? undefined : openContext();
    this.#openContext = () => shared ?? openContext();
    realms.add(this);
  }

  isGone(): boolean {
    return this.#isolate.isDisposed || this.#contexts > maxContexts;
  }

  compile({ body, wrapped, requestJson, wallClockMilliseconds: timeout }: Program): CompiledProgram {
    const { bodyFileName: filename, bodyOffset, hasContextPerCall } = this.#settings;
    // Alone first: what closes the wrapper's brace is no script.
    this.#isolate.compileScriptSync(body, { filename }).release();
    const place = { filename, lineOffset: 0 - bodyOffset.line, columnOffset: 0 - bodyOffset.column };
    const script = this.#isolate.compileScriptSync(wrapped, place);
    const instantiate = ({ context, bind }: Bind): Reference =>
      bind.applySync(
        undefined,
        [script.runSync(context, { reference: true, timeout }).derefInto({ release: true }), requestJson],
        asReference,
      );
    if (!hasContextPerCall) return this.#counted(toCompiled(instantiate(this.#openContext()), timeout));
    let last: CompiledProgram | undefined;
    return this.#counted({
      run: (argumentsJson) => {
        last = undefined;
        const opened = this.#openContext();
        last = toCompiled(instantiate(opened), timeout);
        const outcome = last.run(argumentsJson, false);
        opened.context.release();
        return outcome;
      },
      written: () => last?.written() ?? "[]",
    });
  }

  #counted({ run, written }: CompiledProgram): CompiledProgram {
    return { run: (argumentsJson, isTrusted) => answers.count(run(this.#sweeper.count(argumentsJson), isTrusted)), written };
  }

  sweep(heaps: number): void {
    try {
      this.#sweeper.sweep(heaps);
    } catch {
      // It is gone, or what a script left behind stands in the way.
      this.dispose();
    }
  }

  dispose(): void {
    realms.delete(this);
    if (!this.#isolate.isDisposed) this.#isolate.dispose();
  }
}

function toCompiled(program: Reference, timeout: number): CompiledProgram {
  const limits = { timeout };
  const [run, again, written] = ["run", "again", "written"].map((name) => program.getSync(name, { reference: true }));
  return {
    run(argumentsJson, isTrusted) {
      try {
        return String(
          isTrusted ? run?.applySync(undefined, [argumentsJson]) : run?.applySync(undefined, [argumentsJson], limits),
        );
      } catch (error) {
        if (error instanceof Error && /timed out|disposed/.test(error.message)) throw error;
        // A promise that the script left rejected is thrown here after the run, in place of the answer.
        const answer = String(again?.applySync(undefined, [], limits));
        if (answer === "") throw error;
        return answer;
      }
    },
    written: () => String(written?.applySync(undefined, [], limits)),
  };
}

interface Bind {
  readonly context: Context;
  readonly bind: Reference;
}

function describe(error: unknown): GuestFailure {
  const message = error instanceof Error ? error.message : "The engine failed.";
  const place = / \[[^\]]*:(\d+):(\d+)\]$/.exec(message);
  if (error instanceof SyntaxError)
    return {
      kind: "syntax",
      message: message.slice(0, place?.index),
      line: Number(place?.[1] ?? 1),
      column: Number(place?.[2] ?? 1),
    };
  if (/timed out/.test(message)) return { kind: "timedOut", message: "It took too long." };
  if (/memory limit/.test(message)) return { kind: "outOfMemory", message: "It needed too much memory." };
  // Nested so deeply that the realm itself had no room left to report it.
  if (/call stack/.test(message)) return { kind: "threw", message };
  return { kind: "crashed", message };
}

// Callers that wait for the host's own answers go first.
setPriority(5);
const engine = loadEngine(process.argv[2] ?? "");

serve(openProcessLine(), (realmSource, settings) => ({
  createRealm: (heapMebibytes, callHost) => new IsolateRealm(engine, heapMebibytes, realmSource, settings, callHost),
  describe,
  abandon: (realm) => realm.dispose(),
  rest: () => {
    const heaps = realms.size + 1;
    for (const realm of realms) realm.sweep(heaps);
    answers.sweep(heaps);
  },
}));
