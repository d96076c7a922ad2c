import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import type { GuestFailure } from "../lambda-guest/serve.ts";

/** What the engine threw in place of an answer. */
export class EngineFault extends Error {
  readonly failure: GuestFailure;

  constructor(failure: GuestFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** It went on past its deadline. */
export const deadlineFault: GuestFailure = { kind: "timedOut", message: "It took too long." };
/** Its heap was full. */
export const memoryFault: GuestFailure = { kind: "outOfMemory", message: "It needed too much memory." };
/** In the words of V8, by which a realm that was at this edge is known. */
export const stackFault: GuestFailure = { kind: "threw", message: "Maximum call stack size exceeded" };

/** What an error of compiling or running means. What is no {@link EngineFault} is a trap of WebAssembly. */
export function describe(error: unknown): GuestFailure {
  if (error instanceof EngineFault) return error.failure;
  if (error instanceof RangeError) return stackFault;
  return { kind: "crashed", message: error instanceof Error ? error.message.slice(0, 200) : "The engine failed." };
}

/** The fault that a thrown value stands for, which is released. `linesBefore` of what was compiled stand before the body. */
export function toFault(context: QuickJSContext, thrown: QuickJSHandle, linesBefore: number): EngineFault {
  const [name, message, stack] = ["name", "message", "stack"].map((key) => textOf(context, thrown, key));
  thrown.dispose();
  if (message === "interrupted") return new EngineFault(deadlineFault);
  if (message === "stack overflow") return new EngineFault(stackFault);
  // When nothing is left for an error to be made of, null is thrown.
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

/** How the answer of a realm begins when all went well. */
const goodHead = '{"kind":"ok"';

/**
 * The answer of a realm as other engines give it: lines are those of the body, and the engine's own words are the usual ones.
 * @throws EngineFault when the memory was not enough.
 */
export function toAnswer(answer: string, linesBefore: number): string {
  if (answer.startsWith(goodHead)) return answer;
  const { line, ...head }: { readonly kind: string; readonly message: string; readonly line?: number } = JSON.parse(answer);
  if (head.kind === "threw" && head.message === "out of memory") throw new EngineFault(memoryFault);
  const message = head.message === "stack overflow" ? stackFault.message : head.message;
  return `${JSON.stringify({ ...head, message, ...(line !== undefined && { line: line - linesBefore }) })}\n`;
}
