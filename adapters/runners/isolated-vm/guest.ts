/** The process that runs scripts in isolates. Its one argument is the engine's file. */
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

/** Characters outside of the heaps of a process that trigger a collection, which takes a few milliseconds. */
const maxCharacters = 41_943_040;
/** The minimum per heap, however many heaps there are. */
const leastCharacters = 4_194_304;
const maxMilliseconds = 1_000;

/**
 * Frees the texts that entered a heap from another one. They lie outside of the heap, and only a full collection frees them. The
 * engine starts one far too late in a process with many heaps, because it sees few bytes inside.
 */
class GcTrigger {
  readonly #collect: () => void;
  #characters = 0;

  constructor(collect: () => void) {
    this.#collect = collect;
  }

  /** Counts a text that enters the heap, and returns it. */
  count(text: string): string {
    this.#characters += text.length;
    return text;
  }

  /** Collects the heap, one of `heaps`, if enough has accumulated. Throws the engine's error for a disposed isolate. */
  sweep(heaps: number): void {
    if (this.#characters < Math.max(leastCharacters, maxCharacters / heaps)) return;
    this.#characters = 0;
    this.#collect();
  }
}

/** A trigger for the heap of this process. */
function createHeapGcTrigger(): GcTrigger {
  return new GcTrigger(whileExposed(() => runInNewContext("gc")));
}

/** A trigger for an isolate. `gc` lives in its own context, hidden from scripts. */
function createIsolateGcTrigger(isolate: Isolate): GcTrigger {
  const context = whileExposed(() => isolate.createContextSync());
  const collect = context.global.getSync("gc", { reference: true });
  return new GcTrigger(() => collect.applySync(undefined, [], { timeout: maxMilliseconds }));
}

// Only contexts created meanwhile have the function `gc`.
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
/** An isolate frees contexts more slowly than runs create them. */
const maxContexts = 64;
const asReference = { result: { reference: true } } as const;

// The parent resolves the file: resolving it here would need read permission for half of node_modules.
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
    // Compile the body alone first, so that it cannot close the wrapper's brace.
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
      // The isolate is disposed, or leftovers of a script block the collection.
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
        // After the run, isolated-vm throws the reason of an unhandled rejection instead of returning the answer.
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
  // The stack was too deep for the realm itself to report it.
  if (/call stack/.test(message)) return { kind: "threw", message };
  return { kind: "crashed", message };
}

// Requests to the host itself have priority.
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
