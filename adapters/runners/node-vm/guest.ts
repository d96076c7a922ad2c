/** The thread that runs scripts in contexts of node:vm. */
import vm from "node:vm";
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { Frame } from "../lambda-guest/frames.ts";
import type {
  CallHost,
  CompiledProgram,
  GuestFailure,
  GuestLine,
  GuestRealm,
  GuestSettings,
  Program,
} from "../lambda-guest/serve.ts";
import { serve } from "../lambda-guest/serve.ts";

interface RunInRealm {
  (factory: unknown, requestJson: string, argumentsJson: string): string;
  written(): string;
}
type Install = (callHost: CallHost, isFrozen: boolean) => RunInRealm;

const drain = new vm.Script("0");

// Older versions of Node measure the whole process only; elapsed time must do there.
function worked(): number {
  if (process.threadCpuUsage === undefined) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function openLine({ port, sent }: { readonly port: MessagePort; readonly sent: Int32Array }): GuestLine {
  // Batching does not make messages between threads cheaper.
  const send: GuestLine["send"] = (frame) => parentPort?.postMessage(frame);
  return {
    receive() {
      for (;;) {
        const seen = Atomics.load(sent, 0);
        const frames: Frame[] = [];
        for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
          frames.push(next.message);
        if (frames.length > 0) return frames;
        Atomics.wait(sent, 0, seen);
      }
    },
    workedMilliseconds: worked,
    send,
    hold: send,
    flush: () => undefined,
    mark: () => undefined,
  };
}

interface Opened {
  readonly context: vm.Context;
  readonly run: RunInRealm;
}

class ContextRealm implements GuestRealm {
  readonly #open: () => Opened;
  readonly #settings: GuestSettings;

  constructor(install: vm.Script, settings: GuestSettings, callHost: CallHost) {
    this.#settings = settings;
    const open = (): Opened => {
      const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, { microtaskMode: "afterEvaluate" });
      const installer: Install = install.runInContext(context);
      return { context, run: installer(callHost, !settings.hasContextPerCall) };
    };
    const shared = settings.hasContextPerCall ? undefined : open();
    this.#open = () => shared ?? open();
  }

  isGone(): boolean {
    return false;
  }

  compile({ body, wrapped, requestJson }: Program): CompiledProgram {
    const { bodyFileName: filename, bodyOffset, hasContextPerCall } = this.#settings;
    // Compile the body alone first, so that it cannot close the wrapper's brace.
    new vm.Script(body, { filename });
    const script = new vm.Script(wrapped, { filename, lineOffset: 0 - bodyOffset.line, columnOffset: 0 - bodyOffset.column });
    const instantiate = (): CompiledProgram => {
      const { context, run } = this.#open();
      const factory: unknown = script.runInContext(context);
      return {
        run(argumentsJson) {
          const answer = run(factory, requestJson, argumentsJson);
          // Run pending promise reactions now, within the script's deadline.
          drain.runInContext(context);
          return answer;
        },
        written: () => run.written(),
      };
    };
    if (!hasContextPerCall) return instantiate();
    let last: CompiledProgram | undefined;
    return {
      run: (argumentsJson) => {
        last = undefined;
        last = instantiate();
        return last.run(argumentsJson, false);
      },
      written: () => last?.written() ?? "[]",
    };
  }

  dispose(): void {}
}

function describe(error: unknown): GuestFailure {
  const { name, message, stack = "" } = error instanceof Error ? error : new Error("The engine failed.");
  if (name === "SyntaxError") {
    // Node prints the position above the error: file:line, the line, a caret under the column.
    const [place = "", ...rest] = stack.split("\n");
    const caret = rest.find((line) => /^ *\^+$/.test(line)) ?? "^";
    return { kind: "syntax", message, line: Number(/:(\d+)$/.exec(place)?.[1] ?? 1), column: caret.indexOf("^") + 1 };
  }
  return { kind: /call stack/.test(message) ? "threw" : "crashed", message };
}

// Scripts may leave promises rejected.
process.on("unhandledRejection", () => {});

serve(openLine(workerData), (realmSource, settings) => {
  const install = new vm.Script(realmSource);
  return {
    createRealm: (_heapMebibytes, callHost) => new ContextRealm(install, settings, callHost),
    describe,
    // Only the end of the thread can end a run in it.
    abandon: () => process.exit(0),
  };
});
