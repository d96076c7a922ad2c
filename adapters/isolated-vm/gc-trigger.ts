import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Isolate } from "isolated-vm";

/** How much may lie outside of the heaps of a process, in characters. A collection takes a few milliseconds. */
const maxCharacters = 41_943_040;
/** What is worth a collection, however many heaps there are. */
const leastCharacters = 4_194_304;
const maxMilliseconds = 1_000;

/**
 * Frees the texts that have come into a heap from another one. They lie outside of it and are let go only with a full collection, which the
 * engine begins far too late for a process of many heaps: it sees how few bytes are inside.
 */
export class GcTrigger {
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
export function createHeapGcTrigger(): GcTrigger {
  return new GcTrigger(whileExposed(() => runInNewContext("gc")));
}

/** A sweeper of an isolate. What collects is in a context of its own, so that no script sees it. */
export function createIsolateGcTrigger(isolate: Isolate): GcTrigger {
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
