import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import type { GuestFailure } from "../lambda-guest/serve.ts";

/** An error of the engine instead of an answer. */
export class EngineFault extends Error {
  readonly failure: GuestFailure;

  constructor(failure: GuestFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The run exceeded its deadline. */
export const deadlineFault: GuestFailure = { kind: "timedOut", message: "It took too long." };
/** The heap was full. */
export const memoryFault: GuestFailure = { kind: "outOfMemory", message: "It needed too much memory." };
/** The message of V8, by which `serve.ts` recognizes a realm at this limit. */
export const stackFault: GuestFailure = { kind: "threw", message: "Maximum call stack size exceeded" };

/** Describes an error of compilation or execution. An error other than {@link EngineFault} is a WebAssembly trap. */
export function describe(error: unknown): GuestFailure {
  if (error instanceof EngineFault) return error.failure;
  if (error instanceof RangeError) return stackFault;
  return { kind: "crashed", message: error instanceof Error ? error.message.slice(0, 200) : "The engine failed." };
}

/**
 * Converts a thrown value to a fault and disposes of the value. `linesBefore` is the number of compiled lines before the body.
 */
export function toFault(context: QuickJSContext, thrown: QuickJSHandle, linesBefore: number): EngineFault {
  const [name, message, stack] = ["name", "message", "stack"].map((key) => textOf(context, thrown, key));
  thrown.dispose();
  if (message === "interrupted") return new EngineFault(deadlineFault);
  if (message === "stack overflow") return new EngineFault(stackFault);
  // Without memory for an error object, the engine throws null.
  if (message === "out of memory" || message === undefined) return new EngineFault(memoryFault);
  if (name !== "SyntaxError") return new EngineFault({ kind: "crashed", message: message.slice(0, 200) });
  const [, line = "1", column = "1"] = /:(\d+):(\d+)$/m.exec(stack ?? "") ?? [];
  return new EngineFault({ kind: "syntax", message, line: Math.max(1, Number(line) - linesBefore), column: Number(column) });
}

function textOf(context: QuickJSContext, thrown: QuickJSHandle, key: string): string | undefined {
  if (context.typeof(thrown) !== "object" || context.sameValue(thrown, context.null)) return undefined;
  return context
    .getProp(thrown, key)
    .consume((value) => (context.typeof(value) === "string" ? context.getString(value) : undefined));
}

/** The start of a successful answer of a realm. */
const goodHead = '{"kind":"ok"';

/**
 * Converts an answer of a realm to the form of other engines: line numbers of the body and the usual messages.
 * @throws EngineFault when the realm ran out of memory.
 */
export function toAnswer(answer: string, linesBefore: number): string {
  if (answer.startsWith(goodHead)) return answer;
  const { line, ...head }: { readonly kind: string; readonly message: string; readonly line?: number } = JSON.parse(answer);
  if (head.kind === "threw" && head.message === "out of memory") throw new EngineFault(memoryFault);
  const message = head.message === "stack overflow" ? stackFault.message : head.message;
  return `${JSON.stringify({ ...head, message, ...(line !== undefined && { line: line - linesBefore }) })}\n`;
}
